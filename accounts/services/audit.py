"""The audit log: who did what, when, from where. One function writes it; services call it, in their own transaction.

Rows never change (a trigger holds that), and only leave by age, or to be made anew without the name of who left. No
foreign keys: the log outlives what it tells of.
"""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q
from django.utils import timezone

from accounts.audit import Kind
from accounts.caller import caller, caller_address
from accounts.limits import AUDIT_ABOUT_CHARS, AUDIT_DAYS
from accounts.models import AuditEntry, User

_OF_TOKENS = frozenset({Kind.TOKEN_MADE, Kind.TOKEN_REVOKED})


def log(
    kind: Kind,
    *,
    actor: User | None = None,
    account: User | None = None,
    collection: int | None = None,
    about: str = "",
) -> None:
    """One line more.

    Args:
        actor: who did it, where it is not who asks; neither stands for the site and its operator.
        account: whose account it is about.
        collection: the number of the collection it is about.
        about: a few words, such as a token's name. Never a secret, nor what somebody may have typed by mistake.
    """
    by = actor or caller()
    AuditEntry.objects.create(
        kind=kind,
        actor=by.pk if by else None,
        actor_name=by.get_username() if by else "",
        address=caller_address(),
        account=account.pk if account else None,
        account_name=account.get_username() if account else "",
        collection=collection,
        about=about[:AUDIT_ABOUT_CHARS],
    )


def rename(user: User, neutral: str) -> None:
    """Take a person's name, their addresses and what they called their tokens out of the log. Rows never change: those
    that name them are made anew."""
    told = list(AuditEntry.objects.filter(Q(actor=user.pk) | Q(account=user.pk)))
    AuditEntry.objects.filter(pk__in=[entry.pk for entry in told]).delete()
    for entry in told:
        if entry.actor in {user.pk, None}:
            entry.address = ""
        if entry.account == user.pk and entry.kind in _OF_TOKENS:
            entry.about = f"{entry.about.partition('…')[0]}…"
        entry.actor_name = neutral if entry.actor == user.pk else entry.actor_name
        entry.account_name = neutral if entry.account == user.pk else entry.account_name
    AuditEntry.objects.bulk_create(told, batch_size=500)


def forget(before: datetime | None = None) -> int:
    """Delete what is older; by default than a year. Returns how many lines went."""
    before = before or timezone.now() - timedelta(days=AUDIT_DAYS)
    return AuditEntry.objects.filter(at__lt=before).delete()[0]

"""What the audit log tells of, and who reads which part of it. Written by `accounts.audit`."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import Q, QuerySet, TextChoices
from django.utils import timezone

from accounts.limits import AUDIT_ABOUT_CHARS, AUDIT_DAYS
from accounts.models import AuditEntry, User
from common.caller import caller, caller_address


class Kind(TextChoices):
    """What happened, in the words of a line: "ada SIGNED IN"."""

    SIGNED_UP = "signed-up", "made the account"
    SIGNED_IN = "signed-in", "signed in"
    WRONG_PASSWORD = "wrong-password", "gave a wrong password"
    WRONG_CODE = "wrong-code", "gave a wrong code of the second factor"
    LOCKED = "locked", "was kept out after too many wrong passwords or codes"
    SIGNED_OUT = "signed-out", "signed out"
    TOKEN_MADE = "token-made", "made a token"
    TOKEN_REVOKED = "token-revoked", "revoked a token"
    ADDRESS_CHANGED = "address-changed", "changed the e-mail address"
    ADDRESS_CONFIRMED = "address-confirmed", "confirmed the e-mail address"
    PASSWORD_LINK = "password-link", "made a link that sets the password"
    PASSWORD_CHANGED = "password-changed", "set another password"
    SECOND_FACTOR_ON = "second-factor-on", "turned the second factor on"
    SECOND_FACTOR_OFF = "second-factor-off", "turned the second factor off"
    RECOVERY_CODES_MADE = "recovery-codes-made", "made new recovery codes"
    RECOVERY_CODE_USED = "recovery-code-used", "used a recovery code"
    IDENTITY_TIED = "identity-tied", "tied the account to a provider"
    IDENTITY_UNTIED = "identity-untied", "untied the account from a provider"
    ALL_ENDED = "all-ended", "ended every other session and revoked all tokens"
    ACCOUNT_DELETED = "account-deleted", "deleted the account"
    SUSPENDED = "suspended", "suspended the account"
    RESTORED = "restored", "let the account in again"
    ADMINISTRATOR_APPOINTED = "administrator-appointed", "let the account use the administration"
    ADMINISTRATOR_DISMISSED = "administrator-dismissed", "took the administration from the account"
    COLLECTION_HIDDEN = "collection-hidden", "hid the collection, as administrator"
    COLLECTION_UNHIDDEN = "collection-unhidden", "hid the collection no longer, as administrator"
    COLLECTION_PURGED = "collection-purged", "deleted the collection, as administrator"
    RUN_CANCELLED = "run-cancelled", "cancelled a run, as administrator"
    QUOTA_SET = "quota-set", "set another quota"
    ROLE_OFFERED = "role-offered", "offered a role"
    OFFER_ACCEPTED = "offer-accepted", "accepted a role that was offered"
    OFFER_DECLINED = "offer-declined", "declined a role that was offered"
    OFFER_WITHDRAWN = "offer-withdrawn", "took back the offer of a role"
    ROLE_GIVEN = "role-given", "gave a role"
    ROLE_TAKEN = "role-taken", "took a role away"
    INVITED = "invited", "made an invitation link"
    INVITATION_ACCEPTED = "invitation-accepted", "took up an invitation link"
    INVITATION_REVOKED = "invitation-revoked", "revoked an invitation link"
    GOLD_PUBLISHED = "gold-published", "published a gold version"
    SUBMISSION_PUBLISHED = "submission-published", "published a submission"
    SUBMISSION_UNPUBLISHED = "submission-unpublished", "took a submission back"
    DELETED = "deleted", "deleted"


def of_account(user: User) -> QuerySet[AuditEntry]:
    """What somebody did, and what was done to their account; the latest first."""
    return AuditEntry.objects.filter(Q(account=user.pk) | Q(actor=user.pk))


def of_collection(number: int) -> QuerySet[AuditEntry]:
    """What happened to a collection's people and publications; the latest first."""
    return AuditEntry.objects.filter(collection=number)


def address_for(user: User, entry: AuditEntry) -> str:
    """From where it was done, as far as this person may know: of what they did, and of what nobody signed in did to
    their account, such as a wrong password. Where others are is not theirs to know."""
    return entry.address if entry.actor in {user.pk, None} and user.pk in {entry.actor, entry.account} else ""


# --- Writing ----------------------------------------------------------------------------------------------------------
# Services call `log` in their own transaction. A trigger keeps rows from being changed. Rows leave only by age, or are
# replaced by copies without the name of a person who has left. There are no foreign keys, because the log outlives what
# it is about.

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

"""E-mails that a person may turn off, and the switches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from accounts.models import MutedNotice, User
from accounts.notices import NOTICES, Notice
from accounts.services import mail
from accounts.services.mail import Letter


def notify(users: Iterable[User], notice: Notice, email: str, **facts: str) -> None:
    """Send an e-mail to those who want this kind, once the transaction is committed: for a few people."""
    for user in _who_want(users, notice):
        mail.send(user, email, notice=notice.key, **_with_way_out(notice, facts))


def letters(users: Iterable[User], notice: Notice, email: str, **facts: str) -> Iterator[Letter]:
    """The same for many: what a worker sends with `mail.deliver`."""
    for user in _who_want(users, notice):
        yield mail.written(user, email, notice.key, **_with_way_out(notice, facts))


def switches(user: User) -> list[tuple[Notice, bool]]:
    """Every kind, and whether this person wants it."""
    muted = set(user.muted_notices.values_list("kind", flat=True))
    return [(notice, notice.key not in muted) for notice in NOTICES]


def turn(user: User, wanted: Mapping[str, bool]) -> None:
    """Turn these kinds on and off; others stay as they are."""
    off = [key for key, on in wanted.items() if not on]
    user.muted_notices.filter(kind__in=[key for key, on in wanted.items() if on]).delete()
    MutedNotice.objects.bulk_create([MutedNotice(user=user, kind=key) for key in off], ignore_conflicts=True)


def _who_want(users: Iterable[User], notice: Notice) -> list[User]:
    reached = [user for user in users if user.email and user.is_active]
    muted = MutedNotice.objects.filter(kind=notice.key, user__in=reached).values_list("user", flat=True)
    without = set(muted) if reached else set()
    return [user for user in reached if user.pk not in without]


def _with_way_out(notice: Notice, facts: Mapping[str, str]) -> dict[str, str]:
    return {"why": notice.when, "switches": mail.link("account") + "#notices", **facts}

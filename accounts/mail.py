"""E-mails to people, and the kinds of e-mails that a person can turn off."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from enum import Enum

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend
from django.db import transaction
from django.template import Context, Engine
from django.urls import reverse

from accounts.models import MutedNotice, User
from accounts.notices import NOTICES, Notice
from accounts.throttles import Emails
from common.throttles import bucket

log = logging.getLogger(__name__)

# One thread for each process: a server that takes its time keeps other e-mails waiting, and nobody else.
_postman = ThreadPoolExecutor(1, thread_name_prefix="mail")
FAILURES_IN_A_ROW = 3
"""After which a worker takes the mail server to be away."""


class Delivery(Enum):
    """What became of an e-mail: sent, withheld from an account that had too many, or not taken by the mail server."""

    SENT = "sent"
    WITHHELD = "withheld"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Letter:
    """An e-mail to somebody, written.

    Attributes:
        notice: the kind of notice it is; "" for what concerns an account's safety. Each kind counts for itself, so that
            nobody can use up with one what another needs.
    """

    user: int
    name: str
    message: EmailMessage
    notice: str = ""


def send(user: User, name: str, *, notice: str = "", to: str = "", **facts: str) -> None:
    """Send the e-mail of this name once the transaction is committed, if the person gave an address.

    Args:
        to: another address than that of the account: the one it had before.
    """
    if to or user.email:
        post(written(user, name, notice, to=to, **facts))


def post(letter: Letter) -> None:
    """Send it once the transaction is committed."""
    transaction.on_commit(lambda: _hand_over(letter), robust=True)


def pretend(typed: str) -> None:
    """Do what `post` does but for the sending: who waits for an answer must not learn from it that there is nobody."""
    transaction.on_commit(lambda: Emails(bucket("nobody", typed)).take(), robust=True)


def written(user: User, name: str, notice: str = "", *, to: str = "", **facts: str) -> Letter:
    """The e-mail of this name.

    Its text has the person's ``account``, the address of the ``site``, and the facts. Each stays within its line: what
    somebody typed begins no header and no sentence of ours.
    """
    facts = {"account": user.get_username(), "site": settings.SITE_ADDRESS, **facts}
    lines = {fact: " ".join(value.split()) for fact, value in facts.items()}
    # Plain text: nothing is escaped in it.
    text = Engine.get_default().get_template(f"emails/{name}.txt").render(Context(lines, autoescape=False))
    subject, _, body = text.partition("\n")
    message = EmailMessage(
        subject, body.strip() + "\n", to=[to or user.email], headers={"Auto-Submitted": "auto-generated"}
    )
    return Letter(user.pk, name, message, notice)


@contextmanager
def connected() -> Iterator[BaseEmailBackend]:
    """Open one connection to the mail server for many e-mails, for workers, which may wait."""
    connection = get_connection()
    try:
        yield connection
    finally:
        connection.close()


def deliver(letter: Letter, server: BaseEmailBackend) -> Delivery:
    """Send an e-mail now, by an open connection, unless the account has had its share."""
    letter.message.connection = server
    if _is_too_many(letter):
        return Delivery.WITHHELD
    return Delivery.SENT if _deliver(letter, server) else Delivery.FAILED


def goes_out() -> bool:
    """Whether e-mails reach people; by default they are written to the terminal of the site."""
    return not settings.EMAIL_BACKEND.endswith("console.EmailBackend")


def link(view: str, *args: object) -> str:
    """The address of a page. It is never the request's word what this site is called."""
    return settings.SITE_ADDRESS + reverse(view, args=args)


def _hand_over(letter: Letter) -> None:
    if not _is_too_many(letter):
        _postman.submit(_deliver, letter)


def _deliver(letter: Letter, kept: BaseEmailBackend | None = None) -> bool:
    """Whatever goes wrong is only logged, and by its kind: the words of an error may hold the address.

    Args:
        kept: a connection that stays open for the next one.

    Returns:
        Whether the mail server did what it should.
    """
    try:
        if kept is not None:
            kept.open()
        letter.message.send()
    except Exception as error:
        log.warning("E-mail %s to account %d was not sent: %s.", letter.name, letter.user, type(error).__name__)
        return False
    return True


def _is_too_many(letter: Letter) -> bool:
    """Counts it, unless the account has had its share of such e-mails."""
    sent = Emails(f"{letter.user}-{letter.notice}" if letter.notice else letter.user)
    if sent.take():
        return False
    log.warning("E-mail %s to account %d was not sent: too many in a short time.", letter.name, letter.user)
    return True


# --- Notices that a person can turn off -------------------------------------------------------------------------------


def notify(users: Iterable[User], notice: Notice, email: str, **facts: str) -> None:
    """Send an e-mail to those who want this kind, once the transaction is committed: for a few people."""
    for user in _who_want(users, notice):
        send(user, email, notice=notice.key, **_with_way_out(notice, facts))


def letters(users: Iterable[User], notice: Notice, email: str, **facts: str) -> Iterator[Letter]:
    """The same for many: what a worker sends with `mail.deliver`."""
    for user in _who_want(users, notice):
        yield written(user, email, notice.key, **_with_way_out(notice, facts))


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
    return {"why": notice.when, "switches": link("account") + "#notices", **facts}

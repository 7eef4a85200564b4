"""Passwords: changing one, and the links by which who forgot theirs sets another.

Such a link gives the account to whoever has it. By e-mail it goes only to an address that was confirmed; where there is
none the operator makes it and hands it over (docs/decisions/accounts.md).
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.tokens import PasswordResetTokenGenerator
from django.db.models import Q, Value
from django.db.models.functions import Lower
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts import mail
from accounts.audit import Kind, log
from accounts.models import User


class _LinkTokens(PasswordResetTokenGenerator):
    """Django's: signed, with an expiry, and void once the password, the address or the last sign-in is another; and
    also once everything of the account was ended."""

    key_salt = "accounts.services.passwords"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}{user.endings}"


link_tokens = _LinkTokens()
NOBODY = User(pk=0, username="nobody")
"""For whom the work is done where there is no such account, so that an answer takes as long."""


def link(user: User) -> str:
    """A link that sets the account's password once, within `hours`."""
    return mail.link("password-set", urlsafe_base64_encode(force_bytes(user.pk)), link_tokens.make_token(user))


def link_to_hand_over(user: User) -> str:
    """The same for the operator, who hands it over by another way than e-mail; the log tells of it."""
    log(Kind.PASSWORD_LINK, account=user)
    return link(user)


def hours() -> int:
    """How long a link works."""
    return settings.PASSWORD_RESET_TIMEOUT // 3600


def send_links(typed: str) -> None:
    """Send a link to the account of this name or e-mail address, if it has a confirmed address.

    Nobody learns whether it was: the caller gets no answer, and what takes time happens in any case.
    """
    lowered = Lower(Value(typed))
    found = User.objects.alias(name=Lower("username"), address=Lower("email")).filter(
        Q(name=lowered) | Q(address=lowered), is_active=True, email_confirmed_at__isnull=False
    )
    for user in found or [NOBODY]:
        letter = mail.written(user, "password_link", "password-link", page=link(user), hours=str(hours()))
        if user is NOBODY:
            mail.pretend(typed)
        else:
            mail.post(letter)


def has_changed(user: User) -> None:
    """Note it, and tell the person: it may be somebody else who changed it."""
    log(Kind.PASSWORD_CHANGED, account=user)
    mail.send(user, "password_changed", ask=mail.link("password-forgotten"))

"""Password changes, and the links with which people who forgot their password set a new one.

Anyone who has such a link can take over the account. The site sends it only to a confirmed e-mail address. For an
account without one, the operator makes the link and hands it over (docs/decisions/accounts.md).
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
    """Django's generator of signed tokens that expire.

    A token becomes invalid when the password, the e-mail address or the time of the last sign-in changes. It also
    becomes invalid when the person signs out everywhere.
    """

    key_salt = "accounts.services.passwords"

    def _make_hash_value(self, user: User, timestamp: int) -> str:
        return f"{super()._make_hash_value(user, timestamp)}{user.endings}"


link_tokens = _LinkTokens()
NOBODY = User(pk=0, username="nobody")
"""For whom the work is done where there is no such account, so that an answer takes as long."""


def link(user: User) -> str:
    """Return a link that sets the account's password once, within `hours`."""
    return mail.link("password-set", urlsafe_base64_encode(force_bytes(user.pk)), link_tokens.make_token(user))


def link_to_hand_over(user: User) -> str:
    """Return a password link that the operator hands over by other means than e-mail. The audit log records it."""
    log(Kind.PASSWORD_LINK, account=user)
    return link(user)


def hours() -> int:
    """Return the number of hours for which a link works."""
    return settings.PASSWORD_RESET_TIMEOUT // 3600


def send_links(typed: str) -> None:
    """Send a link to the account with this user name or e-mail address, if its address is confirmed.

    Nobody learns whether a link was sent: there is no return value, and the slow steps happen in every case.
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
    """Log the change and notify the account's owner, because somebody else may have changed the password."""
    log(Kind.PASSWORD_CHANGED, account=user)
    mail.send(user, "password_changed", ask=mail.link("password-forgotten"))

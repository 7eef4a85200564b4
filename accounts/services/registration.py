"""Creation of accounts, and of the links that let people sign up on sites that need an invitation."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.db.models.functions import Now
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from accounts import mail, signup_policy
from accounts.audit import Kind, log
from accounts.limits import (
    MOST_SIGN_UP_LINK_DAYS,
    MOST_SIGN_UP_LINK_USES,
    NOTE_CHARS,
    SHOWN_TOKEN_CHARS,
    SIGN_UP_LINK_DAYS,
)
from accounts.models import SignUpLink, User
from accounts.services.account import ask_to_confirm
from accounts.signup_policy import Voucher
from accounts.throttles import SignUps
from common.digests import digest
from common.throttles import refused


class NotInvited(Exception):  # noqa: N818  # an expected condition: the last use of the link is gone
    """The link with which the person arrived no longer allows an account."""


def open_account(
    request: HttpRequest,
    form: ModelForm[User],
    came_by: str,
    make: Callable[[], User],
    again: Callable[[], HttpResponse],
) -> User | HttpResponse:
    """Make an account from a valid form. If this fails, return the form with the reason.

    Args:
        came_by: the URL that allows the account. This uses it up.
        make: stores the account.
        again: returns the page with the form.

    Raises:
        NotInvited: no link currently allows this person an account.
    """
    made = SignUps(request)
    if not made.take():
        form.add_error(None, "Too many new accounts from your address. Try again later.")
        return refused(again(), made.wait())
    try:
        with transaction.atomic():
            if not signup_policy.use(came_by):
                raise NotInvited
            user = make()
            if not user.email_confirmed_at:
                ask_to_confirm(user)
    except (NotInvited, ValidationError):
        made.give_back()
        raise
    except IntegrityError:  # a concurrent request took the name, or one that looks like it
        made.give_back()
        form.full_clean()
        if form.is_valid():
            raise
        return again()
    log(Kind.SIGNED_UP, actor=user, account=user)
    messages.success(request, f"Welcome, {user.get_username()}. Your account is ready.")
    return user


# --- Sign-up links ----------------------------------------------------------------------------------------------------
# As with tokens, the secret has 256 random bits. It is displayed once, and the database stores only its SHA-256.


def create(*, note: str = "", most_uses: int = 1, days: int = SIGN_UP_LINK_DAYS) -> tuple[SignUpLink, str]:
    """Make a link. Return it with its URL, which cannot be retrieved later.

    Raises:
        ValidationError: the note is too long, or the number of uses or days is out of range.
    """
    problems = []
    if len(note) > NOTE_CHARS:
        problems.append(f"The note has {len(note)} characters: at most {NOTE_CHARS}.")
    if not 1 <= most_uses <= MOST_SIGN_UP_LINK_USES:
        problems.append(f"{most_uses} uses: 1 to {MOST_SIGN_UP_LINK_USES:,} people.")
    if not 1 <= days <= MOST_SIGN_UP_LINK_DAYS:
        problems.append(f"{days} days: 1 to {MOST_SIGN_UP_LINK_DAYS} days.")
    if problems:
        raise ValidationError(problems)
    # `manage.py sign_up_link --revoke` takes the first characters of the secret. The secret is hexadecimal because
    # base64 may begin with "-", which looks like an option.
    secret = secrets.token_hex(32)
    made = SignUpLink.objects.create(
        note=note,
        prefix=secret[:SHOWN_TOKEN_CHARS],
        sha256=digest(secret),
        most_uses=most_uses,
        expires_at=timezone.now() + timedelta(days=days),
    )
    return made, mail.link("sign-up-by-link", secret)


def revoke(prefix: str) -> int:
    """Revoke the links that begin with this prefix, at once. Return how many there were.

    Accounts that were made with these links remain.
    """
    return SignUpLink.objects.filter(prefix__startswith=prefix, revoked_at=None).update(revoked_at=Now())


def working() -> QuerySet[SignUpLink]:
    """Return all links with which an account can still be made."""
    return SignUpLink.objects.filter(revoked_at=None, used__lt=F("most_uses"), expires_at__gt=timezone.now())


def is_good(token: str) -> bool:
    """True if the link with this secret still lets somebody make an account."""
    return working().filter(sha256=digest(token)).exists()


def use(token: str) -> bool:
    """Count one account. Return False if the link no longer works."""
    # This is a single statement, so that two simultaneous requests cannot both take the last use.
    return bool(working().filter(sha256=digest(token)).update(used=F("used") + 1))


VOUCHER = Voucher(is_good, use)

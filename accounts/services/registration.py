"""Make accounts, and the links that let people make one where that takes an invitation."""

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


class NotInvited(Exception):  # noqa: N818  # nothing is wrong: the last use of what vouched is gone
    """What they came by vouches for nobody any more."""


def open_account(
    request: HttpRequest,
    form: ModelForm[User],
    came_by: str,
    make: Callable[[], User],
    again: Callable[[], HttpResponse],
) -> User | HttpResponse:
    """A new account by a valid form, or the form again, which then says why there is none.

    Args:
        came_by: the address of what vouches for them, which is used up by this.
        make: stores the account.
        again: the page with the form.

    Raises:
        NotInvited: nothing vouches for them now.
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
    except IntegrityError:  # somebody else took the name, or one that looks like it, in this instant
        made.give_back()
        form.full_clean()
        if form.is_valid():
            raise
        return again()
    log(Kind.SIGNED_UP, actor=user, account=user)
    messages.success(request, f"Welcome, {user.get_username()}. Your account is ready.")
    return user


# --- Sign-up links ----------------------------------------------------------------------------------------------------
# As with tokens, the secret has 256 random bits. It is shown once and stored as its SHA-256.


def create(*, note: str = "", most_uses: int = 1, days: int = SIGN_UP_LINK_DAYS) -> tuple[SignUpLink, str]:
    """A new link and its address, which is nowhere to be had again.

    Raises:
        ValidationError: too long a note; uses or days out of range.
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
    # Its beginning is what `manage.py sign_up_link --revoke` takes: base64 may begin with "-", as an option does.
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
    """Make links that begin so useless at once; how many there were. Who came by them stays."""
    return SignUpLink.objects.filter(prefix__startswith=prefix, revoked_at=None).update(revoked_at=Now())


def working() -> QuerySet[SignUpLink]:
    """Every link by which somebody may still make an account."""
    return SignUpLink.objects.filter(revoked_at=None, used__lt=F("most_uses"), expires_at__gt=timezone.now())


def is_good(token: str) -> bool:
    """Whether somebody may make an account by the link with this secret."""
    return working().filter(sha256=digest(token)).exists()


def use(token: str) -> bool:
    """Count one account; False if the link works no more."""
    # One statement, so that two people at once are not both the last.
    return bool(working().filter(sha256=digest(token)).update(used=F("used") + 1))


VOUCHER = Voucher(is_good, use)

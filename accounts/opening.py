"""Opening an account: what is the same whether this site or a provider of sign-in knows the person."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse

from accounts import vouchers
from accounts.audit import Kind
from accounts.models import User
from accounts.services.addresses import ask_to_confirm
from accounts.services.audit import log
from accounts.throttles import SignUps
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
            if not vouchers.use(came_by):
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

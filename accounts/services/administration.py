"""Suspend and restore accounts, and appoint administrators."""

from __future__ import annotations

from django.contrib.auth.models import Permission
from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils import timezone

from accounts import mail
from accounts.audit import Kind, log
from accounts.models import User
from accounts.services.session_revocation import end_everything


def suspend(user: User, by: User, reason: str) -> None:
    """End all sessions, revoke all tokens, and block sign-in to the account until it is restored.

    Raises:
        ValidationError: the account is the administrator's own or another administrator's, or sign-in is already
            impossible.
    """
    if user.has_perm("accounts.administer"):
        raise ValidationError("This is an administrator's account. The operator takes that away first.")
    with transaction.atomic():
        if not _change(user, is_active=True, suspended_at=timezone.now(), reason=reason):
            raise ValidationError("Nobody may sign in to this account anyway.")
        end_everything(user)
        log(Kind.SUSPENDED, actor=by, account=user, about=reason)
        mail.send(user, "account_suspended", reason=reason)


def restore(user: User, by: User, reason: str) -> None:
    """Restore a suspended account, so that the person can sign in again.

    Raises:
        ValidationError: the account is not suspended.
    """
    with transaction.atomic():
        if user.suspended_at is None or not _change(user, is_active=False, suspended_at=None, reason=""):
            raise ValidationError("This account is not suspended.")
        log(Kind.RESTORED, actor=by, account=user, about=reason)
        mail.send(user, "account_restored", page=mail.link("sign-in"))


def _change(user: User, *, is_active: bool, suspended_at: object, reason: str) -> bool:
    rows = User.objects.filter(pk=user.pk, is_active=is_active, deleted_at=None)
    changed = rows.update(is_active=not is_active, suspended_at=suspended_at, suspended_for=reason)
    user.refresh_from_db()
    return bool(changed)


# --- Administrators ---------------------------------------------------------------------------------------------------


def appoint(user: User) -> bool:
    """Let a user use the admin site. Return False if they already can."""
    return _turn(user, on=True)


def dismiss(user: User) -> bool:
    """Withdraw a user's access to the admin site. Return False if they have none."""
    return _turn(user, on=False)


def _turn(user: User, *, on: bool) -> bool:
    permission = Permission.objects.get(content_type__app_label="accounts", codename="administer")
    with transaction.atomic():
        if user.user_permissions.filter(pk=permission.pk).exists() == on:
            return False
        (user.user_permissions.add if on else user.user_permissions.remove)(permission)
        log(Kind.ADMINISTRATOR_APPOINTED if on else Kind.ADMINISTRATOR_DISMISSED, account=user)
    return True

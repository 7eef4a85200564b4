"""Who may use the administration."""

from __future__ import annotations

from django.contrib.auth.models import Permission
from django.db import transaction

from accounts.audit import Kind
from accounts.models import User
from accounts.services.audit import log


def appoint(user: User) -> bool:
    """Let somebody use the administration; False if they may already."""
    return _turn(user, on=True)


def dismiss(user: User) -> bool:
    """Take that away; False if they may not anyway."""
    return _turn(user, on=False)


def _turn(user: User, *, on: bool) -> bool:
    permission = Permission.objects.get(content_type__app_label="accounts", codename="administer")
    with transaction.atomic():
        if user.user_permissions.filter(pk=permission.pk).exists() == on:
            return False
        (user.user_permissions.add if on else user.user_permissions.remove)(permission)
        log(Kind.ADMINISTRATOR_APPOINTED if on else Kind.ADMINISTRATOR_DISMISSED, account=user)
    return True

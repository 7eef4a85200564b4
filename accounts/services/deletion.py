"""What an account itself holds of a person, and taking it out."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from accounts.audit import Kind
from accounts.models import Identity, RecoveryCode, RetiredName, SecondFactor, User
from accounts.services import audit, mail, tokens
from accounts.services.audit import log


def neutral_name(user: User) -> str:
    """What stands for a person who left. It has spaces, so nobody can sign up under it."""
    return f"deleted account {user.pk}"


def forget(user: User) -> None:
    """Take name, address, password, second factor, tokens, notices and the traces of signing in out of an account and
    the audit log.

    The row stays, inactive and under a neutral name. The name is nobody's again: what others wrote names people, and
    whoever had it next would be taken for who had it before. The person is told by e-mail, for the last time.
    """
    name = user.get_username()
    with transaction.atomic():
        mail.send(user, "account_deleted")
        for token in user.api_tokens.all():
            tokens.revoke(token)
        user.muted_notices.all().delete()
        for personal in (Identity, SecondFactor, RecoveryCode):
            personal._default_manager.filter(user=user).delete()
        user.groups.clear()
        user.user_permissions.clear()
        RetiredName.objects.get_or_create(sha256=RetiredName.digest(name))
        user.username = neutral_name(user)
        user.email = user.first_name = user.last_name = ""
        user.email_confirmed_at = user.last_login = user.suspended_at = None
        user.suspended_for = ""
        user.is_active = user.is_staff = user.is_superuser = False
        user.endings += 1
        user.set_unusable_password()
        user.save()
        log(Kind.ACCOUNT_DELETED, actor=user, account=user)
        audit.rename(user, user.get_username())
        User.objects.filter(pk=user.pk).update(deleted_at=Now())

"""Make an account, change and confirm its e-mail address, and erase what it holds of a person."""

from __future__ import annotations

import secrets
from datetime import timedelta

from django.core import signing
from django.db import transaction
from django.db.models.functions import Now

from accounts import audit, mail
from accounts.audit import Kind, log
from accounts.limits import CONFIRM_DAYS
from accounts.models import Identity, RecoveryCode, RetiredName, SecondFactor, User
from accounts.names import check_new, find_user
from accounts.services import tokens

SALT = "accounts.address"


def change_address(user: User, address: str) -> bool:
    """Keep another address, or none; the one before is told, as it may be somebody else who changes it.

    The new one is not confirmed; it gets a link that does so.

    Returns:
        Whether it is another one.
    """
    before = user.email
    if address == before:
        return False
    change = "gave another e-mail address" if address else "took your e-mail address out"
    with transaction.atomic():
        user.email, user.email_confirmed_at = address, None
        user.save(update_fields=["email", "email_confirmed_at"])
        log(Kind.ADDRESS_CHANGED, account=user, about="" if address else "to none")
        if before:
            mail.send(user, "address_changed", to=before, change=change)
        ask_to_confirm(user)
    return True


def ask_to_confirm(user: User) -> None:
    """Send the link that confirms the address, where mail goes out and there is one."""
    if mail.goes_out():
        page = mail.link("email-confirm", signing.dumps([user.pk, user.email], salt=SALT))
        mail.send(user, "address_confirm", notice="confirm", page=page, days=str(CONFIRM_DAYS))


def is_meant(user: User, secret: str) -> bool:
    """Whether a link was made for this account and the address it has now, and has not expired."""
    try:
        meant = signing.loads(secret, salt=SALT, max_age=timedelta(days=CONFIRM_DAYS))
    except signing.BadSignature:
        return False
    return bool(meant == [user.pk, user.email])


def confirm(user: User) -> None:
    """The person who is signed in got what was sent to the address they have."""
    with transaction.atomic():
        if User.objects.filter(pk=user.pk, email=user.email).update(email_confirmed_at=Now()):
            log(Kind.ADDRESS_CONFIRMED, account=user)


# --- Deletion ---------------------------------------------------------------------------------------------------------


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


# --- Creation by a command --------------------------------------------------------------------------------------------


def ensure_user(username: str) -> tuple[User, str | None]:
    """The account of that name, in whatever case it is written, made with a random password if there is none.

    Returns:
        The account, and its password only if it was just made: it is stored hashed and cannot be shown again.

    Raises:
        ValidationError: the name has characters or a length an account's name may not have, or was that of an account
            that was deleted.
    """
    existing = find_user(username)
    if existing is not None:
        return existing, None
    User(username=username).clean_fields(exclude={"password"})
    check_new(username)
    password = secrets.token_urlsafe(12)
    return User.objects.create_user(username, password=password), password

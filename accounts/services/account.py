"""Creation of accounts, changes and confirmation of e-mail addresses, and deletion of personal data."""

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
    """Replace or remove the e-mail address of an account, and send the new address a confirmation link.

    The previous address is notified, because somebody else may be making the change. The new address starts
    unconfirmed.

    Returns:
        True if the address changed.
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
    """Send a link that confirms the address, if the account has one and the site sends e-mails."""
    if mail.goes_out():
        page = mail.link("email-confirm", signing.dumps([user.pk, user.email], salt=SALT))
        mail.send(user, "address_confirm", notice="confirm", page=page, days=str(CONFIRM_DAYS))


def is_meant(user: User, secret: str) -> bool:
    """True if the link was made for this account and its current address, and has not expired."""
    try:
        meant = signing.loads(secret, salt=SALT, max_age=timedelta(days=CONFIRM_DAYS))
    except signing.BadSignature:
        return False
    return bool(meant == [user.pk, user.email])


def confirm(user: User) -> None:
    """Confirm the current e-mail address of the signed-in person, who received the link sent to it."""
    with transaction.atomic():
        if User.objects.filter(pk=user.pk, email=user.email).update(email_confirmed_at=Now()):
            log(Kind.ADDRESS_CONFIRMED, account=user)


# --- Deletion ---------------------------------------------------------------------------------------------------------


def neutral_name(user: User) -> str:
    """Return the name that replaces a deleted account's user name. It has spaces, so nobody can sign up with it."""
    return f"deleted account {user.pk}"


def forget(user: User) -> None:
    """Erase a person's data from their account and from the audit log.

    This removes the name, the e-mail address, the password, the second factor, the tokens, the notices and the traces
    of signing in. The row remains, inactive and with a neutral name. Nobody can take the old name again: other people's
    texts mention it, and a new owner would be mistaken for the previous one. The person receives one last e-mail.
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
    """Return the account with this name, in upper or lower case. If there is none, make it with a random password.

    Returns:
        The account, and its password if it was just made. The password is stored as a hash and cannot be displayed
            again.

    Raises:
        ValidationError: the name has invalid characters or an invalid length, or belonged to a deleted account.
    """
    existing = find_user(username)
    if existing is not None:
        return existing, None
    User(username=username).clean_fields(exclude={"password"})
    check_new(username)
    password = secrets.token_urlsafe(12)
    return User.objects.create_user(username, password=password), password

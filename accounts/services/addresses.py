"""The e-mail address of an account, and whether it is known to be its owner's."""

from __future__ import annotations

from datetime import timedelta

from django.core import signing
from django.db import transaction
from django.db.models.functions import Now

from accounts.audit import Kind
from accounts.limits import CONFIRM_DAYS
from accounts.models import User
from accounts.services import mail
from accounts.services.audit import log

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

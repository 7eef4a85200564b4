"""The e-mail address of an account."""

from __future__ import annotations

from django.db import transaction

from accounts.audit import Kind
from accounts.models import User
from accounts.services import mail
from accounts.services.audit import log


def change_address(user: User, address: str) -> bool:
    """Keep another address, or none; the one before is told, as it may be somebody else who changes it.

    Returns:
        Whether it is another one.
    """
    before = user.email
    if address == before:
        return False
    change = "gave another e-mail address" if address else "took your e-mail address out"
    with transaction.atomic():
        user.email = address
        user.save(update_fields=["email"])
        log(Kind.ADDRESS_CHANGED, account=user, about="" if address else "to none")
        if before:
            mail.send(user, "address_changed", to=before, change=change)
    return True

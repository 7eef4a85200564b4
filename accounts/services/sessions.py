"""Signing in and out, as the audit log tells of it."""

from __future__ import annotations

from accounts.audit import Kind
from accounts.models import User
from accounts.names import find_user
from accounts.services.audit import log


def signed_in(user: User, how: str = "") -> None:
    """Somebody showed who they are."""
    log(Kind.SIGNED_IN, actor=user, account=user, about=how)


def signed_out(user: User) -> None:
    """Somebody left."""
    log(Kind.SIGNED_OUT, actor=user, account=user)


def failed(name: str, *, locks: bool) -> None:
    """Somebody gave a wrong password, after which they may be locked out: that is told once, not at each further try.

    A name that nobody has is not kept: people type passwords into the wrong field.
    """
    account = find_user(name)
    log(Kind.WRONG_PASSWORD, account=account, about="" if account else "for a name that nobody has")
    if locks:
        log(Kind.LOCKED, account=account)

"""What commands of the operator about accounts share."""

from __future__ import annotations

from django.core.management.base import CommandError

from accounts.models import User
from accounts.names import find_user


def account(name: str) -> User:
    """The account of this name, in whatever case it is written.

    Raises:
        CommandError: there is none, or it may not sign in.
    """
    user = find_user(name)
    if user is None:
        raise CommandError(f"There is no account {name!r}.", returncode=2)
    if not user.is_active:
        raise CommandError(f"The account {user.get_username()!r} may not sign in.", returncode=2)
    return user

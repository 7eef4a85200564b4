"""Making accounts."""

from __future__ import annotations

import secrets

from accounts.models import User
from accounts.names import check_new, find_user


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

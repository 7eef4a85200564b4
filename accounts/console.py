"""What commands of the operator share, and those about accounts."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.names import find_user


class SiteCommand(BaseCommand):
    """Starts at once: Django's checks import every page, which takes longer than most commands. `manage.py check`,
    `serve` and the tests make them.
    """

    def execute(self, *args: Any, **options: Any) -> str | None:
        return super().execute(*args, **(options | {"skip_checks": True}))


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

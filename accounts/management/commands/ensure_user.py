"""``manage.py ensure_user USERNAME``: an account, made with a random password if there is none."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from accounts.console import SiteCommand
from accounts.services.account import ensure_user


class Command(SiteCommand):
    """Prints the password only when it is made: it is stored hashed and cannot be shown again."""

    help = "Make an account if it does not exist, and print its password once."

    def execute(self, *args: Any, **options: Any) -> str | None:
        """Without Django's checks, which import every page."""
        return super().execute(*args, **(options | {"skip_checks": True}))

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            user, password = ensure_user(options["username"])
        except ValidationError as error:
            raise CommandError(f"{options['username']!r}: {' '.join(error.messages)}", returncode=2) from None
        if password is None:
            self.stdout.write(
                f"Account {user.username!r} exists. Forgotten its password? "
                f".venv/bin/python manage.py changepassword {user.username}"
            )
        else:
            self.stdout.write(f"Account {user.username!r} made. Password (shown only now): {password}")

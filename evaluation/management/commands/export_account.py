"""``manage.py export_account USERNAME --output FILE``: export all data that the site stores about an account."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand, account
from evaluation.account_data.services import export_account


class Command(SiteCommand):
    """Write the same archive that users can download on their account page."""

    help = "Write a ZIP of all data that the site stores about an account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--output", required=True, type=Path, metavar="FILE")

    def handle(self, *args: Any, **options: Any) -> None:
        user, path = account(options["username"]), options["output"]
        with path.open("wb") as file:
            for piece in export_account(user):
                file.write(piece)
        self.stdout.write(f"{path}: {path.stat().st_size:,} bytes of {user.get_username()}.")

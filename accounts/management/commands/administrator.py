"""``manage.py administrator USERNAME``: lets somebody use the administration, or no more."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import CommandParser

from accounts.console import SiteCommand, account
from accounts.services import administration, second_factor


class Command(SiteCommand):
    """Whoever may use it sees every account and collection, suspends people and deletes collections."""

    help = "Let an account use the administration, or take that away."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--remove", action="store_true", help="take it away")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account(options["username"])
        if options["remove"]:
            administration.dismiss(user)
            self.stdout.write(f"{user.get_username()} may not use the administration.")
            return
        administration.appoint(user)
        self.stdout.write(f"{user.get_username()} may use {settings.SITE_ADDRESS}/{settings.ADMIN_PATH}")
        if settings.ADMIN_SECOND_FACTOR and not second_factor.is_on(user):
            self.stdout.write("They turn on a second factor on their account page first.")

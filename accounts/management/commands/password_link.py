"""``manage.py password_link USERNAME``: a link by which somebody who forgot their password sets another."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand, account
from accounts.services import passwords


class Command(SiteCommand):
    """Whoever has the link gets the account: it is handed over by a way on which nobody listens."""

    help = "Print a link that sets an account's password, once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account(options["username"])
        self.stdout.write(passwords.link_to_hand_over(user))
        self.stderr.write(
            f"It sets the password of {user.get_username()} once, within {passwords.hours()} hours. Whoever has it "
            f"gets the account: hand it to nobody else."
        )

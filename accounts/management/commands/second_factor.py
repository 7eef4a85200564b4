"""``manage.py second_factor USERNAME``: whether signing in takes a code; removes that for who lost their device."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand, account
from accounts.services import second_factor


class Command(SiteCommand):
    """For who lost device and recovery codes. Whoever asks for it may be somebody else: be sure of the person."""

    help = "Say whether an account has a second factor, or remove it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--remove", action="store_true", help="the password alone signs in from now on")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account(options["username"])
        if options["remove"] and second_factor.turn_off(user, by_operator=True):
            self.stdout.write(f"The second factor of {user.get_username()} is removed. They are told by e-mail.")
        elif second_factor.is_on(user):
            left = user.recovery_codes.count()
            self.stdout.write(f"{user.get_username()} has a second factor, and {left} recovery codes.")
        else:
            self.stdout.write(f"{user.get_username()} has no second factor.")

"""``manage.py sign_out USERNAME``: ends every session of an account and revokes its tokens."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand, account
from accounts.services.session_revocation import end_everything


class Command(SiteCommand):
    """For when an account, a laptop or a token got into the wrong hands. The password stays as it is."""

    help = "Sign an account out everywhere, and revoke all its tokens."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account(options["username"])
        revoked = end_everything(user)
        self.stdout.write(
            f"{user.get_username()} is signed out everywhere; {revoked} token{'' if revoked == 1 else 's'} revoked."
        )

"""``manage.py sign_up_link``: a link by which people make an account, where that takes an invitation."""

from __future__ import annotations

from typing import Any

from django.core.exceptions import ValidationError
from django.core.management.base import CommandError, CommandParser

from accounts.console import SiteCommand
from accounts.limits import SIGN_UP_LINK_DAYS
from accounts.services import registration
from accounts.signup_policy import SignUp, sign_up


class Command(SiteCommand):
    """Makes one, lists those that work, or revokes one. The link is shown once: only its hash is stored."""

    help = "Print a link by which people may make an account."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--for", dest="note", default="", metavar="WHOM", help="a note for you; sent to nobody")
        parser.add_argument("--uses", type=int, default=1, metavar="N", help="for how many people (default 1)")
        parser.add_argument("--days", type=int, default=SIGN_UP_LINK_DAYS, metavar="N", help="how long (default 14)")
        parser.add_argument("--list", action="store_true", help="show the links that work, and make none")
        parser.add_argument("--revoke", metavar="START", help="make the link useless whose secret begins so")

    def handle(self, *args: Any, **options: Any) -> None:
        if options["list"]:
            self._list()
        elif options["revoke"]:
            if not registration.revoke(options["revoke"]):
                raise CommandError(f"No link that works begins with {options['revoke']!r}.", returncode=2)
            self.stdout.write("It no longer works.")
        else:
            self._make(options)

    def _make(self, options: dict[str, Any]) -> None:
        if sign_up() == SignUp.CLOSED:
            raise CommandError("SIGN_UP is closed: set SIGN_UP=invitation, or use ensure_user.", returncode=2)
        try:
            made, address = registration.create(note=options["note"], most_uses=options["uses"], days=options["days"])
        except ValidationError as error:
            raise CommandError(" ".join(error.messages), returncode=2) from None
        self.stdout.write(address)
        people = "one person makes" if made.most_uses == 1 else f"{made.most_uses:,} people make"
        self.stderr.write(f"By it {people} an account, until {made.expires_at:%Y-%m-%d %H:%M} UTC.")

    def _list(self) -> None:
        for made in registration.working():
            self.stdout.write(
                f"{made.prefix}…  used {made.used} of {made.most_uses}, until {made.expires_at:%Y-%m-%d}"
                f"{f', for {made.note}' if made.note else ''}"
            )

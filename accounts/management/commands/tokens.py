"""``manage.py tokens USERNAME``: the tokens of somebody's programs; makes and revokes them."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandError, CommandParser

from accounts.console import SiteCommand
from accounts.forms import NewToken
from accounts.limits import TOKEN_DAYS
from accounts.models import ApiToken, User
from accounts.names import find_user
from accounts.scopes import Scope
from accounts.services import tokens


class Command(SiteCommand):
    """Prints the secret only when it is made: it is stored hashed and cannot be shown again."""

    help = "List the tokens of an account, make one, or revoke them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--make", metavar="NAME", help="make a token; the name says what it is for")
        parser.add_argument(
            "--scope",
            action="append",
            dest="scopes",
            choices=Scope.values,
            help="what it may do beside reading; may be given several times",
        )
        parser.add_argument("--days", type=int, default=TOKEN_DAYS, metavar="N", help="how long it works; 0: for ever")
        parser.add_argument("--revoke", metavar="BEGINNING", help="revoke the token that begins so, as the list shows")
        parser.add_argument("--revoke-all", action="store_true", help="revoke every token of the account")

    def handle(self, *args: Any, **options: Any) -> None:
        user = find_user(options["username"])
        if user is None:
            raise CommandError(f"There is no account {options['username']!r}.", returncode=2)
        if options["revoke"] or options["revoke_all"]:
            self._revoke(user, "" if options["revoke_all"] else options["revoke"])
        if options["make"] is not None:
            self._make(user, {"name": options["make"], "scopes": options["scopes"] or [], "days": options["days"]})
        if not (options["revoke"] or options["revoke_all"] or options["make"] is not None):
            for token in user.api_tokens.all():
                self.stdout.write(_line(token))

    def _make(self, user: User, given: dict[str, Any]) -> None:
        form = NewToken(given)
        if not form.is_valid():
            problems = [f"{name}: {' '.join(map(str, wrong))}" for name, wrong in form.errors.items()]
            raise CommandError("\n".join(problems), returncode=2)
        row, secret = tokens.create(user, **form.cleaned_data)
        self.stdout.write(f"{_line(row)}\nToken (shown only now): {secret}")

    def _revoke(self, user: User, beginning: str) -> None:
        found = [token for token in user.api_tokens.all() if beginning.startswith(token.prefix) or not beginning]
        if not found:
            raise CommandError(f"{user.get_username()} has no token that begins so.", returncode=2)
        for token in found:
            tokens.revoke(token)
            self.stdout.write(f"{token.prefix}… no longer works.")


def _line(token: ApiToken) -> str:
    """A token as a line: what is shown of it, what it may do, until when, when it was used last, and what for."""
    until = f"until {token.expires_at:%Y-%m-%d}" if token.expires_at else "for ever"
    until = f"EXPIRED, {until}" if token.is_expired else until
    used = f"{token.last_used_at:%Y-%m-%d %H:%M}" if token.last_used_at else "never"
    return f"{token.prefix}…  {token.scopes}  {until}  used {used}  {token.name!r}"

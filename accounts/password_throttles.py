"""How often passwords are asked about."""

from __future__ import annotations

from functools import cached_property

from django.http import HttpRequest

from accounts import tallies
from accounts.person import person
from accounts.throttles import SignUps, WrongSecrets


class Forgotten(SignUps):
    """Requests for a link to set a new password, from one address."""

    scope = "forgotten"


class PasswordLinks(SignUps):
    """Such requests for one name or e-mail address, whether anybody has it or not: an answer must not tell."""

    scope = "password-link"

    def __init__(self, typed: str) -> None:
        super().__init__(tallies.bucket(self.scope, typed.lower()))


class Confirmations:
    """Wrong passwords of somebody who is signed in and asked for theirs: counted for where they come from and for the
    account, as whoever found an open browser might guess."""

    def __init__(self, request: HttpRequest) -> None:
        self._request = request

    @cached_property
    def _counts(self) -> tuple[WrongSecrets, ...]:
        return WrongSecrets(self._request), WrongSecrets(f"account-{person(self._request).pk}")

    def too_many(self) -> bool:
        return any(count.too_many() for count in self._counts)

    def note(self) -> None:
        for count in self._counts:
            count.note()

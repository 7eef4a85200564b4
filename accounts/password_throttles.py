"""How often passwords are asked about."""

from __future__ import annotations

from django.http import HttpRequest

from accounts.person import person
from accounts.throttles import SignUps, Tries, WrongSecrets
from common.throttles import bucket


class Forgotten(SignUps):
    """Requests for a link to set a new password, from one address."""

    scope = "forgotten"


class PasswordLinks(SignUps):
    """Such requests for one name or e-mail address, whether anybody has it or not: an answer must not tell."""

    scope = "password-link"

    def __init__(self, typed: str) -> None:
        super().__init__(bucket(self.scope, typed.lower()))


class Confirmations(Tries):
    """Passwords of people who are signed in and asked for theirs. Wrong ones count for the account and for the address
    they come from, because a stranger at an unlocked browser might guess."""

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(WrongSecrets(f"account-{person(request).pk}"), WrongSecrets(request))

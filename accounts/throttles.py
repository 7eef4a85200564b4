"""Limits on attempts at secrets, on new accounts and on e-mails. The database counts them for all hosts."""

from __future__ import annotations

from typing import ClassVar

from django.http import HttpRequest

from accounts import rate_counters
from accounts.person import person
from common.caller import client_address
from common.host_counts import Store
from common.throttles import Counted, bucket


class ExactCount(Counted):
    """Events that the database counts for all hosts together."""

    store: ClassVar[Store] = rate_counters


class TooManyTries(Exception):  # noqa: N818  # an expected condition, which the site reports with status 429
    """The caller sent too many wrong secrets, so the site checks no more of them for some time.

    Attributes:
        wait: seconds until the next attempt is possible.
    """

    def __init__(self, wait: float) -> None:
        super().__init__(f"no try for {wait:.0f} seconds")
        self.wait = wait


class Tries:
    """An attempt at one secret. It takes a place in several counts before the secret is checked."""

    def __init__(self, *counts: Counted) -> None:
        self._counts = counts

    def take(self) -> None:
        """Take a place in every count, or in none of them.

        Raises:
            TooManyTries: one of the counts has no place left.
        """
        for number, count in enumerate(self._counts):
            if not count.take():
                for taken in self._counts[:number]:
                    taken.give_back()
                raise TooManyTries(count.wait())

    def give_back(self) -> None:
        """Give the places back, because there was no secret to check."""
        for count in self._counts:
            count.give_back()

    def was_right(self) -> None:
        """Give the places back, because the secret was correct."""
        for count in self._counts:
            count.was_right()

    @property
    def is_last(self) -> bool:
        """True if no further attempt will be checked."""
        return any(count.is_last for count in self._counts)


class WrongSecrets(ExactCount):
    """Wrong passwords and codes from one IP address, for any user names."""

    scope = "login"


class WrongForName(ExactCount):
    """Wrong passwords for one user name from one IP address. A correct password resets the count."""

    scope = "name"

    def __init__(self, name: str, request: HttpRequest) -> None:
        super().__init__(bucket(self.scope, f"{client_address(request)} {name}"))

    def was_right(self) -> None:
        self.store.forget(self.kind, self.whose)


class WrongTokens(ExactCount):
    """Wrong tokens from one IP address. They have their own count, so that somebody's script locks nobody out of
    sign-in."""

    scope = "login"
    kind = "token"


class WrongOnDevice(ExactCount):
    """Wrong passwords for one account from a browser that has signed in to it before (`accounts.services.sign_in`)."""

    scope = "device"


class WrongCodes(ExactCount):
    """Wrong second-factor codes for one account. A code has six digits, so a few attempts per day make guessing
    hopeless."""

    scope = "code"


class WrongReturns(ExactCount):
    """Failed returns from the identity provider. Each one makes the site send requests to the provider."""

    scope = "login"
    kind = "provider"


class SignUps(ExactCount):
    """New accounts from one IP address. Without this limit, one person could evade limits per person with many
    accounts."""

    scope = "sign-up"


class Emails(ExactCount):
    """E-mails to one account. Its address may be somebody else's, whom nobody should be able to flood through us."""

    scope = "e-mail"


# --- Passwords --------------------------------------------------------------------------------------------------------


class Forgotten(SignUps):
    """Requests from one IP address for a link to set a new password."""

    scope = "forgotten"


class PasswordLinks(SignUps):
    """Requests for a password link for one user name or e-mail address. Unknown ones count too, so the response reveals
    nothing."""

    scope = "password-link"

    def __init__(self, typed: str) -> None:
        super().__init__(bucket(self.scope, typed.lower()))


class Confirmations(Tries):
    """Password confirmations by people who are signed in.

    Wrong passwords count for the account and for the IP address, because a stranger at an unlocked browser might guess.
    """

    def __init__(self, request: HttpRequest) -> None:
        super().__init__(WrongSecrets(f"account-{person(request).pk}"), WrongSecrets(request))

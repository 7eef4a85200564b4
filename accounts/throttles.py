"""Limits on tries of secrets, new accounts and e-mails, counted in the database for all hosts."""

from __future__ import annotations

from typing import ClassVar

from django.http import HttpRequest

from accounts import rate_counters
from accounts.person import person
from common.caller import client_address
from common.host_counts import Store
from common.throttles import Counted, bucket


class ExactCount(Counted):
    """Events that are counted in the database, for all hosts together."""

    store: ClassVar[Store] = rate_counters


class TooManyTries(Exception):  # noqa: N818  # nothing is wrong with the site: it becomes a 429
    """The caller sent too many wrong secrets, so no more are checked for some time.

    Attributes:
        wait: seconds until the next try.
    """

    def __init__(self, wait: float) -> None:
        super().__init__(f"no try for {wait:.0f} seconds")
        self.wait = wait


class Tries:
    """A try of one secret, which takes a place in several counts before it is looked at."""

    def __init__(self, *counts: Counted) -> None:
        self._counts = counts

    def take(self) -> None:
        """Take a place in every count, or in none.

        Raises:
            TooManyTries: one of them has none.
        """
        for number, count in enumerate(self._counts):
            if not count.take():
                for taken in self._counts[:number]:
                    taken.give_back()
                raise TooManyTries(count.wait())

    def give_back(self) -> None:
        """Give the places back: there was nothing to look at."""
        for count in self._counts:
            count.give_back()

    def was_right(self) -> None:
        """Count nothing: the secret was right."""
        for count in self._counts:
            count.was_right()

    @property
    def is_last(self) -> bool:
        """True if no further try will be looked at."""
        return any(count.is_last for count in self._counts)


class WrongSecrets(ExactCount):
    """Wrong passwords and codes from one address, whatever the names."""

    scope = "login"


class WrongForName(ExactCount):
    """Wrong passwords for one name from one address. A right one resets the count."""

    scope = "name"

    def __init__(self, name: str, request: HttpRequest) -> None:
        super().__init__(bucket(self.scope, f"{client_address(request)} {name}"))

    def was_right(self) -> None:
        self.store.forget(self.kind, self.whose)


class WrongTokens(ExactCount):
    """Wrong tokens from one address. They are counted apart: nobody is kept from signing in by somebody's script."""

    scope = "login"
    kind = "token"


class WrongOnDevice(ExactCount):
    """Wrong passwords for one account from a browser that has signed in to it before (`accounts.services.sign_in`)."""

    scope = "device"


class WrongCodes(ExactCount):
    """Wrong codes of the second factor for one account: six digits, so that few tries a day are guessed by nobody."""

    scope = "code"


class WrongReturns(ExactCount):
    """People who came back from the provider with nothing good: each makes the site ask it."""

    scope = "login"
    kind = "provider"


class SignUps(ExactCount):
    """New accounts from one address: limits per person mean little where anybody can be many."""

    scope = "sign-up"


class Emails(ExactCount):
    """E-mails to one account: its address may be somebody else's, whom nobody may bury with our help."""

    scope = "e-mail"


# --- Passwords --------------------------------------------------------------------------------------------------------


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

"""Limits on tries of secrets, new accounts and e-mails. `accounts.tallies` counts them in the database: the counts are
exact for all hosts, and nobody can make the site forget them."""

from __future__ import annotations

from typing import ClassVar

from django.http import HttpRequest

from accounts import tallies
from accounts.client_address import client_address
from accounts.counting import Store
from common.throttles import Counted, bucket


class ExactCount(Counted):
    """Events that are counted in the database, for all hosts together."""

    store: ClassVar[Store] = tallies


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
    """Wrong passwords for one account from a browser that has signed in to it before (`accounts.devices`)."""

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

"""The one mechanism of all rate limits: whether something may be done now, and if not, when to try again.

`accounts.rates` has the table of limits. Requests are counted by `accounts.host_counts`, on each host for itself: that
keeps order, and no request waits for the database because of it. What guards secrets is counted by `accounts.tallies`,
in the database: it is exact for all hosts, and nobody can make the site forget it.
"""

from __future__ import annotations

import math
from datetime import timedelta

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.request import Request

from accounts import host_counts, tallies
from accounts.client_address import client_address
from accounts.counting import Place, Store
from accounts.rates import LIMITS, Where, read_rate

STORES: dict[Where, Store] = {Where.EACH_HOST: host_counts, Where.ALL_HOSTS: tallies}


def refused(answer: HttpResponse, seconds: float) -> HttpResponse:
    """The answer as one that says too much was asked for: 429, and after how many seconds to ask again."""
    answer.status_code, answer["Retry-After"] = 429, str(math.ceil(seconds))
    return answer


class Counted:
    """Events of one address, person, account or device. A limited number is allowed in a window of time.

    Args:
        whose: a request stands for its address; a number or text is counted for itself.
        scope: the name of the limit in `accounts.rates`, unless the class has one.
    """

    scope = ""
    kind = ""
    """What is counted, if several kinds of events have the same rate and are counted separately."""

    def __init__(self, whose: Request | HttpRequest | int | str, scope: str = "") -> None:
        self.scope = scope or self.scope
        self.kind = self.kind or self.scope
        rate = read_rate(settings.RATES[self.scope])
        self.limit, self.window = rate.number, timedelta(seconds=rate.seconds)
        if isinstance(whose, int | str):
            self.whose = str(whose)
        else:
            self.whose = tallies.bucket(self.kind, client_address(whose))
        self._store = STORES[LIMITS[self.scope].where]
        self._place: Place | None = None

    def take(self) -> bool:
        """Take a place for one more; False if all are taken."""
        self._place = self._store.take(self.kind, self.whose, self.window, self.limit)
        return self._place is not None

    def give_back(self) -> None:
        """Give back the place, of a try that was right or of something that did not happen."""
        if self._place is not None:
            self._store.give_back(self._place)
            self._place = None

    def was_right(self) -> None:
        """Count nothing for a secret that was right."""
        self.give_back()

    @property
    def is_last(self) -> bool:
        """True if the place that was taken is the last one."""
        return self._place is not None and self._place.number >= self.limit

    def wait(self) -> float:
        """Return the seconds until there is a place again; 0 if there is one."""
        count = self._store.so_far(self.kind, self.whose, self.window)
        if count.number < self.limit:
            return 0.0
        return max(0.0, (count.since + self.window - timezone.now()).total_seconds())


def take_page(request: HttpRequest, *, is_heavy: bool) -> float:
    """Count a request for a page. Return 0, or the seconds to wait if it is above the limit.

    Args:
        is_heavy: True if the page takes long to compute; it is counted once more then.
    """
    is_known = request.user.is_authenticated
    whose = f"person-{request.user.pk}" if is_known else request
    for scope in ["pages" if is_known else "pages-anon", *(["pages-heavy"] if is_heavy else [])]:
        count = Counted(whose, scope)
        if not count.take():
            return max(1.0, count.wait())
    return 0.0


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


class WrongSecrets(Counted):
    """Wrong passwords and codes from one address, whatever the names."""

    scope = "login"


class WrongForName(Counted):
    """Wrong passwords for one name from one address. A right one resets the count."""

    scope = "name"

    def __init__(self, name: str, request: HttpRequest) -> None:
        super().__init__(tallies.bucket(self.scope, f"{client_address(request)} {name}"))

    def was_right(self) -> None:
        self._store.forget(self.kind, self.whose)


class WrongTokens(Counted):
    """Wrong tokens from one address. They are counted apart: nobody is kept from signing in by somebody's script."""

    scope = "login"
    kind = "token"


class WrongOnDevice(Counted):
    """Wrong passwords for one account from a browser that has signed in to it before (`accounts.devices`)."""

    scope = "device"


class WrongCodes(Counted):
    """Wrong codes of the second factor for one account: six digits, so that few tries a day are guessed by nobody."""

    scope = "code"


class WrongReturns(Counted):
    """People who came back from the provider with nothing good: each makes the site ask it."""

    scope = "login"
    kind = "provider"


class SignUps(Counted):
    """New accounts from one address: limits per person mean little where anybody can be many."""

    scope = "sign-up"


class Emails(Counted):
    """E-mails to one account: its address may be somebody else's, whom nobody may bury with our help."""

    scope = "e-mail"

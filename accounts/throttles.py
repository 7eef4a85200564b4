"""How often one may ask. Rates stand in the settings.

What keeps order is counted in Django's cache, which all processes share: not atomic, and forgotten where the cache is
full. What guards secrets is counted in the database (`accounts.tallies`).
"""

from __future__ import annotations

import math
from datetime import timedelta
from threading import Lock
from typing import ClassVar

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.throttling import SimpleRateThrottle

from accounts import tallies
from accounts.client_address import client_address


def refused(answer: HttpResponse, seconds: float) -> HttpResponse:
    """The answer as one that says too much was asked for: 429, and after how many seconds to ask again."""
    answer.status_code, answer["Retry-After"] = 429, str(math.ceil(seconds))
    return answer


class FromSettings(SimpleRateThrottle):
    """Reads its rate when it is used, not when it is imported, so that an override takes effect."""

    # So many requests within so many seconds; set by `SimpleRateThrottle`.
    num_requests: int
    duration: int
    history: list[float]
    now: float

    def get_rate(self) -> str:
        rate: str = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"][str(self.scope)]
        return rate

    def parse_rate(self, rate: str) -> tuple[int, int]:  # type: ignore[override]  # the stubs allow None, for no limit
        """Read a rate such as ``20/min`` or ``10/15min``: how many, within how many seconds."""
        number, _, period = rate.partition("/")
        unit = period.lstrip("0123456789")
        return int(number), int(period.removesuffix(unit) or 1) * {"s": 1, "m": 60, "h": 3600, "d": 86400}[unit[0]]

    def get_ident(self, request: Request | HttpRequest) -> str:
        return client_address(request)

    def throttle_failure(self) -> bool:
        """Requests of the future are from before the clock was set back: nobody waits until it is that time again."""
        if self.history[0] <= self.now + self.duration:
            return False
        self.history = []
        return bool(self.throttle_success())


TOLD_PARTS = 100


class InWindows(FromSettings):
    """Counted per clock minute (or whatever the rate says) in each process, which tells the others through the cache
    after every hundredth of the limit: asking the cache each time would take longer than many of the answers."""

    _guard = Lock()
    _counts: ClassVar[dict[str, tuple[int, int]]] = {}
    """Of the present window, by key: what all processes had told when this one last asked, and its own since."""

    def allows(self, who: str) -> bool:
        """Count one more request; whether it is within the limit."""
        self.now = self.timer()
        window = int(self.now // self.duration)
        key = self.cache_format % {"scope": self.scope, "ident": f"{who}-{window}"}
        with self._guard:
            if key not in self._counts:
                self._forget(window)
            told, own = self._counts.get(key) or (self.cache.get(key, 0), 0)
            own += 1
            if own >= max(1, self.num_requests // TOLD_PARTS):
                # The cache may have forgotten what this process was told before.
                told, own = max(told, self.cache.get(key, 0)) + own, 0
                self.cache.set(key, told, self.duration)
            self._counts[key] = told, own
        return told + own <= self.num_requests

    @classmethod
    def forget_all(cls) -> None:
        """Begin anew in this process."""
        with cls._guard:
            cls._counts.clear()

    def _forget(self, window: int) -> None:
        """Counts of earlier windows of this scope go."""
        prefix = self.cache_format % {"scope": self.scope, "ident": ""}
        old = [key for key in self._counts if key.startswith(prefix) and not key.endswith(f"-{window}")]
        for key in old:
            del self._counts[key]

    def wait(self) -> float:
        """Seconds until counting begins anew."""
        seconds: float = self.duration - self.now % self.duration
        return seconds


class Pages(InWindows):
    """Pages, their files and what they ask for while they are open, of one person or address."""

    def __init__(self, scope: str) -> None:
        self.scope = scope
        super().__init__()

    @classmethod
    def refused(cls, request: HttpRequest, *, heavy: bool) -> Pages | None:
        """Count a request; the limit it is beyond, if it is.

        Args:
            heavy: whether what it asks for takes long to work out; that is counted once more, by itself.
        """
        person = request.user.pk if request.user.is_authenticated else None
        scopes = ["pages" if person else "pages-anon", *(["pages-heavy"] if heavy else [])]
        who = f"person-{person}" if person else client_address(request)
        return next((limit for limit in map(cls, scopes) if not limit.allows(who)), None)


class TooManyTries(Exception):  # noqa: N818  # nothing is wrong with the site: it becomes a 429
    """The caller got so many secrets wrong that no other one is looked at for some time.

    Attributes:
        wait: seconds until the next try.
    """

    def __init__(self, wait: float) -> None:
        super().__init__(f"no try for {wait:.0f} seconds")
        self.wait = wait


class Counted(FromSettings):
    """Things of one address, account or device, of which so many are allowed in a window of time.

    Args:
        whose: a request stands for its address; a number or text is counted for itself.
    """

    kind = ""
    """What is counted; `scope` says how many of it are allowed, and may be the scope of other kinds, too."""

    def __init__(self, whose: Request | HttpRequest | int | str) -> None:
        super().__init__()
        self.kind = self.kind or str(self.scope)
        if isinstance(whose, int | str):
            self.whose = str(whose)
        else:
            self.whose = tallies.bucket(self.kind, self.get_ident(whose))
        self.window = timedelta(seconds=self.duration)
        self._place: tallies.Place | None = None

    def take(self) -> bool:
        """Take a place for one more; False if all are taken."""
        self._place = tallies.take(self.kind, self.whose, self.window, self.num_requests)
        return self._place is not None

    def give_back(self) -> None:
        """Give back the place, of a try that was right or of something that did not happen."""
        if self._place is not None:
            tallies.give_back(self._place)
            self._place = None

    def was_right(self) -> None:
        """Count nothing for a secret that was right."""
        self.give_back()

    @property
    def is_last(self) -> bool:
        """True if the place that was taken is the last one."""
        return self._place is not None and self._place.number >= self.num_requests

    def wait(self) -> float:
        """Return the seconds until there is a place again; 0 if there is one."""
        count = tallies.so_far(self.kind, self.whose, self.window)
        if count.number < self.num_requests:
            return 0.0
        return max(0.0, (count.since + self.window - timezone.now()).total_seconds())


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
        super().__init__(tallies.bucket(self.scope, f"{self.get_ident(request)} {name}"))

    def was_right(self) -> None:
        tallies.forget(self.kind, self.whose)


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

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


class _Noted(FromSettings):
    """Things of one address, account or device that are counted one by one, where they happen.

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
        self.count = tallies.so_far(self.kind, self.whose, self.window)

    def too_many(self) -> bool:
        return self.count.number >= self.num_requests

    def is_last(self) -> bool:
        """Whether one more is the last that is allowed."""
        return self.count.number + 1 == self.num_requests

    def note(self) -> None:
        """Count one more."""
        tallies.one_more(self.kind, self.whose, self.window)

    def wait(self) -> float:
        """Seconds until one more try is allowed."""
        return max(0.0, (self.count.since + self.window - timezone.now()).total_seconds())


class WrongSecrets(_Noted):
    """Wrong passwords from one address, whatever the names. Right ones are not counted."""

    scope = "login"


class WrongTokens(_Noted):
    """Wrong tokens from one address. They are counted apart: nobody is kept from signing in by somebody's script."""

    scope = "login"
    kind = "token"


class WrongOnDevice(_Noted):
    """Wrong passwords for one account from a browser that has signed in to it before (`accounts.devices`)."""

    scope = "device"


class WrongCodes(_Noted):
    """Wrong codes of the second factor for one account: six digits, so that few tries a day are guessed by nobody."""

    scope = "code"


class WrongReturns(_Noted):
    """People who came back from the provider with nothing good: each makes the site ask it."""

    scope = "login"
    kind = "provider"


class SignUps(_Noted):
    """New accounts from one address: limits per person mean little where anybody can be many."""

    scope = "sign-up"


class Emails(_Noted):
    """E-mails to one account: its address may be somebody else's, whom nobody may bury with our help."""

    scope = "e-mail"

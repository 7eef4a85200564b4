"""How often one may ask. Rates stand in the settings; the counts lie in Django's cache, which all processes share.

Counting is not atomic (two requests in one instant may count as one): the limits keep order, they are not a promise.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.conf import settings
from django.http import HttpRequest
from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, SimpleRateThrottle, UserRateThrottle

if TYPE_CHECKING:  # the framework loads throttles while it loads its views
    from rest_framework.views import APIView


class _FromSettings(SimpleRateThrottle):
    """Reads its rate when it is used, not when it is imported, so that an override takes effect."""

    def get_rate(self) -> str | None:
        rates: dict[str, str] = settings.REST_FRAMEWORK["DEFAULT_THROTTLE_RATES"]
        return rates[str(self.scope)]


class Anonymous(_FromSettings, AnonRateThrottle):
    """Requests of one address without a token or session."""


class Person(_FromSettings, UserRateThrottle):
    """Requests of one person, whatever token they use."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return super().get_cache_key(request, view) if request.user.is_authenticated else None


class Uploads(_FromSettings):
    """Files sent in by one person (or address)."""

    scope = "upload"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if request.method != "POST":
            return None
        who = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}


class DraftWork(_FromSettings):
    """Requests of one person about drafts: browsers ask every second, and quick hands place many pages a minute.

    Counted per clock minute (or whatever the rate says): the others keep the time of every request, which for thousands
    of them takes longer than the work itself.
    """

    scope = "drafts"

    def allow_request(self, request: Request, view: APIView) -> bool:
        if not request.user.is_authenticated or self.num_requests is None:
            return True
        self.now = self.timer()
        window = f"{request.user.pk}-{int(self.now // self.duration)}"
        key = self.cache_format % {"scope": self.scope, "ident": window}
        count: int = self.cache.get(key, 0)
        self.cache.set(key, count + 1, self.duration)
        return count < self.num_requests

    def wait(self) -> float:
        """Seconds until counting begins anew."""
        seconds: float = self.duration - self.now % self.duration
        return seconds


class _Noted(_FromSettings):
    """Things of one address that are counted one by one, where they happen."""

    def __init__(self, request: Request | HttpRequest) -> None:
        super().__init__()
        self.key = self.cache_format % {"scope": self.scope, "ident": self.get_ident(request)}  # type: ignore[arg-type]  # REST framework types its own request here
        self.now = self.timer()
        history: list[float] = self.cache.get(self.key, [])
        self.history = [at for at in history if at > self.now - (self.duration or 0)]

    def too_many(self) -> bool:
        return self.num_requests is not None and len(self.history) >= self.num_requests

    def note(self) -> None:
        """Count one more."""
        self.cache.set(self.key, [self.now, *self.history], self.duration)

    def wait(self) -> float:
        """Seconds until one more try is allowed."""
        return (self.duration or 0) - (self.now - self.history[-1])


class WrongSecrets(_Noted):
    """Wrong tokens and passwords from one address. Right ones are not counted, so nobody is slowed down by them."""

    scope = "login"


class SignUps(_Noted):
    """New accounts from one address: limits per person mean little where anybody can be many."""

    scope = "sign-up"


PER_UPLOAD = (Anonymous, Person, Uploads)
"""For views that take files."""
DRAFT_WORK = (Anonymous, DraftWork)
"""For views that browsers at work on a draft ask all the time."""

"""How often one may ask the API; rates and counts as in `accounts.throttles`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from accounts.throttles import FromSettings

if TYPE_CHECKING:  # the framework loads throttles while it loads its views
    from rest_framework.views import APIView


class Anonymous(FromSettings, AnonRateThrottle):
    """Requests of one address without a token or session."""


class Person(FromSettings, UserRateThrottle):
    """Requests of one person, whatever token they use."""

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        return super().get_cache_key(request, view) if request.user.is_authenticated else None


class Uploads(FromSettings):
    """Files sent in by one person (or address)."""

    scope = "upload"

    def get_cache_key(self, request: Request, view: APIView) -> str | None:
        if request.method != "POST":
            return None
        who = request.user.pk if request.user.is_authenticated else self.get_ident(request)
        return self.cache_format % {"scope": self.scope, "ident": who}


class DraftWork(FromSettings):
    """Requests of one person about drafts: browsers ask every second, and quick hands place many pages a minute.

    Counted per clock minute (or whatever the rate says): the others keep the time of every request, which for thousands
    of them takes longer than the work itself.
    """

    scope = "drafts"

    def allow_request(self, request: Request, view: APIView) -> bool:
        if not request.user.is_authenticated:
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


PER_UPLOAD = (Anonymous, Person, Uploads)
"""For views that take files."""
DRAFT_WORK = (Anonymous, DraftWork)
"""For views that browsers at work on a draft ask all the time."""

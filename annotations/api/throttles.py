"""How often one may ask the API; rates and counts as in `accounts.throttles`."""

from __future__ import annotations

from threading import Lock
from typing import TYPE_CHECKING, ClassVar

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

    Counted per clock minute (or whatever the rate says) in each process, which tells the others through the cache after
    every hundredth of the limit: asking the cache each time would take longer than half of the requests themselves.
    """

    scope = "drafts"
    _guard = Lock()
    _counts: ClassVar[dict[str, tuple[int, int]]] = {}
    """Of the present window, by key: what all processes had told when this one last asked, and its own since."""

    def allow_request(self, request: Request, view: APIView) -> bool:
        if not request.user.is_authenticated:
            return True
        self.now = self.timer()
        window = int(self.now // self.duration)
        key = self.cache_format % {"scope": self.scope, "ident": f"{request.user.pk}-{window}"}
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

    def _forget(self, window: int) -> None:
        """Counts of earlier windows go."""
        for key in [key for key in self._counts if not key.endswith(f"-{window}")]:
            del self._counts[key]

    def wait(self) -> float:
        """Seconds until counting begins anew."""
        seconds: float = self.duration - self.now % self.duration
        return seconds


TOLD_PARTS = 100
PER_UPLOAD = (Anonymous, Person, Uploads)
"""For views that take files."""
DRAFT_WORK = (Anonymous, DraftWork)
"""For views that browsers at work on a draft ask all the time."""

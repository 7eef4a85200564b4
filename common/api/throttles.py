"""How often one may ask the API; the limits are in `common.rates`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from common.throttles import Counted

if TYPE_CHECKING:  # the framework loads throttles while it loads its views
    from rest_framework.views import APIView


class Limited(BaseThrottle):
    """One of the limits, as the framework asks for it."""

    scope: str

    def applies(self, request: Request) -> bool:
        """Return True if the limit is about this request."""
        raise NotImplementedError

    def allow_request(self, request: Request, view: APIView) -> bool:
        if not self.applies(request):
            return True
        whose = f"person-{request.user.pk}" if request.user.is_authenticated else request
        self._count = Counted(whose, self.scope)
        return self._count.take()

    def wait(self) -> float:
        return max(1.0, self._count.wait())


class Anonymous(Limited):
    """Requests of one address without a token or session."""

    scope = "anon"

    def applies(self, request: Request) -> bool:
        return not request.user.is_authenticated


class Person(Limited):
    """Requests of one person, whatever token they use."""

    scope = "user"

    def applies(self, request: Request) -> bool:
        return request.user.is_authenticated


class Uploads(Limited):
    """Files sent in by one person (or address)."""

    scope = "upload"

    def applies(self, request: Request) -> bool:
        return request.method == "POST"


class DraftWork(Limited):
    """Requests of one person about drafts: browsers ask every second, and quick hands place many pages a minute."""

    scope = "drafts"

    def applies(self, request: Request) -> bool:
        return request.user.is_authenticated


PER_UPLOAD = (Anonymous, Person, Uploads)
"""For views that take files."""
DRAFT_WORK = (Anonymous, DraftWork)
"""For views that browsers at work on a draft ask all the time."""

"""How often one may ask the API; rates and counts as in `accounts.throttles`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.request import Request
from rest_framework.throttling import AnonRateThrottle, UserRateThrottle

from accounts.throttles import FromSettings, InWindows

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


class DraftWork(InWindows):
    """Requests of one person about drafts: browsers ask every second, and quick hands place many pages a minute."""

    scope = "drafts"

    def allow_request(self, request: Request, view: APIView) -> bool:
        return not request.user.is_authenticated or self.allows(str(request.user.pk))


PER_UPLOAD = (Anonymous, Person, Uploads)
"""For views that take files."""
DRAFT_WORK = (Anonymous, DraftWork)
"""For views that browsers at work on a draft ask all the time."""

"""Addresses that take a place for slow work first, so that plain pages come however many ask for these at once.

Some work something out in the request (`COMPUTED`, `IN_API`). Others look up answers (`ANSWERED`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from accounts.capacity import CrowdedError, slow_work
from qc4site.error_pages import crowded
from qc4site.page_limits import API, COMPUTED, STORED, is_heavy

if TYPE_CHECKING:  # the framework loads permissions while it loads its views
    from rest_framework.views import APIView

IN_API = frozenset(
    {
        *("clustering", "heat-map"),
        *("gold", "gold-version", "draft-adjudication", "draft-publish"),
        *("draft-document", "draft-predictions", "draft-groups", "draft-suggestions"),
        *("submission-scores", "scores", "stream-series", "stream-submission-file"),
    }
)
"""What the API works out each time, by the names of its addresses."""
WHILE_WORKING = frozenset(
    {"adjudicate", "draft-adjudication", "draft-predictions", "draft-groups", "draft-suggestions"}
)
"""What an open page asks for by itself while a person works on it. Several such requests of one person may run at once:
a page that looks for news must not turn away what the person does on it."""
ANSWERED = STORED | frozenset(
    {
        *("explain", "what-if", "chance", "alike", "matrix", "leaderboard-json"),
        *("agreement-all",),
    }
)
"""What looks up answers, in pages and the API. That is quick, but where very many ask at once, plain pages go first."""
_STACK = "_places"


class SlowAddresses:
    """Middleware: takes the place for a page, and gives back what a page or the API took once the answer is sent."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        with ExitStack() as places:
            setattr(request, _STACK, places)
            response = self._get_response(request)
            if isinstance(response, StreamingHttpResponse) and not isinstance(response, FileResponse):
                # It is made while it is sent. Django calls these when that has ended, however it ended.
                response._resource_closers.append(places.pop_all().close)  # it has no public name
            return response

    def process_view(self, request: HttpRequest, *_: Any) -> HttpResponse | None:
        """Take the place; a page that says when to try again if there is none."""
        found = request.resolver_match
        if found is None or API in found.namespaces:
            return None
        name = found.url_name or ""
        if name in WHILE_WORKING or is_heavy(name, COMPUTED | ANSWERED):
            try:
                _take(request, name)
            except CrowdedError as error:
                return crowded(request, error)
        return None


class HasPlace(BasePermission):
    """Takes the place for an answer of the API, once it is known who asks."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        found = request.resolver_match
        if found is not None and found.url_name in IN_API | ANSWERED:
            _take(request._request, found.url_name)
        return True


def _take(request: HttpRequest, name: str) -> None:
    places = getattr(request, _STACK, None)
    if places is not None:
        places.enter_context(slow_work(request.path, one_each=not (name in WHILE_WORKING or is_heavy(name, ANSWERED))))

"""Requests that cost more than a few rows (`common.routes.Cost`) wait for one of a few places.

Plain pages therefore load quickly however many people ask for expensive ones at once.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack
from typing import TYPE_CHECKING, Any

from django.http import FileResponse, HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import ResolverMatch
from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from common.capacity import CrowdedError, slow_work
from common.routes import API, Cost, declaration_of
from qc4site.errors.pages import crowded

if TYPE_CHECKING:  # the framework loads permissions while it loads its views
    from rest_framework.views import APIView

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
        try:
            _take_place(request, found)
        except CrowdedError as error:
            return crowded(request, error)
        return None


class HasPlace(BasePermission):
    """Takes the place for an answer of the API, once it is known who asks."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        _take_place(request._request, request.resolver_match)
        return True


def _take_place(request: HttpRequest, match: ResolverMatch | None) -> None:
    cost, places = declaration_of(match).cost, getattr(request, _STACK, None)
    if cost is not Cost.PLAIN and places is not None:
        places.enter_context(slow_work(request.path, one_each=cost is Cost.COMPUTES))

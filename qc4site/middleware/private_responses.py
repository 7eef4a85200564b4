"""Who may store what the API returns: the caller alone.

A token decides what a response holds, so a cache between the site and several callers must not hand one of them what
another one got. This is the only place that says so; views add what is special about theirs (`unchanging`).
"""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers


class PrivateResponses:
    """Middleware that marks every response of the API, and every response to a token, as the caller's own."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        response = self._get_response(request)
        if request.path_info.startswith("/api/") or "Authorization" in request.headers:
            patch_vary_headers(response, ["Authorization", "Cookie"])
            patch_cache_control(response, private=True)
        return response

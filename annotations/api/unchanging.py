"""Files whose content never changes: who has them need not fetch them again."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.request import Request

from common.downloads import attachment_headers


def unchanging(
    request: Request,
    sha256: str,
    content: Callable[[], bytes],
    content_type: str = "application/json",
    filename: str = "",
) -> HttpResponseBase:
    """A file with its SHA-256 as the ``ETag``, or 304 where the sender has it (`If-None-Match`)."""
    headers = {"ETag": f'"{sha256}"', "Cache-Control": "no-cache"}
    unchanged = get_conditional_response(request._request, etag=headers["ETag"])
    if unchanged is not None:
        return unchanged
    if filename:
        headers |= attachment_headers(filename)
    return HttpResponse(content(), content_type=content_type, headers=headers)

"""Responses that browsers save as files, and files that never change."""

from __future__ import annotations

import json
from collections.abc import Callable

from django.http import HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from rest_framework.request import Request


def attachment_headers(name: str) -> dict[str, str]:
    """Return the header for saving under this file name, which has only letters, digits, dots and hyphens."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def attachment(content: bytes, name: str, content_type: str) -> HttpResponse:
    """Return a response that browsers save under this file name."""
    return HttpResponse(content, content_type=content_type, headers=attachment_headers(name))


def json_line(document: bytes) -> bytes:
    """Return a JSON document on one line."""
    compact = json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":"))
    return compact.encode() + b"\n"


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

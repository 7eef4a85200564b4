"""Responses that browsers save as files."""

from __future__ import annotations

import json

from django.http import HttpResponse


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

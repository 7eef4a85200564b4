"""Responses that browsers save as files."""

from __future__ import annotations

import json

from django.http import HttpResponse


def saved_as(name: str) -> dict[str, str]:
    """The header that says so; ``name`` is one of ours: letters, digits, dots and hyphens."""
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def attachment(content: bytes, name: str, content_type: str) -> HttpResponse:
    """A file under a name of ours."""
    return HttpResponse(content, content_type=content_type, headers=saved_as(name))


def json_line(document: bytes) -> bytes:
    """A JSON document on one line."""
    compact = json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":"))
    return compact.encode() + b"\n"

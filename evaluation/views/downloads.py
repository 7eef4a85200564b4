"""Answers that are files to save, never pages to show."""

from __future__ import annotations

import json

from django.http import HttpResponse


def attachment(content: bytes, name: str, content_type: str) -> HttpResponse:
    """A file under a name of ours."""
    response = HttpResponse(content, content_type=content_type)
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


def json_line(document: bytes) -> bytes:
    """A JSON document on one line."""
    compact = json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":"))
    return compact.encode() + b"\n"

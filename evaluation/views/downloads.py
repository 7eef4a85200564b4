"""Answers that are files to save, never pages to show."""

from __future__ import annotations

import json
from collections.abc import Iterator

from django.http import HttpResponse, StreamingHttpResponse

from common.downloads import saved_as


def attachment(content: bytes, name: str, content_type: str) -> HttpResponse:
    """A file under a name of ours."""
    return HttpResponse(content, content_type=content_type, headers=saved_as(name))


def csv_stream(lines: Iterator[str], name: str) -> StreamingHttpResponse:
    """A CSV file that is sent as it is written."""
    return StreamingHttpResponse(lines, content_type="text/csv; charset=utf-8", headers=saved_as(name))


def json_line(document: bytes) -> bytes:
    """A JSON document on one line."""
    compact = json.dumps(json.loads(document), ensure_ascii=False, separators=(",", ":"))
    return compact.encode() + b"\n"

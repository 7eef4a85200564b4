"""Answers on the wire: pages and JSON are compressed, unless they may hold a secret in clear
(docs/decisions/compressed-answers.md)."""

from __future__ import annotations

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware

TYPES = ("text/html", "application/json")
READING = ("GET", "HEAD")


class CompressedAnswers(GZipMiddleware):
    """gzip for what is read. What answers a POST may show a token or an invitation link, this once."""

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        kind = response.headers.get("Content-Type", "").partition(";")[0]
        if request.method not in READING or kind not in TYPES or response.streaming:
            return response  # what is streamed is large, and would take seconds to compress
        compressed: HttpResponseBase = super().process_response(request, response)
        return compressed

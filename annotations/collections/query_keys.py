"""Query keys in URLs. A key may contain any character, but "/", ".." and "%" are not safe in a URL path."""

from __future__ import annotations

import re
from urllib.parse import quote

from django.urls import register_converter
from django.urls.converters import get_converters
from django.utils.http import RFC3986_SUBDELIMS

_ESCAPED = re.compile(r"~([0-9A-F]{2,6});")
# Characters that browsers, proxies or WSGI would change: separators, escapes, leading dots ("..") and controls.
_UNSAFE = re.compile(r"[/\\~%\x00-\x1f\x7f]|^\.|^$")


class QueryKey:
    """Path converter for ``<key:key>``: one segment, with unsafe characters written as ``~HEX;``."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        """Return the key of a segment. Raises ValueError (so 404) for NUL and for invalid or incomplete characters."""
        if value == "~":
            return ""
        key = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)
        if "\0" in key:
            raise ValueError("NUL cannot be stored")
        key.encode()
        return key

    def to_url(self, value: str) -> str:
        """Return the URL segment of a key."""
        return _UNSAFE.sub(lambda match: f"~{ord(match[0]):02X};" if match[0] else "~", str(value))


def key_to_path_segment(key: str) -> str:
    """Return a key as `django.urls.reverse` writes it, for pages with hundreds of URLs."""
    return quote(QueryKey().to_url(key), safe=f"{RFC3986_SUBDELIMS}/~:@")


def register() -> None:
    """Register ``<key:...>`` for `django.urls.path`. Repeated calls are harmless."""
    if "key" not in get_converters():
        register_converter(QueryKey, "key")

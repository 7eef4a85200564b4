"""Query keys in addresses. A key may hold any character; an address may not be ambiguous about "/", ".." or "%"."""

from __future__ import annotations

import re
from urllib.parse import quote

from django.urls import register_converter
from django.urls.converters import get_converters
from django.utils.http import RFC3986_SUBDELIMS

_ESCAPED = re.compile(r"~([0-9A-F]{2,6});")
# What browsers, proxies or WSGI would change on the way: separators, escapes, dots at the start ("..") and controls.
_UNSAFE = re.compile(r"[/\\~%\x00-\x1f\x7f]|^\.|^$")


class QueryKey:
    """``<key:key>`` in a path: one segment, unsafe characters written as ``~HEX;``."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        """The key behind a segment; ValueError (so 404) for what no key can hold: no character, half of one, NUL."""
        if value == "~":
            return ""
        key = _ESCAPED.sub(lambda match: chr(int(match[1], 16)), value)
        if "\0" in key:
            raise ValueError("NUL cannot be stored")
        key.encode()
        return key

    def to_url(self, value: str) -> str:
        """The segment of a key."""
        return _UNSAFE.sub(lambda match: f"~{ord(match[0]):02X};" if match[0] else "~", str(value))


def segment(key: str) -> str:
    """A key as `django.urls.reverse` writes it, for pages with hundreds of addresses."""
    return quote(QueryKey().to_url(key), safe=f"{RFC3986_SUBDELIMS}/~:@")


def register() -> None:
    """Make ``<key:...>`` known to `django.urls.path`; once is enough, twice does no harm."""
    if "key" not in get_converters():
        register_converter(QueryKey, "key")

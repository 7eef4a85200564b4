"""Which addresses of the web the site links to."""

from __future__ import annotations

import re
from urllib.parse import urlsplit

IN_TEXT = re.compile(r"https?://[^\s<>\"'`]+", re.IGNORECASE)
"""An address within a text, with whatever stands right behind it."""
_ENDS = ".,;:!?…”’"
_PAIRS = {")": "(", "]": "[", "}": "{"}


def is_web_address(text: str) -> bool:
    """Whether it is an http or https address with a host: other schemes are never linked."""
    try:
        parts = urlsplit(text.strip())
        return parts.scheme in {"http", "https"} and bool(parts.hostname) and not re.search(r"[\s<>\"]", text.strip())
    except ValueError:
        return False


def parted(found: str) -> tuple[str, str]:
    """An address that was found in a text, and the punctuation behind it: a full stop, a bracket never opened."""
    address, rest = found, ""
    while address:
        last = address[-1]
        is_stray = last in _PAIRS and address.count(last) > address.count(_PAIRS[last])
        if last not in _ENDS and not is_stray:
            break
        address, rest = address[:-1], last + rest
    return address, rest

"""Read the text of a page, however its source is broken into lines."""

from __future__ import annotations

import re
from html import unescape


def flat(html: str) -> str:
    """The same with one space for any white space."""
    return re.sub(r"\s+", " ", html)


def words(html: str) -> str:
    """The text of a page without its tags."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())

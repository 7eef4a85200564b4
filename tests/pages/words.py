"""What a page says, however its source is broken into lines."""

from __future__ import annotations

import re


def flat(html: str) -> str:
    """The same with one space for any white space."""
    return re.sub(r"\s+", " ", html)

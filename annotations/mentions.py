"""People a text mentions with an @. `static/js/discussion/mentions.js` finds the same before a comment is sent."""

from __future__ import annotations

import re
from collections.abc import Iterable

_GOES_ON = re.compile(r"[\w@+-]|\.\w")
"""What makes a name a longer one: "@ann" is not named by "@anna" or "@ann.b", but by "@ann." and "@ann's"."""


def named_in(text: str, names: Iterable[str]) -> list[str]:
    """Those of some names that a text names as ``@name``, whatever their case, in the order of their first mention.

    An @ within a word (an e-mail address) names nobody; where several names fit the longest does.
    """
    by_length = sorted(names, key=len, reverse=True)
    lower = text.lower()
    found: dict[str, None] = {}
    for at in (match.end() for match in re.finditer("@", text)):
        if at > 1 and re.match(r"\w", text[at - 2]):
            continue
        fits = (name for name in by_length if lower.startswith(name.lower(), at))
        name = next((name for name in fits if not _GOES_ON.match(text, at + len(name))), None)
        if name:
            found.setdefault(name)
    return list(found)

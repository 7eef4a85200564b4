"""Texts as a search compares them: without capitals, accents and the like. `static/js/words/search.js` is its twin."""

from __future__ import annotations

from unicodedata import normalize

_SIGNS = {"ı": "i", "ß": "ss", "ς": "σ", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
"""Letters that are no plain letter with an accent, and yet are typed as one. The Turkish dotless i is among them: a
capital I says nothing of which of the two it was."""
_MARKS = dict.fromkeys(range(0x300, 0x370))
"""Accents once they stand alone. Vowel signs of other scripts are none: without them words would be others."""
_TABLE = str.maketrans(_SIGNS) | _MARKS


def folded(text: str) -> str:
    """``Straße`` as ``strasse``, ``İZMİR`` and ``ızmir`` as ``izmir``, full-width and ligature signs as plain ones."""
    if text.isascii():
        return text.lower()
    return normalize("NFKD", text).lower().translate(_TABLE)

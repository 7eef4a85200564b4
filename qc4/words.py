"""The words of a text: runs of letters and digits, and single characters of scripts that are written without spaces."""

from __future__ import annotations

import re
import unicodedata

UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
"""Scripts written without spaces, as ranges of a regular expression."""
_WORD = re.compile(f"[{UNSPACED}]|(?:(?![{UNSPACED}])[^\\W_])+")


def words(text: str) -> tuple[str, ...]:
    """The words in their order; case and the way letters are coded make no difference."""
    return tuple(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))

"""Search queries for pages: words, "phrases", and -words to exclude.

`static/js/words/search.js` implements the same rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from unicodedata import normalize

MAX_TERMS = 20
"""Maximum number of terms. Further terms are ignored."""
WHOLE_MATCH_FIELDS = ("rank",)
"""Fields that must match as a whole, so that a search for 1 does not find rank 10."""
_QUOTES = '"“”„«»'
_TERM = re.compile(rf"(-?)(?:[{_QUOTES}]([^{_QUOTES}]*)([{_QUOTES}]?)|([^\s{_QUOTES}]+))")


@dataclass(frozen=True)
class SearchTerm:
    """A word, which also matches inside longer words, or a phrase of consecutive whole words.

    Attributes:
        minus: whether matching pages are excluded.
        open: whether the phrase has no closing quote yet, so its last word may be incomplete.
    """

    words: tuple[str, ...]
    phrase: bool = False
    minus: bool = False
    open: bool = False

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        first, last = self.words[0], self.words[-1]
        before = r"(?<!\w)" if re.match(r"\w", first) else ""
        after = r"(?!\w)" if re.search(r"\w$", last) and not self.open else ""
        return re.compile(before + r"\s+".join(map(re.escape, self.words)) + after)

    def places(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each match in a folded text."""
        if self.phrase:
            yield from (found.span() for found in self._pattern.finditer(text))
            return
        at = text.find(self.words[0])
        while at >= 0:
            yield at, at + len(self.words[0])
            at = text.find(self.words[0], at + len(self.words[0]))

    def is_in(self, name: str, text: str) -> bool:
        if name in WHOLE_MATCH_FIELDS:
            return text == " ".join(self.words)
        if not self.phrase:
            return self.words[0] in text
        # Most texts lack one of the words, and checking that is much faster.
        return all(word in text for word in self.words) and self._pattern.search(text) is not None


def parse_search(typed: str) -> list[SearchTerm]:
    """Parse a typed search into terms. An unclosed quote extends to the end."""
    found = []
    for minus, quoted, end, word in _TERM.findall(typed):
        words = tuple(fold_text(word or quoted).split())
        if words and words != ("-",):
            found.append(SearchTerm(words, phrase=not word, minus=bool(minus), open=not word and not end))
    return found[:MAX_TERMS]


def matching_fields(terms: Sequence[SearchTerm], fields: Mapping[str, str]) -> list[str] | None:
    """Return the names of the fields that match a term, or None if the page does not match.

    A page matches if every term without a minus is in a field and no term with a minus is.

    Args:
        fields: field name -> folded text.
    """
    found: set[str] = set()
    for term in terms:
        places = [name for name, text in fields.items() if term.is_in(name, text)]
        if bool(places) == term.minus:
            return None
        found.update(places)
    return [name for name in fields if name in found]


# --- Folding ----------------------------------------------------------------------------------------------------------
# Searches ignore case and accents. `static/js/words/search.js` does the same.

_SIGNS = {"ı": "i", "ß": "ss", "ς": "σ", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe"}
"""Letters that do not decompose into a plain letter and an accent, but that people type as plain letters. The Turkish
dotless i is included because its capital is the same as that of i."""
_MARKS = dict.fromkeys(range(0x300, 0x370))
"""Combining accents. Vowel signs of other scripts are not included, because removing them changes words."""
_TABLE = str.maketrans(_SIGNS) | _MARKS


def fold_text(text: str) -> str:
    """Fold case and accents: ``Straße`` to ``strasse``, ``İZMİR`` and ``ızmir`` to ``izmir``, ligatures to letters."""
    if text.isascii():
        return text.lower()
    return normalize("NFKD", text).lower().translate(_TABLE)

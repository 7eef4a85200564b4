"""What people type to find pages: words, "phrases", and -words that must not be there. `static/js/words/search.js` is
its twin."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from unicodedata import normalize

MOST_TERMS = 20
"""What is typed beyond them is not looked at."""
WHOLE = ("rank",)
"""Fields that a word must be all of: 1 is not to find page 10."""
_QUOTES = '"“”„«»'
_TERM = re.compile(rf"(-?)(?:[{_QUOTES}]([^{_QUOTES}]*)([{_QUOTES}]?)|([^\s{_QUOTES}]+))")


@dataclass(frozen=True)
class Term:
    """One word, which may stand within another, or a phrase: whole words, one after the other.

    Attributes:
        minus: it must not be there.
        open: the phrase is still being typed: its last word may go on.
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
        """Where it begins and ends in a folded text."""
        if self.phrase:
            yield from (found.span() for found in self._pattern.finditer(text))
            return
        at = text.find(self.words[0])
        while at >= 0:
            yield at, at + len(self.words[0])
            at = text.find(self.words[0], at + len(self.words[0]))

    def is_in(self, name: str, text: str) -> bool:
        if name in WHOLE:
            return text == " ".join(self.words)
        if not self.phrase:
            return self.words[0] in text
        # Most texts lack one of the words, which is found out much faster.
        return all(word in text for word in self.words) and self._pattern.search(text) is not None


def parse(typed: str) -> list[Term]:
    """The terms of what was typed; quotes that are not closed yet hold the rest."""
    found = []
    for minus, quoted, end, word in _TERM.findall(typed):
        words = tuple(folded(word or quoted).split())
        if words and words != ("-",):
            found.append(Term(words, phrase=not word, minus=bool(minus), open=not word and not end))
    return found[:MOST_TERMS]


def found_in(terms: Sequence[Term], fields: Mapping[str, str]) -> list[str] | None:
    """The fields (folded texts by name) that have one of the words; None unless every word is in one of them, and no
    -word is in any."""
    found: set[str] = set()
    for term in terms:
        places = [name for name, text in fields.items() if term.is_in(name, text)]
        if bool(places) == term.minus:
            return None
        found.update(places)
    return [name for name in fields if name in found]


# --- Folding ----------------------------------------------------------------------------------------------------------
# Capitals and accents do not matter. `static/js/words/search.js` does the same.

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

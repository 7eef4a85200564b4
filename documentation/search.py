"""Finding sections of the documentation by words: in memory, the same with and without JavaScript."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from documentation.library import Document, documents
from documentation.rendering import Section

SEARCH_CHARS = 200
"""Most characters of a search."""

SEARCH_RESULTS = 30
"""Most sections a search shows; it says how many more there are."""

EXCERPT_CHARS = 240
"""About as long is what a result shows of its section."""


_IN_TITLE, _IN_HEADING, _AS_PHRASE = 12, 10, 6
"""What a word weighs in a title and in a heading, and all words in a row; elsewhere a word weighs 1 each time."""
_MOST_IN_TEXT = 4


class Piece(NamedTuple):
    """Part of an excerpt, and whether it is one of the words looked for."""

    words: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Result:
    """A section in which all words occur."""

    document: Document
    section: Section
    heading: tuple[Piece, ...]
    excerpt: tuple[Piece, ...]
    weight: float


@dataclass(frozen=True, slots=True)
class Results:
    """What a search found, the best first."""

    query: str
    shown: tuple[Result, ...]
    n_found: int

    @property
    def n_more(self) -> int:
        return self.n_found - len(self.shown)


def search(query: str) -> Results:
    """Sections that have every word of the query at the beginning of a word: ``cluster`` finds “clustering”, too."""
    cut = " ".join(query[:SEARCH_CHARS].split())
    words = tuple(dict.fromkeys(re.findall(r"[\w'’]+(?:[._\-/][\w]+)*", cut.casefold())))
    if not words:
        return Results(cut, (), 0)
    patterns = tuple(re.compile(rf"(?<!\w){re.escape(word)}", re.IGNORECASE) for word in words)
    phrase = re.compile(r"\W+".join(map(re.escape, words)), re.IGNORECASE) if len(words) > 1 else None
    found = [
        result
        for document in documents()
        for section in document.page.sections
        if (result := _looked_at(document, section, patterns, phrase))
    ]
    found.sort(key=lambda result: -result.weight)
    return Results(cut, tuple(found[:SEARCH_RESULTS]), len(found))


def _looked_at(
    document: Document, section: Section, patterns: tuple[re.Pattern[str], ...], phrase: re.Pattern[str] | None
) -> Result | None:
    weight = 0.0
    for pattern in patterns:
        in_text = min(len(pattern.findall(section.text)), _MOST_IN_TEXT)
        in_heading = bool(pattern.search(section.title))
        in_title = bool(pattern.search(document.title))
        if not (in_text or in_heading):
            return None
        weight += in_text + in_heading * _IN_HEADING + (in_title and in_heading) * _IN_TITLE + in_title
    if phrase and (phrase.search(section.title) or phrase.search(section.text)):
        weight += _AS_PHRASE
    either = re.compile("|".join(pattern.pattern for pattern in patterns), re.IGNORECASE)
    return Result(document, section, _pieces(section.title, either), _excerpt(section.text, either), weight)


def _excerpt(text: str, pattern: re.Pattern[str]) -> tuple[Piece, ...]:
    """The surroundings of the first word found, cut between words."""
    flat = " ".join(text.split())
    first = pattern.search(flat)
    start = max(0, (first.start() if first else 0) - EXCERPT_CHARS // 3)
    start = flat.rfind(" ", 0, start) + 1 if start else 0
    end = start + EXCERPT_CHARS
    if end < len(flat):
        end = max(flat.rfind(" ", start, end), start + 1)
    words = ("… " if start else "") + flat[start:end] + (" …" if end < len(flat) else "")
    return _pieces(words, pattern)


def _pieces(text: str, pattern: re.Pattern[str]) -> tuple[Piece, ...]:
    """The text in pieces, whole words that begin with what was looked for set apart."""
    pieces, place = [], 0
    for found in re.compile(rf"(?:{pattern.pattern})\w*", re.IGNORECASE).finditer(text):
        if found.start() > place:
            pieces.append(Piece(text[place : found.start()], hit=False))
        pieces.append(Piece(found[0], hit=True))
        place = found.end()
    if place < len(text):
        pieces.append(Piece(text[place:], hit=False))
    return tuple(pieces)

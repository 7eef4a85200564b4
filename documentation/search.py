"""Full-text search over the documentation and the catalogue of measures.

SQLite's FTS5 stems words, ranks by BM25 and marks the words that it found. It is part of Python, so the search needs no
package and no files, and it works the same whichever database the site uses. The index is in memory. It is rebuilt when
a document changes.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import lru_cache
from typing import Any, NamedTuple

from django.urls import reverse

from documentation.library import documents
from documentation.synonyms import COMMON_WORDS, join_phrases, synonyms
from qc4.measures.registry import REGISTRY

SEARCH_CHARS = 200
"""Longest query, in characters."""

SEARCH_RESULTS = 30
"""Most results shown; the page says how many more there are."""

EXCERPT_WORDS = 40
"""Longest excerpt of a result, in words."""

_WORD = re.compile(r"[^\W_]+(?:[-./'’_][^\W_]+)*")
_START, _END = "\x02", "\x03"
"""Marks around a found word, in highlights and excerpts."""
_ENOUGH = 5
"""If so many entries have all words of a query, entries with only some of them are not shown."""
_RANK = "bm25(entries, 4.0, 8.0, 8.0, 1.0, 0.3) * weight"
"""Weights of page title, heading, other names, text and code. The lowest value is the best match."""
_PROSE = "{page heading names text}"
"""All columns but the code."""
_LESS_LIKELY = {"api", "codes", "command-line", "commands", "keys", "limits", "settings"}
"""Documents for programs and operators. Other documents with the same words come first."""


class Piece(NamedTuple):
    """A part of a text, and whether it is a word of the query."""

    words: str
    hit: bool


@dataclass(frozen=True, slots=True)
class Entry:
    """What one result leads to: a section of a document, a term of the glossary, or a measure."""

    url: str
    page: str
    """Title of the page that contains it."""
    heading: str
    text: str
    names: str = ""
    """Other names by which it is searched."""
    code: str = ""
    weight: float = 1.0
    """How likely it is to be what people search for."""


@dataclass(frozen=True, slots=True)
class Result:
    """An entry that matches a query, with the matching words marked."""

    entry: Entry
    heading: tuple[Piece, ...]
    excerpt: tuple[Piece, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a search, the best first."""

    query: str
    shown: tuple[Result, ...]
    n_found: int

    @property
    def n_more(self) -> int:
        return self.n_found - len(self.shown)


def search(query: str) -> Results:
    """Search for entries with the words of the query, their stems, synonyms and likely spellings."""
    query = " ".join(query[:SEARCH_CHARS].split())
    said = dict.fromkeys(join_phrases(_WORD.findall(query.casefold())))
    words = [word for word in said if word not in COMMON_WORDS] or list(said)
    if not words:
        return Results(query, (), 0)
    return _index(tuple((document.name, document.changed) for document in documents())).search(query, words)


class Index:
    """All entries in an FTS5 table in memory."""

    def __init__(self, entries: tuple[Entry, ...]) -> None:
        self._entries = entries
        self._lock = threading.Lock()
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute(
            "CREATE VIRTUAL TABLE entries USING fts5(page, heading, names, text, code, weight UNINDEXED,"
            " tokenize = 'porter unicode61 remove_diacritics 2')"
        )
        self._database.executemany(
            "INSERT INTO entries (rowid, page, heading, names, text, code, weight) VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (number, entry.page, entry.heading, entry.names, entry.text, entry.code, entry.weight)
                for number, entry in enumerate(entries)
            ],
        )
        text = " ".join(f"{entry.heading} {entry.names} {entry.text}" for entry in entries).casefold()
        self._words = sorted(set(re.findall(r"[^\W\d_]{3,}", text)))

    def search(self, query: str, words: list[str]) -> Results:
        groups = [self._alternatives(word) for word in words]
        own = [(word,) for word in words]
        expressions = (
            f"{_PROSE} : ({_all_of(own, _phrase)})",
            f"{_PROSE} : ({_all_of(groups, _phrase)})",
            _all_of([(_beginning(group[0]), *map(_phrase, group[1:])) for group in groups], str),
            " OR ".join(_phrase(each) for group in groups for each in group),
        )
        found: dict[int, Result] = {}
        for expression in expressions:
            if expression != expressions[-1] or len(found) < _ENOUGH:
                for number, result in self._matches(expression):
                    found.setdefault(number, result)
        names = {" ".join(_WORD.findall(query.casefold())), " ".join(words), " ".join(group[0] for group in groups)}
        ranked = sorted(found.values(), key=lambda result: result.entry.heading.casefold() not in names)
        return Results(query, tuple(ranked[:SEARCH_RESULTS]), len(ranked))

    def _matches(self, expression: str) -> Iterator[tuple[int, Result]]:
        """Yield the matches of an FTS5 expression, the best first."""
        rows = self._rows(
            f"SELECT rowid, highlight(entries, 1, ?, ?), snippet(entries, 3, ?, ?, '…', ?) FROM entries"  # noqa: S608
            f" WHERE entries MATCH ? ORDER BY {_RANK}, rowid",
            (_START, _END, _START, _END, EXCERPT_WORDS, expression),
        )
        for number, heading, excerpt in rows:
            yield number, Result(self._entries[number], _pieces(heading), _pieces(excerpt))

    def _alternatives(self, word: str) -> tuple[str, ...]:
        """Return the word with its synonyms. If nothing contains it, return the nearest words instead."""
        found = synonyms(word)
        if any(self._occurs(each) for each in found):
            return found
        for cut in range(3, len(word) - 2):
            if self._occurs(f"{word[:cut]} {word[cut:]}"):
                return (f"{word[:cut]} {word[cut:]}",)
        near = get_close_matches(word, self._words, n=3, cutoff=0.75)
        return tuple(dict.fromkeys(each for word in near for each in (word, *synonyms(word)))) or found

    def _occurs(self, word: str) -> bool:
        if self._rows("SELECT 1 FROM entries WHERE entries MATCH ? LIMIT 1", (_phrase(word),)):
            return True
        return any(each.startswith(word) for each in self._words)

    def _rows(self, question: str, parameters: tuple[object, ...]) -> list[tuple[Any, ...]]:
        """Return the rows of a query. Threads of the web server take turns, because they share one connection."""
        with self._lock:
            return self._database.execute(question, parameters).fetchall()


@lru_cache(maxsize=1)
def _index(stamp: tuple[tuple[str, int], ...]) -> Index:
    """Return the index of the documents. `stamp` changes when they do, so that a new index is made."""
    return Index((*_sections(), *_measures()))


def _sections() -> Iterator[Entry]:
    for document in documents():
        url = reverse("document", args=[document.name])
        for section in document.page.sections:
            anchor = f"#{section.anchor}" if section.anchor else ""
            weight = (0.8 if document.name in _LESS_LIKELY else 1.0) * (1.2 if section.level == 1 else 1.0)
            text, code = section.text, section.code
            yield Entry(f"{url}{anchor}", document.title, section.title, text, code=code, weight=weight)


def _measures() -> Iterator[Entry]:
    for measure in REGISTRY.all():
        text = f"{measure.meaning} {measure.degenerate}".strip()
        names = f"{measure.key} {measure.spelling}"
        yield Entry(reverse("measure", args=[measure.key]), "Measures", measure.title, text, names, weight=0.9)


def _all_of(groups: Sequence[tuple[str, ...]], write: Callable[[str], str]) -> str:
    return " AND ".join(f"({' OR '.join(map(write, group))})" for group in groups)


def _phrase(words: str) -> str:
    return f'"{words}"'


def _beginning(words: str) -> str:
    """Return an expression for words that begin so: ``"clust"*``."""
    return f'"{words}"*' if len(words) > 2 else _phrase(words)


def _pieces(marked: str) -> tuple[Piece, ...]:
    parts = re.split(f"{_START}([^{_END}]*){_END}", marked)
    return tuple(Piece(part, hit=bool(place % 2)) for place, part in enumerate(parts) if part)

"""Which documents there are, in which order people read them, and each one rendered once."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from django.conf import settings

from documentation.rendering import Rendered, rendered

FOLDER = Path(settings.BASE_DIR) / "docs" / "users"

EXAMPLES = FOLDER / "examples"
"""The files that commands and programs in the documents read."""

SHELVES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Start here", ("first-steps", "taking-part", "account", "formats", "leaderboard", "why", "comparison", "charts")),
    ("Algorithms and collections", ("algorithms", "challenges", "policies", "baselines")),
    ("Gold standards", ("curation", "agreement")),
    (
        "Measures",
        ("tree-and-label-measures", "internal-measures", "pac-mdl", "cmm", "behaviour-study"),
    ),
    ("Programs", ("api", "commands", "command-line", "library", "examples")),
    ("Running a site", ("settings",)),
)
"""The table of contents: a heading, and the files below it without ``.md``."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the documentation."""

    name: str
    page: Rendered

    @property
    def title(self) -> str:
        return self.page.title


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents under one heading of the table of contents."""

    title: str
    documents: tuple[Document, ...]


def names() -> tuple[str, ...]:
    """Every document's name in reading order."""
    return tuple(name for _, shelf in SHELVES for name in shelf)


def find(name: str) -> Document | None:
    """The document of a name; None where there is none. Only declared names are looked for, so no path can be asked."""
    if name not in names():
        return None
    file = FOLDER / f"{name}.md"
    return _document(name, file.stat().st_mtime_ns)


def shelves() -> tuple[Shelf, ...]:
    return tuple(Shelf(title, tuple(filter(None, map(find, shelf)))) for title, shelf in SHELVES)


def documents() -> tuple[Document, ...]:
    return tuple(document for shelf in shelves() for document in shelf.documents)


def neighbours(document: Document) -> tuple[Document | None, Document | None]:
    """The documents before and after one."""
    order = names()
    place = order.index(document.name)
    before = find(order[place - 1]) if place else None
    after = find(order[place + 1]) if place + 1 < len(order) else None
    return before, after


def example(name: str) -> bytes | None:
    """A file of the examples; None where there is none. Only names found in their folder are read."""
    return next((path.read_bytes() for path in EXAMPLES.iterdir() if path.name == name and path.is_file()), None)


@lru_cache(maxsize=64)
def _document(name: str, changed: int) -> Document:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return Document(name, rendered(text, frozenset(names())))

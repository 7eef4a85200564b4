"""The documents in reading order, each rendered once."""

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
    ("Tutorials", ("first-steps", "library")),
    (
        "How to",
        (
            *("submit", "algorithms", "compare-systems", "model-selection", "papers"),
            *("collections", "curation", "annotate", "adjudicate", "challenges", "scripts", "account"),
        ),
    ),
    (
        "Explanations",
        (
            *("comparison", "policies", "agreement", "behaviour-study", "tree-and-label-measures"),
            *("internal-measures", "pac-mdl", "cmm"),
        ),
    ),
    (
        "Reference",
        (
            *("glossary", "leaderboard", "compare-page", "charts", "why", "baselines", "keys"),
            *("formats", "limits", "codes", "examples", "api", "command-line", "commands", "settings"),
        ),
    ),
)
"""The table of contents: a heading, and the files below it without ``.md``."""

MOVED = {"taking-part": "submit"}
"""Former names of documents. Their URLs redirect to the present ones."""


@dataclass(frozen=True, slots=True)
class Document:
    """One file of the documentation."""

    name: str
    page: Rendered
    changed: int
    """When its file was last changed, in nanoseconds."""

    @property
    def title(self) -> str:
        return self.page.title


@dataclass(frozen=True, slots=True)
class Shelf:
    """Documents under one heading of the table of contents."""

    title: str
    documents: tuple[Document, ...]


def names() -> tuple[str, ...]:
    """Return every document's name in reading order."""
    return tuple(name for _, shelf in SHELVES for name in shelf)


def find(name: str) -> Document | None:
    """Return the document with this name, or None. Only declared names are read, so a path cannot be requested."""
    if name not in names():
        return None
    file = FOLDER / f"{name}.md"
    return _document(name, file.stat().st_mtime_ns)


def terms() -> dict[str, str]:
    """Return the terms of the glossary: anchor -> definition."""
    glossary = find("glossary")
    sections = glossary.page.sections if glossary else ()
    return {section.anchor: section.text for section in sections if section.anchor}


def shelves() -> tuple[Shelf, ...]:
    return tuple(Shelf(title, tuple(filter(None, map(find, shelf)))) for title, shelf in SHELVES)


def documents() -> tuple[Document, ...]:
    return tuple(document for shelf in shelves() for document in shelf.documents)


def neighbours(document: Document) -> tuple[Document | None, Document | None]:
    """Return the documents before and after this one."""
    order = names()
    place = order.index(document.name)
    before = find(order[place - 1]) if place else None
    after = find(order[place + 1]) if place + 1 < len(order) else None
    return before, after


def example(name: str) -> bytes | None:
    """Return the contents of an example file, or None. Only names in the folder of examples are read."""
    return next((path.read_bytes() for path in EXAMPLES.iterdir() if path.name == name and path.is_file()), None)


@lru_cache(maxsize=64)
def _document(name: str, changed: int) -> Document:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    return Document(name, rendered(text, frozenset(names())), changed)

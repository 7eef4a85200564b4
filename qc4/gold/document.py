"""A query's page list and gold standard as a file holds it (``qc4-gold/1``), before any rule is checked.

`GoldDocument` keeps what a person wrote: direct memberships, optional levels, unknown fields in ``extra``.
`qc4.gold.standard.GoldStandard` is the checked, prepared form that measures use.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, Literal

Extra = Mapping[str, Any]
Completion = Literal["strict", "complete"]


@dataclass(frozen=True, slots=True)
class Page:
    """One search result. ``id`` is its identity; ``rank`` its 1-based place in the result list."""

    id: str
    rank: int | None = None
    url: str | None = None
    title: str | None = None
    snippet: str | None = None
    text: str | None = None
    extra: Extra = field(default_factory=dict, hash=False)


PAGE_TEXTS = tuple(each.name for each in fields(Page) if each.type == "str | None")
"""What a page has in words: every file format, table and answer that lists a page's fields takes them from here."""
PAGE_FIELDS = ("rank", *PAGE_TEXTS)
"""What else is known of a page besides its id."""


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic. ``level`` is the level it starts on (``first``), None for "one below its parent"."""

    id: str
    name: str
    parent: str | None = None
    level: int | None = None
    pages: tuple[str, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """Query, pages, topics and outliers. A document without topics and outliers is a plain page list."""

    query_id: str
    query_text: str
    pages: tuple[Page, ...]
    topics: tuple[Topic, ...] = ()
    outliers: tuple[str, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)
    query_extra: Extra = field(default_factory=dict, hash=False)

    @property
    def has_gold(self) -> bool:
        return bool(self.topics or self.outliers)

"""A query's page list and gold standard as stored in a file (``qc4-gold/1``), before the rules are checked.

`GoldDocument` holds the input as written: direct memberships, optional levels, unknown fields in ``extra``.
`qc4.model.gold_standard.GoldStandard` is the checked form that measures use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import repeat
from typing import Any, Literal

from qc4.model.lazy_sequence import LazySequence

Extra = Mapping[str, Any]
Completion = Literal["strict", "complete"]


@dataclass(frozen=True, slots=True)
class Page:
    """One search result. ``id`` identifies it; ``rank`` is its position in the result list, counted from 1."""

    id: str
    rank: int | None = None
    url: str | None = None
    title: str | None = None
    snippet: str | None = None
    text: str | None = None
    extra: Extra = field(default_factory=dict, hash=False)


PAGE_TEXTS = tuple(each.name for each in fields(Page) if each.type == "str | None")
"""The text fields of a page. Every file format, table and API response that lists them uses this tuple."""
PAGE_FIELDS = ("rank", *PAGE_TEXTS)
"""All fields of a page except its id."""


class PageColumns(LazySequence[Page]):
    """A page list stored by column, as long files are read. Each `Page` is created when it is accessed."""

    def __init__(
        self, ids: Sequence[str], columns: Mapping[str, Sequence[Any]], extras: Sequence[Extra] | None = None
    ) -> None:
        """Store columns of the same length.

        Args:
            ids: (pages,) the ids of the pages.
            columns: (pages,) the values of each field (`PAGE_FIELDS`); fields that are not given are None for every
                page.
            extras: (pages,) the extra fields of the pages; None if no page has any.
        """
        self.ids = ids
        self.columns = dict(columns)
        self.extras = extras

    def __len__(self) -> int:
        return len(self.ids)

    def __iter__(self) -> Iterator[Page]:
        extras = self.extras if self.extras is not None else ({} for _ in self.ids)
        given: dict[str, Iterable[Any]] = {**self.columns, "id": self.ids, "extra": extras}
        return map(Page, *(given.get(each.name, repeat(None)) for each in fields(Page)))

    def made(self, place: int) -> Page:
        known = {name: column[place] for name, column in self.columns.items()}
        return Page(self.ids[place], **known, extra=self.extras[place] if self.extras is not None else {})


def page_texts(pages: Sequence[Page], field: str) -> Sequence[str | None]:
    """Return the values of one of `PAGE_TEXTS` for all pages."""
    if isinstance(pages, PageColumns):
        return pages.columns.get(field, ())
    return [getattr(page, field) for page in pages]


@dataclass(frozen=True, slots=True)
class Topic:
    """One topic. ``level`` is the level it starts on (``first``); None means one below its parent."""

    id: str
    name: str
    parent: str | None = None
    level: int | None = None
    pages: tuple[str, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class GoldDocument:
    """A query with its pages, topics and outliers. Without topics and outliers it is a plain page list."""

    query_id: str
    query_text: str
    pages: Sequence[Page]
    topics: tuple[Topic, ...] = ()
    outliers: tuple[str, ...] = ()
    extra: Extra = field(default_factory=dict, hash=False)
    query_extra: Extra = field(default_factory=dict, hash=False)

    @property
    def page_ids(self) -> Sequence[str]:
        """(pages,) the ids of the page list."""
        return self.pages.ids if isinstance(self.pages, PageColumns) else tuple(page.id for page in self.pages)

    @property
    def has_gold(self) -> bool:
        return bool(self.topics or self.outliers)

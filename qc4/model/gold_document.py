"""A query's page list and gold standard as a file holds it (``qc4-gold/1``), before any rule is checked.

`GoldDocument` keeps what a person wrote: direct memberships, optional levels, unknown fields in ``extra``.
`qc4.model.gold_standard.GoldStandard` is the checked, prepared form that measures use.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from itertools import repeat
from typing import Any, Literal

from qc4.model.lazy_sequence import OnDemand

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


class PageColumns(OnDemand[Page]):
    """A page list as a long file is read: by columns. Each `Page` is made when somebody asks for it."""

    def __init__(
        self, ids: Sequence[str], columns: Mapping[str, Sequence[Any]], extras: Sequence[Extra] | None = None
    ) -> None:
        """Keep columns of the same length.

        Args:
            ids: (pages,) of the pages.
            columns: (pages,) what is known of them, by field (`PAGE_FIELDS`); None for every page of the other fields.
            extras: (pages,) their extra fields; None where no page has any.
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
    """Return one of `PAGE_TEXTS` of every page."""
    if isinstance(pages, PageColumns):
        return pages.columns.get(field, ())
    return [getattr(page, field) for page in pages]


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

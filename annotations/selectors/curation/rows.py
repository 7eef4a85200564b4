"""The queries of the page that is shown, with their assignments and drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import NamedTuple

from accounts.models import User
from annotations.models import Assignment, Collection
from annotations.selectors.curation.grid import Listed
from annotations.selectors.curation.steps import Next
from annotations.selectors.curation.works import Work


class Given(NamedTuple):
    """An assignment."""

    due: date | None
    note: str


@dataclass(frozen=True, slots=True)
class Cell:
    """A curator and a query: the assignment and the draft, if there are such."""

    curator: User
    assignment: Given | None
    work: Work | None
    is_overdue: bool


@dataclass(frozen=True, slots=True)
class Row:
    """A query."""

    query: Listed
    n_pages: int
    cells: Sequence[Cell]
    """Whoever is assigned or has a draft; whoever looks comes first."""
    others: Sequence[Work]
    """Shared drafts and adjudications; second own drafts of the same curator."""
    published_at: datetime | None
    next: Next
    is_mine: bool
    """Assigned to whoever looks, or begun by them."""

    @property
    def works(self) -> list[Work]:
        return [*(cell.work for cell in self.cells if cell.work), *self.others]

    @property
    def n_submitted(self) -> int:
        return sum(cell.work is not None and cell.work.is_submitted for cell in self.cells)

    @property
    def n_open(self) -> int:
        return sum(cell.work is not None and not cell.work.is_submitted for cell in self.cells)

    @property
    def n_overdue(self) -> int:
        return sum(cell.is_overdue for cell in self.cells)


def given_of(queries: Sequence[int]) -> Mapping[int, Mapping[int, Given]]:
    """Query -> whom it was given to."""
    found: dict[int, dict[int, Given]] = {query: {} for query in queries}
    rows = Assignment.objects.filter(query__in=queries).order_by("query_id", "pk")
    for query, curator, due, note in rows.values_list("query_id", "curator_id", "due", "note"):
        found[query][curator] = Given(due, note)
    return found


def assigned_first(collection: Collection, keys: Sequence[str], names: Sequence[str]) -> Given | None:
    """The first assignment, in the order of the collection, of one of these queries to one of these people."""
    rows = Assignment.objects.filter(query__collection=collection, query__key__in=keys, curator__username__in=names)
    found = rows.order_by("query__position", "query_id", "pk").values_list("due", "note").first()
    return Given(*found) if found else None

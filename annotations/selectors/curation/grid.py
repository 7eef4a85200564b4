"""Queries x curators: whom they were given to, and how far curators' own drafts are, as tables of yes and no.

A team of ten with 500 queries has 5,000 drafts and as many assignments. Of these the database hands over a few numbers
each (`readings.py`), never contents; only the queries of the page that is shown become rows with drafts (`rows.py`).
What lists hold (`choice.py`), what is counted and who waits for whom (`totals.py`) follows from the same tables.
"""

from __future__ import annotations

from collections.abc import Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

Flags: TypeAlias = NDArray[np.bool_]
"""A yes or no for each query, or for each query and curator."""
Numbers: TypeAlias = NDArray[np.int64]


class Listed(NamedTuple):
    """A query as lists show it, and its place among those of the collection."""

    pk: int
    key: str
    text: str
    n_pages: int
    place: int


@dataclass(frozen=True)
class Grid:
    """What is asked of every query, a row for each in the order of the collection, and a column for each curator.

    Attributes:
        people: of the columns, by number.
        published: the queries that have a gold standard in the latest version.
        given, past: whether the query was given to them, and was due before today.
        opened, submitted: the latest draft of their own that they work on, and that they submitted, by number; 0 for
            none.
        revision: of the one submitted.
        placed: pages that have their place in the draft that stands for them.
        is_new: whether that is submitted, and not published yet.
        has_open, has_submitted: whether there is such a draft of any kind.
        adjudicated, in_adjudication: whether there is an adjudication, and one that goes on.
        mine: whether it was given to whoever looks, or begun by them.
        hidden: whether they work on it alone.
    """

    queries: Sequence[Listed]
    people: Sequence[int]
    published: Set[int]
    given: Flags
    past: Flags
    opened: Numbers
    submitted: Numbers
    revision: Numbers
    placed: Numbers
    is_new: Flags
    has_open: Flags
    has_submitted: Flags
    adjudicated: Flags
    in_adjudication: Flags
    mine: Flags
    hidden: Flags

    @cached_property
    def own(self) -> Numbers:
        """The draft that stands for a curator: the one they work on, else the one they made last; 0 for none."""
        own: Numbers = np.where(self.opened > 0, self.opened, self.submitted)
        return own

    @cached_property
    def working(self) -> Flags:
        return self.opened > 0

    @cached_property
    def finished(self) -> Flags:
        return self.submitted > 0

    @cached_property
    def concerned(self) -> Flags:
        """Who is assigned, or has a draft of their own."""
        return self.given | (self.own > 0)

    @cached_property
    def not_begun(self) -> Flags:
        not_begun: Flags = self.given & (self.own == 0)
        return not_begun

    @cached_property
    def late(self) -> Flags:
        """Who was given it and has not submitted."""
        late: Flags = self.given & ~self.finished
        return late

    @cached_property
    def overdue(self) -> Flags:
        """Who has not submitted on the day it was due."""
        overdue: Flags = self.late & self.past
        return overdue

    @cached_property
    def waiting(self) -> Flags:
        """Who has submitted, among those it was given to, while nobody adjudicates: they wait for whoever is late."""
        waiting: Flags = self.is_new & self.given & ~self.adjudicated[:, None]
        return waiting

    @cached_property
    def waited_for(self) -> Flags:
        waited_for: Flags = self.late & _any(self.waiting)[:, None]
        return waited_for

    @cached_property
    def to_compare(self) -> Flags:
        """Whether two curators or more submitted, and nobody adjudicates yet."""
        to_compare: Flags = (self.is_new.sum(axis=1) > 1) & ~self.adjudicated
        return to_compare

    @cached_property
    def is_published(self) -> Flags:
        return np.array([query.pk in self.published for query in self.queries], dtype=bool)

    def of(self, table: Flags, who: int | None) -> Flags:
        """A table's yes or no for each query: of one curator (their number), or of any."""
        if who is None:
            return _any(table)
        if who not in self.people:
            return np.zeros(len(self.queries), dtype=bool)
        column: Flags = table[:, self.people.index(who)]
        return column

    def concerning(self, who: int | None) -> Flags:
        """The queries that concern somebody; all of them for None."""
        return np.ones(len(self.queries), dtype=bool) if who is None else self.of(self.concerned, who)


def _any(table: Flags) -> Flags:
    """Per query, whether it holds for anybody."""
    return np.asarray(table.any(axis=1), dtype=bool)

"""Boolean tables of queries by curators, and the database queries that fill them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from django.db.models import F, Max, QuerySet
from numpy.typing import NDArray

from annotations.gold.selectors import latest_version
from annotations.models import Assignment, Collection, Draft, DraftPublication, GoldVersion, GoldVersionEntry

Flags: TypeAlias = NDArray[np.bool_]
"""A boolean for each query, or for each query and curator."""
Numbers: TypeAlias = NDArray[np.int64]


class ListedQuery(NamedTuple):
    """A query as lists show it, with its index in the collection."""

    pk: int
    key: str
    text: str
    n_pages: int
    place: int


@dataclass(frozen=True)
class Grid:
    """Tables with a row for each query, in the order of the collection, and mostly a column for each curator.

    Attributes:
        people: the user ids of the columns.
        published: the queries with a gold standard in the latest version.
        given, past: whether the query is assigned to the curator, and whether it was due before today.
        opened, submitted: ids of the curator's latest open and latest submitted draft; 0 for none.
        revision: the revision of the submitted draft.
        placed: the number of pages placed in the curator's current draft (`own`).
        is_new: whether the submitted draft is not published yet.
        has_open, has_submitted: whether the query has such a draft of any kind.
        adjudicated, in_adjudication: whether the query has an adjudication, and whether one is open.
        mine: whether the query is assigned to the viewer or has a draft by the viewer.
        hidden: whether the viewer works on the query independently.
    """

    queries: Sequence[ListedQuery]
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
        """Ids of each curator's current draft: the open one, or else the latest submitted one; 0 for none."""
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
        """Curators who are assigned or have their own draft."""
        return self.given | (self.own > 0)

    @cached_property
    def not_begun(self) -> Flags:
        not_begun: Flags = self.given & (self.own == 0)
        return not_begun

    @cached_property
    def late(self) -> Flags:
        """Curators who are assigned but have not submitted."""
        late: Flags = self.given & ~self.finished
        return late

    @cached_property
    def overdue(self) -> Flags:
        """Curators who have not submitted by the due date."""
        overdue: Flags = self.late & self.past
        return overdue

    @cached_property
    def waiting(self) -> Flags:
        """Assigned curators with a new submitted draft, who wait for late curators, if there is no adjudication."""
        waiting: Flags = self.is_new & self.given & ~self.adjudicated[:, None]
        return waiting

    @cached_property
    def waited_for(self) -> Flags:
        waited_for: Flags = self.late & _any(self.waiting)[:, None]
        return waited_for

    @cached_property
    def to_compare(self) -> Flags:
        """Queries that at least two curators have submitted and that have no adjudication."""
        to_compare: Flags = (self.is_new.sum(axis=1) > 1) & ~self.adjudicated
        return to_compare

    @cached_property
    def is_published(self) -> Flags:
        return np.array([query.pk in self.published for query in self.queries], dtype=bool)

    def of(self, table: Flags, who: int | None) -> Flags:
        """Return a table's value for each query, for one curator (user id) or for any curator (None)."""
        if who is None:
            return _any(table)
        if who not in self.people:
            return np.zeros(len(self.queries), dtype=bool)
        column: Flags = table[:, self.people.index(who)]
        return column

    def concerning(self, who: int | None) -> Flags:
        """Return the queries that concern a curator (user id), or all queries for None."""
        return np.ones(len(self.queries), dtype=bool) if who is None else self.of(self.concerned, who)


def _any(table: Flags) -> Flags:
    """Return, for each query, whether any curator's value is true."""
    return np.asarray(table.any(axis=1), dtype=bool)


# --- Database queries -------------------------------------------------------------------------------------------------
# They return only integers, which are cheap even for many drafts. Texts are not read, and times are read only for the
# queries that are shown.


@dataclass(frozen=True, slots=True)
class GridData:
    """All rows for the overview, without archived drafts.

    Attributes:
        given, past: query and curator ids of each assignment, and of those due before today.
        opened, submitted: query id, curator id, draft id, number of pages placed, and revision of own drafts.
        new: ids of submitted drafts that are not published yet.
        others: query id, kind, status and curator id of shared drafts and adjudications, without duplicates.
        version: the latest gold version.
        published: ids of the queries with a gold standard in that version.
    """

    queries: Sequence[ListedQuery]
    given: Numbers
    past: Numbers
    opened: Numbers
    submitted: Numbers
    new: Numbers
    others: Sequence[tuple[int, str, str, int | None]]
    version: GoldVersion | None
    published: frozenset[int]

    @property
    def people(self) -> set[int]:
        """Ids of users who are assigned a query or have their own draft."""
        return {who for rows in (self.given, self.opened, self.submitted) for who in np.unique(rows[:, 1]).tolist()}


def read_grid_data(collection: Collection, today: date) -> GridData:
    """Read the rows with at most ten database queries."""
    given = Assignment.objects.filter(query__collection=collection).order_by()
    drafts = Draft.objects.filter(query__collection=collection, archived_at=None).order_by()
    own, others = drafts.filter(kind=Draft.Kind.OWN), drafts.exclude(kind=Draft.Kind.OWN)
    submitted = own.filter(status=Draft.Status.SUBMITTED)
    version = latest_version(collection)
    entries = GoldVersionEntry.objects.filter(version=version)
    rows = _numbers(submitted, "query_id", "curator_id", "pk", "placed", "revision")
    return GridData(
        given=_numbers(given, "query_id", "curator_id"),
        past=_numbers(given.filter(due__lt=today), "query_id", "curator_id"),
        opened=_numbers(own.filter(status=Draft.Status.OPEN), "query_id", "curator_id", "pk", "placed", "revision"),
        submitted=rows,
        new=_unpublished(submitted, rows[:, 2], version),
        others=list(others.values_list("query_id", "kind", "status", "curator_id").distinct()),
        version=version,
        published=frozenset(entries.order_by().values_list("query", flat=True)),
        queries=_all_queries(collection),
    )


def due_dates(collection: Collection) -> Iterable[tuple[int, int, date]]:
    """Return query id, curator id and due date of each assignment with a due date."""
    given = Assignment.objects.filter(query__collection=collection, due__isnull=False).order_by()
    return given.values_list("query_id", "curator_id", "due")  # type: ignore[return-value]  # none is null


def _all_queries(collection: Collection) -> list[ListedQuery]:
    """Return all queries, in the order of the collection."""
    rows = collection.queries.order_by("position", "pk").values_list("pk", "key", "text", "stored_rows")
    return [ListedQuery(*row, place) for place, row in enumerate(rows)]


def _numbers(rows: QuerySet[Any], *columns: str) -> Numbers:
    # Read all rows at once, because PostgreSQL would store them first to return them in parts.
    found = chain.from_iterable(rows.values_list(*columns))
    return np.fromiter(found, dtype=np.int64).reshape(-1, len(columns))


def _unpublished(submitted: QuerySet[Draft], drafts: Numbers, version: GoldVersion | None) -> Numbers:
    """Return the ids of submitted drafts that are not published yet.

    This applies the rule of `published_times` without reading all times.
    """
    if version is None:
        return drafts
    made, again = "query__gold_entries__gold__created_at", "query__drafts__publications__published_at"
    ways = {f"{made}__gte": F("submitted_at")}, {f"{again}__gte": F("submitted_at"), f"{again}__gt": F(made)}
    old = [submitted.filter(query__gold_entries__version=version, **way).values_list("pk", flat=True) for way in ways]
    return drafts[~np.isin(drafts, [*old[0], *old[1].distinct()])]


def published_times(version: GoldVersion | None, queries: Iterable[int]) -> dict[int, datetime]:
    """Return a dict of query id -> publication time of its gold standard in a version, with two database queries."""
    entries = GoldVersionEntry.objects.filter(version=version, query__in=queries).order_by()
    times = dict(entries.values_list("query_id", F("gold__created_at")))
    # If the same content is published again, the gold standard is older than the draft that it was made from.
    drafts = DraftPublication.objects.filter(draft__query__in=times).order_by()
    for query, latest in drafts.values_list("draft__query_id").annotate(latest=Max("published_at")):
        times[query] = max(times[query], latest)
    return times


def make_grid(found: GridData, person: int, people: Sequence[int], alone: Iterable[int]) -> Grid:
    """Build the tables.

    Args:
        person: the id of the viewer.
        people: the user id of each column.
        alone: ids of the queries that the viewer works on independently.
    """
    places = _GridIndices(found.queries, people)
    opened, submitted = places.latest(found.opened), places.latest(found.submitted)
    working, finished = opened.number > 0, submitted.number > 0
    given = places.flags(found.given)
    judged = [row for row in found.others if row[1] == Draft.Kind.ADJUDICATION]
    is_mine = np.array([who == person for who in people], dtype=bool)
    return Grid(
        queries=found.queries,
        people=people,
        published=found.published,
        given=given,
        past=places.flags(found.past),
        opened=opened.number,
        submitted=submitted.number,
        revision=submitted.revision,
        placed=np.where(working, opened.placed, submitted.placed),
        is_new=np.isin(submitted.number, found.new) & finished & ~working,
        has_open=working.any(axis=1) | places.rows(row[0] for row in found.others if row[2] == Draft.Status.OPEN),
        has_submitted=finished.any(axis=1)
        | places.rows(row[0] for row in found.others if row[2] == Draft.Status.SUBMITTED),
        adjudicated=places.rows(row[0] for row in judged),
        in_adjudication=places.rows(row[0] for row in judged if row[2] == Draft.Status.OPEN),
        mine=((given | working | finished) & is_mine).any(axis=1)
        | places.rows(row[0] for row in found.others if row[3] == person),
        hidden=places.rows(alone),
    )


@dataclass(frozen=True, slots=True)
class _Latest:
    """The id, number of pages placed and revision of each curator's latest own draft of each query; 0 for none."""

    number: Numbers
    placed: Numbers
    revision: Numbers


class _GridIndices:
    """The indices of queries and curators in the tables. Rows deleted or added during reading are ignored."""

    def __init__(self, queries: Sequence[ListedQuery], people: Sequence[int]) -> None:
        self._queries, self._people = [query.pk for query in queries], list(people)

    def rows(self, queries: Iterable[int]) -> Flags:
        """Return a boolean for each query, true for the given queries."""
        chosen = set(queries)
        return np.array([query in chosen for query in self._queries], dtype=bool)

    def flags(self, pairs: Numbers) -> Flags:
        """Return a table that is true for these pairs of a query and a curator."""
        _, rows, columns = self._there(pairs)
        table = np.zeros((len(self._queries), len(self._people)), dtype=bool)
        table[rows, columns] = True
        return table

    def latest(self, drafts: Numbers) -> _Latest:
        """Return tables of drafts. If a curator has several drafts of a query, the one with the highest id is used."""
        known, rows, columns = self._there(drafts[np.argsort(drafts[:, 2])])
        tables = np.zeros((3, len(self._queries), len(self._people)), dtype=np.int64)
        tables[:, rows, columns] = known[:, 2:].T
        return _Latest(*tables)

    def _there(self, found: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Return the entries whose query and curator are known, with their row and column indices."""
        rows, columns = indices_of(found[:, 0], self._queries), indices_of(found[:, 1], self._people)
        there = (rows >= 0) & (columns >= 0)
        return found[there], rows[there], columns[there]


def indices_of(values: Numbers, known: Sequence[int] | Numbers) -> Numbers:
    """Return the index of each value in ``known``, or -1."""
    if not len(known):
        return np.full(len(values), -1)
    order = np.argsort(known)
    at = order[np.searchsorted(known, values, sorter=order).clip(max=len(known) - 1)]
    found: Numbers = np.where(np.asarray(known)[at] == values, at, -1)
    return found

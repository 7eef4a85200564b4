"""Queries by curators as tables of true and false, and the database queries that fill them."""

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


# --- Database queries -------------------------------------------------------------------------------------------------
# They return whole numbers only, which cost next to nothing however many drafts there are; texts are not read, and
# times only for the queries that are shown.


@dataclass(frozen=True, slots=True)
class Reading:
    """Everything; drafts that are archived are left out.

    Attributes:
        given, past: query and curator of each assignment, and of those that were due before today.
        opened, submitted: query, curator, number, pages placed and revision of own drafts, open or submitted.
        new: of submitted ones that are not published yet, by number.
        others: query, kind, status and curator of shared drafts and adjudications, as many as differ.
        version: the latest one of the gold standard.
        published: the queries it has.
    """

    queries: Sequence[Listed]
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
        """Whoever was given a query, or has a draft of their own."""
        return {who for rows in (self.given, self.opened, self.submitted) for who in np.unique(rows[:, 1]).tolist()}


def read(collection: Collection, today: date) -> Reading:
    """At most ten queries to the database."""
    given = Assignment.objects.filter(query__collection=collection).order_by()
    drafts = Draft.objects.filter(query__collection=collection, archived_at=None).order_by()
    own, others = drafts.filter(kind=Draft.Kind.OWN), drafts.exclude(kind=Draft.Kind.OWN)
    submitted = own.filter(status=Draft.Status.SUBMITTED)
    version = latest_version(collection)
    entries = GoldVersionEntry.objects.filter(version=version)
    rows = _numbers(submitted, "query_id", "curator_id", "pk", "placed", "revision")
    return Reading(
        given=_numbers(given, "query_id", "curator_id"),
        past=_numbers(given.filter(due__lt=today), "query_id", "curator_id"),
        opened=_numbers(own.filter(status=Draft.Status.OPEN), "query_id", "curator_id", "pk", "placed", "revision"),
        submitted=rows,
        new=_new(submitted, rows[:, 2], version),
        others=list(others.values_list("query_id", "kind", "status", "curator_id").distinct()),
        version=version,
        published=frozenset(entries.order_by().values_list("query", flat=True)),
        queries=_listed(collection),
    )


def due_days(collection: Collection) -> Iterable[tuple[int, int, date]]:
    """Query, curator and day of each assignment that has one."""
    given = Assignment.objects.filter(query__collection=collection, due__isnull=False).order_by()
    return given.values_list("query_id", "curator_id", "due")  # type: ignore[return-value]  # none is null


def _listed(collection: Collection) -> list[Listed]:
    """Every query, in the order of the collection."""
    rows = collection.queries.order_by("position", "pk").values_list("pk", "key", "text", "stored_rows")
    return [Listed(*row, place) for place, row in enumerate(rows)]


def _numbers(rows: QuerySet[Any], *columns: str) -> Numbers:
    # All of them at once: read in parts, PostgreSQL would store them first.
    found = chain.from_iterable(rows.values_list(*columns))
    return np.fromiter(found, dtype=np.int64).reshape(-1, len(columns))


def _new(submitted: QuerySet[Draft], drafts: Numbers, version: GoldVersion | None) -> Numbers:
    """Which of the submitted drafts are not published yet, by number: as `published_times` has it, without reading so
    many times."""
    if version is None:
        return drafts
    made, again = "query__gold_entries__gold__created_at", "query__drafts__publications__published_at"
    ways = {f"{made}__gte": F("submitted_at")}, {f"{again}__gte": F("submitted_at"), f"{again}__gt": F(made)}
    old = [submitted.filter(query__gold_entries__version=version, **way).values_list("pk", flat=True) for way in ways]
    return drafts[~np.isin(drafts, [*old[0], *old[1].distinct()])]


def published_times(version: GoldVersion | None, queries: Iterable[int]) -> dict[int, datetime]:
    """Query -> when its gold standard in a version was published, from whatever source; two queries to the database."""
    entries = GoldVersionEntry.objects.filter(version=version, query__in=queries).order_by()
    times = dict(entries.values_list("query_id", F("gold__created_at")))
    # The same content may be published again: then its gold is older than what it was made from.
    drafts = DraftPublication.objects.filter(draft__query__in=times).order_by()
    for query, latest in drafts.values_list("draft__query_id").annotate(latest=Max("published_at")):
        times[query] = max(times[query], latest)
    return times


def grid_of(found: Reading, person: int, people: Sequence[int], alone: Iterable[int]) -> Grid:
    """The tables.

    Args:
        person: who looks.
        people: for each column.
        alone: the queries they work on alone.
    """
    places = _Places(found.queries, people)
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
    """The latest own draft of each curator and query, by number, its pages placed and its revision; 0 for none."""

    number: Numbers
    placed: Numbers
    revision: Numbers


class _Places:
    """Where queries and curators are in the tables. What has gone or come while all was read is in none."""

    def __init__(self, queries: Sequence[Listed], people: Sequence[int]) -> None:
        self._queries, self._people = [query.pk for query in queries], list(people)

    def rows(self, queries: Iterable[int]) -> Flags:
        """A yes for each of these queries."""
        chosen = set(queries)
        return np.array([query in chosen for query in self._queries], dtype=bool)

    def flags(self, pairs: Numbers) -> Flags:
        """A yes for each of these queries and curators."""
        _, rows, columns = self._there(pairs)
        table = np.zeros((len(self._queries), len(self._people)), dtype=bool)
        table[rows, columns] = True
        return table

    def latest(self, drafts: Numbers) -> _Latest:
        """Of several drafts for a place, the last one in the order of their numbers is what a table keeps."""
        kept, rows, columns = self._there(drafts[np.argsort(drafts[:, 2])])
        tables = np.zeros((3, len(self._queries), len(self._people)), dtype=np.int64)
        tables[:, rows, columns] = kept[:, 2:].T
        return _Latest(*tables)

    def _there(self, found: Numbers) -> tuple[Numbers, Numbers, Numbers]:
        """Those of these whose query and curator are known, and their rows and columns."""
        rows, columns = places_of(found[:, 0], self._queries), places_of(found[:, 1], self._people)
        there = (rows >= 0) & (columns >= 0)
        return found[there], rows[there], columns[there]


def places_of(values: Numbers, known: Sequence[int] | Numbers) -> Numbers:
    """Where each value is among those known; -1 where it is not."""
    if not len(known):
        return np.full(len(values), -1)
    order = np.argsort(known)
    at = order[np.searchsorted(known, values, sorter=order).clip(max=len(known) - 1)]
    found: Numbers = np.where(np.asarray(known)[at] == values, at, -1)
    return found

"""The curation overview as one person sees it: filtered queries and the rows of a page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from typing import NamedTuple

import numpy as np
from django.db.models import BooleanField, Exists, ExpressionWrapper, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from annotations.access import May, capabilities
from annotations.drafts.access import independent_queries
from annotations.models import Assignment, Collection, Draft
from annotations.people.selectors import curators
from annotations.team.selectors.filters import (
    STATE_CONDITIONS,
    OverviewFilter,
    QueryOrder,
    QueryState,
    matching_words,
)
from annotations.team.selectors.grid import ListedQuery, due_dates, make_grid, published_times, read_grid_data
from annotations.team.selectors.next_steps import NextStep, OverviewDraft, next_step, overview_drafts
from annotations.team.selectors.totals import Total, Wait, totals, waits


class Overview:
    """The curation of a collection as one person sees it.

    The number of database queries does not depend on the size of the collection. They read a few integers of all rows
    into tables (`grid`), and the drafts of the queries that are shown.
    """

    def __init__(self, collection: Collection, person: User) -> None:
        self.collection = collection
        self.person = person
        self.may = capabilities(person, collection)
        self.curators = curators(collection)
        self.alone = frozenset(
            independent_queries(person).filter(collection=collection).order_by().values_list("pk", flat=True)
        )
        found = read_grid_data(collection, timezone.localdate())
        self.people = self._people(found.people)
        self.version = found.version
        self.grid = make_grid(found, person.pk, list(self.people), self.alone)

    def found(self, choice: OverviewFilter) -> list[ListedQuery]:
        """Return the queries that match a choice, in its order."""
        who = self._number(choice.curator)
        shown = matching_words(self.grid, choice) & STATE_CONDITIONS[choice.show](self.grid, who)
        return self._ordered([self.grid.queries[place] for place in shown.nonzero()[0].tolist()], choice.sort, who)

    def counts(self, choice: OverviewFilter) -> dict[QueryState, int]:
        """Return the number of queries that the same choice finds in each state."""
        who, among = self._number(choice.curator), matching_words(self.grid, choice)
        return {show: int((STATE_CONDITIONS[show](self.grid, who) & among).sum()) for show in QueryState}

    def rows_of(self, shown: Sequence[ListedQuery]) -> list[OverviewRow]:
        """Return rows with the drafts of these queries, using at most six database queries."""
        queries = [one.pk for one in shown]
        works: dict[int, list[OverviewDraft]] = {query: [] for query in queries}
        for work in overview_drafts(queries, self.person, self.alone, leads=May.PUBLISH in self.may):
            works[work.draft.query_id].append(work)
        given = assignment_terms(queries)
        published = published_times(self.version, queries)
        return [self._row(one, works[one.pk], given[one.pk], published.get(one.pk)) for one in shown]

    @property
    def rows(self) -> list[OverviewRow]:
        """All queries: first the viewer's, then the others, each in the order of the collection."""
        return self.rows_of(self.found(OverviewFilter()))

    @cached_property
    def totals(self) -> list[Total]:
        return totals(self.collection, self.person, self.people, self.grid)

    @cached_property
    def waits(self) -> list[Wait]:
        return waits(self.people, self.grid)

    def _people(self, numbers: set[int]) -> dict[int, User]:
        """Return users who may curate, are assigned or have a draft: first the viewer, then the others by name."""
        known = {user.pk: user for user in self.curators}
        missing = numbers - known.keys()
        known |= {user.pk: user for user in User.objects.filter(pk__in=missing)} if missing else {}
        return dict(sorted(known.items(), key=lambda pair: (pair[1] != self.person, pair[1].get_username())))

    def _number(self, name: str) -> int | None:
        """Return the id of a curator by user name: 0 if unknown, None for the empty name (all curators)."""
        return next((pk for pk, user in self.people.items() if user.get_username() == name), 0) if name else None

    def _ordered(self, queries: list[ListedQuery], sort: QueryOrder, who: int | None) -> list[ListedQuery]:
        """Sort queries, which are given in the order of the collection."""
        match sort:
            case QueryOrder.DUE:
                due = self._next_due(who)
                return sorted(queries, key=lambda query: due.get(query.pk, date.max))
            case QueryOrder.CHANGED:
                changed = self._changed()
                return sorted(queries, key=lambda query: -changed.get(query.pk, 0.0))
            case _:
                mine = self.grid.mine.tolist()
                return sorted(queries, key=lambda query: not mine[query.place])

    def _next_due(self, who: int | None) -> dict[int, date]:
        """Return a dict of query -> earliest due date of curators (or of this curator) who have not submitted."""
        late = {(self.grid.queries[row].pk, self.grid.people[column]) for row, column in np.argwhere(self.grid.late)}
        found: dict[int, date] = {}
        for query, curator, day in due_dates(self.collection):
            if (query, curator) in late and who in {None, curator}:
                found[query] = min(day, found.get(query, day))
        return found

    def _changed(self) -> dict[int, float]:
        """Return a dict of query -> time of the last change, without changes that are hidden from the viewer."""
        visible = ~Q(query__in=self.alone) | Q(kind=Draft.Kind.SHARED)
        drafts = Draft.objects.filter(visible, query__collection=self.collection, archived_at=None).order_by()
        return {query: at.timestamp() for query, at in drafts.values_list("query_id").annotate(Max("changed_at"))}

    def _row(
        self,
        query: ListedQuery,
        works: Sequence[OverviewDraft],
        given: Mapping[int, AssignmentTerms],
        published_at: datetime | None,
    ) -> OverviewRow:
        by_pk = {work.draft.pk: work for work in works}
        # Drafts and assignments may have been added or deleted since the tables were read.
        drafts = zip(self.people, self.grid.own[query.place].tolist(), strict=True)
        own = {who: by_pk[draft] for who, draft in drafts if draft in by_pk}
        first = {work.draft.pk for work in own.values()}
        overdue = dict(zip(self.people, self.grid.overdue[query.place].tolist(), strict=True))
        assigned = [self.people[who] for who in given if who in self.people]
        return OverviewRow(
            query=query,
            n_pages=query.n_pages,
            cells=[
                OverviewCell(user, given.get(who), own.get(who), who in given and overdue[who])
                for who, user in self.people.items()
                if who in given or who in own
            ],
            others=[work for work in works if work.draft.pk not in first],
            published_at=published_at,
            next=next_step(works, assigned, published_at, self.person, self.may),
            is_mine=bool(self.grid.mine[query.place]),
        )


# --- Rows -------------------------------------------------------------------------------------------------------------


class AssignmentTerms(NamedTuple):
    """An assignment."""

    due: date | None
    note: str


@dataclass(frozen=True, slots=True)
class OverviewCell:
    """A curator's assignment and draft of a query, if they exist."""

    curator: User
    assignment: AssignmentTerms | None
    work: OverviewDraft | None
    is_overdue: bool


@dataclass(frozen=True, slots=True)
class OverviewRow:
    """A query."""

    query: ListedQuery
    n_pages: int
    cells: Sequence[OverviewCell]
    """Curators who are assigned or have a draft. The viewer comes first."""
    others: Sequence[OverviewDraft]
    """Shared drafts, adjudications, and further own drafts of the same curator."""
    published_at: datetime | None
    next: NextStep
    is_mine: bool
    """Whether the query is assigned to the viewer or begun by them."""

    @property
    def works(self) -> list[OverviewDraft]:
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


def assignment_terms(queries: Sequence[int]) -> Mapping[int, Mapping[int, AssignmentTerms]]:
    """Return a dict of query id -> curator id -> assignment."""
    found: dict[int, dict[int, AssignmentTerms]] = {query: {} for query in queries}
    rows = Assignment.objects.filter(query__in=queries).order_by("query_id", "pk")
    for query, curator, due, note in rows.values_list("query_id", "curator_id", "due", "note"):
        found[query][curator] = AssignmentTerms(due, note)
    return found


def first_assignment(collection: Collection, keys: Sequence[str], names: Sequence[str]) -> AssignmentTerms | None:
    """Return the first assignment, in the order of the collection, of these queries to these people, or None."""
    rows = Assignment.objects.filter(query__collection=collection, query__key__in=keys, curator__username__in=names)
    found = rows.order_by("query__position", "query_id", "pk").values_list("due", "note").first()
    return AssignmentTerms(*found) if found else None


# --- Single assignments -----------------------------------------------------------------------------------------------


def assignments_of(collection: Collection) -> QuerySet[Assignment]:
    """Return the assignments of a collection, by query, with ``overdue``.

    An assignment is overdue if it was due before today (UTC) and its curator has not submitted.
    """
    submitted = Draft.objects.filter(
        query=OuterRef("query"),
        curator=OuterRef("curator"),
        kind=Draft.Kind.OWN,
        status=Draft.Status.SUBMITTED,
        archived_at=None,
    )
    rows = Assignment.objects.filter(query__collection=collection).select_related("query", "curator", "assigned_by")
    late = Q(due__isnull=False, due__lt=timezone.localdate()) & ~Q(Exists(submitted))
    rows = rows.annotate(overdue=ExpressionWrapper(late, output_field=BooleanField()))
    return rows.order_by("query__position", "query_id", "pk")

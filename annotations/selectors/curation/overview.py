"""Queries x curators, as one person sees them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from django.db.models import Count, F

from accounts.models import User
from annotations.access import May, capabilities, is_blind
from annotations.models import Assignment, Collection, Draft, DraftPresence, DraftPublication, GoldVersionEntry, Query
from annotations.selectors.curation.steps import Next, next_step
from annotations.selectors.curation.works import Work, drafts_of, is_own
from annotations.selectors.gold import latest_version
from annotations.selectors.people import curators


@dataclass(frozen=True, slots=True)
class Cell:
    """A curator and a query: the assignment and the draft, if there are such."""

    curator: User
    assignment: Assignment | None
    work: Work | None


@dataclass(frozen=True, slots=True)
class Row:
    """A query, in the order of the collection."""

    query: Query
    cells: Sequence[Cell]
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
    def is_assigned(self) -> bool:
        return any(cell.assignment for cell in self.cells)

    @property
    def is_submitted(self) -> bool:
        return any(work.is_submitted for work in self.works)


@dataclass(frozen=True, slots=True)
class Total:
    """One curator over all queries. Pages are those of own drafts: in a shared one nobody's are counted."""

    curator: User
    assigned: int
    done: int
    begun: int
    placed: int
    last_active: datetime | None


class Show(StrEnum):
    """Which queries a list shows."""

    MINE = "mine"
    ALL = "all"
    UNASSIGNED = "unassigned"
    SUBMITTED = "submitted"
    PUBLISHED = "published"

    def holds(self, row: Row) -> bool:
        return {
            Show.MINE: row.is_mine,
            Show.ALL: True,
            Show.UNASSIGNED: not row.is_assigned,
            Show.SUBMITTED: row.is_submitted,
            Show.PUBLISHED: row.published_at is not None,
        }[self]


class Overview:
    """The curation of a collection as one person sees it."""

    def __init__(self, collection: Collection, person: User) -> None:
        self.collection = collection
        self.person = person
        self.may = capabilities(person, collection)
        self.curators = curators(collection)
        self._queries = list(collection.queries.annotate(n_pages=Count("pages")).order_by("position", "pk"))
        self._drafts = list(drafts_of(collection))
        self._assignments = list(Assignment.objects.filter(query__collection=collection).select_related("curator"))
        self._assigned_to: dict[int, list[User]] = {query.pk: [] for query in self._queries}
        for row in self._assignments:
            self._assigned_to[row.query_id].append(row.curator)
        self._published = _published(collection)

    @cached_property
    def columns(self) -> list[User]:
        """Whoever has a query or a draft; whoever looks comes first."""
        found = {row.curator_id: row.curator for row in self._assignments}
        found |= {user.pk: user for draft in self._drafts if is_own(draft) and (user := draft.curator)}
        return sorted(found.values(), key=lambda user: (user != self.person, user.get_username()))

    @cached_property
    def rows(self) -> list[Row]:
        """Every query: those assigned to whoever looks first, then in the order of the collection."""
        rows = [self._row(query) for query in self._queries]
        return sorted(rows, key=lambda row: not row.is_mine)

    @cached_property
    def totals(self) -> list[Total]:
        """Everybody who may curate or did."""
        people = {user.pk: user for user in (*self.columns, *self.curators)}
        active = self._last_active()
        assigned = Counter(row.curator_id for row in self._assignments)
        return [self._total(user, assigned[user.pk], active.get(user.pk)) for user in people.values()]

    def shown(self, show: Show) -> list[Row]:
        return [row for row in self.rows if show.holds(row)]

    def counts(self) -> dict[Show, int]:
        return {show: len(self.shown(show)) for show in Show}

    @cached_property
    def _works(self) -> dict[int, list[Work]]:
        """Query -> its drafts."""
        alone = {draft.query_id for draft in self._drafts if is_own(draft) and self._is_open_and_mine(draft)}
        works: dict[int, list[Work]] = {query.pk: [] for query in self._queries}
        for draft in self._drafts:
            works_alone = draft.query_id in alone
            leads = May.PUBLISH in self.may and not works_alone
            works[draft.query_id].append(Work(draft, not is_blind(self.person, draft, works_alone), leads))
        return works

    @cached_property
    def _assigned(self) -> dict[tuple[int, int], Assignment]:
        return {(row.query_id, row.curator_id): row for row in self._assignments}

    def _row(self, query: Query) -> Row:
        works = self._works[query.pk]
        cells = [self._cell(query, user) for user in self.columns]
        first = {cell.work.draft.pk for cell in cells if cell.work}
        assigned = self._assigned_to[query.pk]
        published_at = self._published.get(query.pk)
        return Row(
            query=query,
            cells=cells,
            others=[work for work in works if work.draft.pk not in first],
            published_at=published_at,
            next=next_step(works, assigned, published_at, self.person, self.may),
            is_mine=self.person in assigned or any(work.draft.curator_id == self.person.pk for work in works),
        )

    def _cell(self, query: Query, user: User) -> Cell:
        own = [work for work in self._works[query.pk] if is_own(work.draft) and work.draft.curator_id == user.pk]
        # The one they work on stands for them; else the one they made last.
        own.sort(key=lambda work: (work.is_submitted, -work.draft.pk))
        return Cell(user, self._assigned.get((query.pk, user.pk)), own[0] if own else None)

    def _total(self, user: User, assigned: int, last_active: datetime | None) -> Total:
        works = [cell.work for row in self.rows for cell in row.cells if cell.curator == user and cell.work]
        done = sum(work.is_submitted for work in works)
        return Total(user, assigned, done, len(works) - done, sum(work.placed for work in works), last_active)

    def _last_active(self) -> dict[int, datetime]:
        """Person -> when they were last seen in a draft, or last changed one of their own."""
        seen = DraftPresence.objects.filter(draft__query__collection=self.collection)
        times = seen.values_list("user_id", "seen_at")
        return dict(sorted([*times, *self._changed()], key=lambda pair: pair[1]))

    def _changed(self) -> Iterable[tuple[int, datetime]]:
        """Per draft of one curator: who, and when it was last changed."""
        works = (work for works in self._works.values() for work in works)
        return ((pk, work.updated) for work in works if (pk := work.draft.curator_id) is not None)

    def _is_open_and_mine(self, draft: Draft) -> bool:
        return draft.curator_id == self.person.pk and draft.status == Draft.Status.OPEN


def _published(collection: Collection) -> dict[int, datetime]:
    """Query -> when its gold standard in the latest version was published, from whatever source."""
    entries = GoldVersionEntry.objects.filter(version=latest_version(collection))
    times = dict(entries.values_list("query_id", F("gold__created_at")))
    # The same content may be published again: then its gold is older than what it was made from.
    drafts = DraftPublication.objects.filter(draft__query__collection=collection).order_by("published_at")
    return times | {query: at for query, at in drafts.values_list("draft__query_id", "published_at") if query in times}

"""What is known of every query of a collection without its drafts' contents: enough to filter, sort and count by.

A team of ten with 500 queries has 5,000 drafts and as many assignments. They are read as plain values, in one query
each; only the queries on the page that is shown become rows with drafts (`overview.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import NamedTuple

from django.db.models import OuterRef, Subquery
from django.db.models.fields.json import KT

from annotations.models import Assignment, Collection, Draft, DraftEntry, Query


class Given(NamedTuple):
    """An assignment."""

    due: date | None
    note: str


class Sketch(NamedTuple):
    """A draft in few words."""

    pk: int
    query_id: int
    curator_id: int | None
    kind: str
    status: str
    submitted_at: datetime | None
    updated: datetime
    placed: int
    """Pages that have their place on the first level."""

    @property
    def is_submitted(self) -> bool:
        return self.status == Draft.Status.SUBMITTED

    @property
    def is_own(self) -> bool:
        return self.kind == Draft.Kind.OWN


@dataclass(slots=True)
class Outline:
    """A query, whom it was given to (by number), and its drafts.

    Attributes:
        own: per curator the draft that stands for them: the one they work on, else the one they made last.
        progress_hidden: whoever looks works on it alone.
    """

    query: Query
    today: date
    published_at: datetime | None = None
    is_mine: bool = False
    progress_hidden: bool = False
    given: dict[int, Given] = field(default_factory=dict)
    drafts: list[Sketch] = field(default_factory=list)
    own: dict[int, Sketch] = field(default_factory=dict)
    finished: set[int] = field(default_factory=set)

    def add(self, draft: Sketch) -> None:
        self.drafts.append(draft)
        if not draft.is_own or draft.curator_id is None:
            return
        if draft.is_submitted:
            self.finished.add(draft.curator_id)
        held = self.own.get(draft.curator_id)
        if held is None or stands_first(draft) < stands_first(held):
            self.own[draft.curator_id] = draft

    def concerns(self, who: int) -> bool:
        """Whether somebody is assigned, or has a draft of their own."""
        return who in self.given or who in self.own

    @property
    def not_begun(self) -> set[int]:
        return self.given.keys() - self.own.keys()

    @property
    def working(self) -> set[int]:
        return {who for who, draft in self.own.items() if not draft.is_submitted}

    @property
    def overdue(self) -> set[int]:
        """Who has not submitted on the day it was due."""
        return {who for who, given in self.given.items() if self.is_overdue(who, given)}

    def is_overdue(self, who: int, given: Given) -> bool:
        return given.due is not None and given.due < self.today and who not in self.finished

    def next_due(self, who: int | None = None) -> date | None:
        """The first day on which somebody (or this curator) has to submit who has not."""
        waiting = (given.due for one, given in self.given.items() if one not in self.finished and who in {None, one})
        return min((due for due in waiting if due), default=None)

    @property
    def has_open(self) -> bool:
        return any(not draft.is_submitted for draft in self.drafts)

    @property
    def has_submitted(self) -> bool:
        return any(draft.is_submitted for draft in self.drafts)

    @property
    def is_adjudicated(self) -> bool:
        return any(draft.kind == Draft.Kind.ADJUDICATION for draft in self.drafts)

    @property
    def is_in_adjudication(self) -> bool:
        return any(draft.kind == Draft.Kind.ADJUDICATION and not draft.is_submitted for draft in self.drafts)

    @property
    def is_to_compare(self) -> bool:
        """Whether two curators or more submitted, and nobody adjudicates yet."""
        return len(self._new()) > 1 and not self.is_adjudicated

    @property
    def waits(self) -> list[tuple[int, int]]:
        """Who has submitted and waits for whom, among those it was given to."""
        if self.is_adjudicated:
            return []
        late = [who for who in self.given if who not in self.finished]
        return [(who, other) for who in self._new() if who in self.given for other in late]

    @property
    def changed_at(self) -> float:
        """When somebody last worked on it, as far as that is told; 0 for never."""
        told = (draft for draft in self.drafts if not (self.progress_hidden and draft.kind != Draft.Kind.SHARED))
        return max((draft.updated.timestamp() for draft in told), default=0.0)

    def _new(self) -> list[int]:
        """Who has submitted something that is not published yet."""
        since = self.published_at
        drafts = [draft for draft in self.own.values() if draft.is_submitted]
        new = [draft for draft in drafts if not since or (draft.submitted_at and draft.submitted_at > since)]
        return [draft.curator_id for draft in new if draft.curator_id is not None]


def stands_first(draft: Sketch) -> tuple[bool, int]:
    """Sorts the drafts one curator has of a query: the one they work on, then the one they made last."""
    return draft.is_submitted, -draft.pk


def sketches(collection: Collection) -> Iterable[Sketch]:
    """Every draft that is not archived, by query."""
    latest = DraftEntry.objects.filter(draft=OuterRef("pk"), revision=OuterRef("revision"))
    drafts = Draft.objects.filter(query__collection=collection, archived_at=None).order_by("query", "pk")
    columns = drafts.annotate(
        latest=Subquery(latest.values("created_at")[:1]), placed=KT("summary__levels__0__placed")
    ).values_list("pk", "query_id", "curator_id", "kind", "status", "submitted_at", "created_at", "latest", "placed")
    for pk, query, curator, kind, status, submitted_at, created_at, updated, placed in columns.iterator():
        yield Sketch(pk, query, curator, kind, status, submitted_at, updated or created_at, int(placed or 0))


def given(collection: Collection) -> Iterable[tuple[int, int, Given]]:
    """Every assignment: query, curator, and until when."""
    rows = Assignment.objects.filter(query__collection=collection).order_by("query", "pk")
    for query, curator, due, note in rows.values_list("query_id", "curator_id", "due", "note"):
        yield query, curator, Given(due, note)


def outlines(
    collection: Collection, person: int, today: date, published: Mapping[int, datetime], alone: frozenset[int]
) -> list[Outline]:
    """Every query, in the order of the collection; three queries to the database."""
    queries = collection.queries.defer("extra").order_by("position", "pk")
    found = {
        query.pk: Outline(query, today, published.get(query.pk), progress_hidden=query.pk in alone) for query in queries
    }
    for query, curator, assignment in given(collection):
        found[query].given[curator] = assignment
    for draft in sketches(collection):
        found[draft.query_id].add(draft)
    for one in found.values():
        one.is_mine = person in one.given or any(draft.curator_id == person for draft in one.drafts)
    return list(found.values())

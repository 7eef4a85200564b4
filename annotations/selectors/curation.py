"""How far the curation of a collection is: queries x curators, and what is next for whoever looks.

Own drafts of others are blind: of those, an overview holds the name and the figures of progress, never a way in
(`annotations.access.is_blind`). All of it takes the same few database queries however long the collection is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cached_property

from django.db.models import Count, F, OuterRef, QuerySet, Subquery

from accounts.models import User
from annotations.access import May, capabilities, is_blind
from annotations.models import (
    AdjudicationDecision,
    Assignment,
    Collection,
    Draft,
    DraftEntry,
    DraftPresence,
    DraftPublication,
    GoldVersionEntry,
    Query,
)
from annotations.selectors.people import curators
from qc4.problems.wording import counted


@dataclass(frozen=True, slots=True)
class Work:
    """A draft as the overview shows it."""

    draft: Draft
    seen: bool
    """Whether whoever looks may open it."""

    @property
    def levels(self) -> list[dict[str, int]]:
        """Per level: ``level``, pages ``placed`` (outliers count), pages ``total``."""
        levels: list[dict[str, int]] = self.draft.summary.get("levels", [])
        return levels

    @property
    def placed(self) -> int:
        """Pages that have their place on the first level."""
        return self.levels[0]["placed"] if self.levels else 0

    @property
    def is_submitted(self) -> bool:
        return self.draft.status == Draft.Status.SUBMITTED

    @property
    def is_decided(self) -> bool:
        """Whether an adjudication's last answer left no question open."""
        n_open: int | None = self.draft.n_open  # type: ignore[attr-defined]  # annotated by `_drafts`
        return n_open == 0

    @property
    def updated(self) -> datetime:
        """When its latest entry was made, or the draft itself."""
        latest: datetime | None = self.draft.updated  # type: ignore[attr-defined]  # annotated by `_drafts`
        return latest or self.draft.created_at


class Step(StrEnum):
    """What whoever looks can do next about a query."""

    START = "Start your draft"
    CONTINUE = "Continue"
    COMPARE = "Compare"
    ADJUDICATE = "Adjudicate"
    REPAIR = "Repair"
    PUBLISH = "Publish"
    WAIT = "Wait"
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class Next:
    """A step and the drafts it is about: none, one, or the two to compare."""

    step: Step
    drafts: tuple[Draft, ...] = ()
    words: str = ""
    """What a `Step.WAIT` waits for, what a `Step.REPAIR` repairs."""


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
        self._drafts = list(_drafts(collection))
        self._assignments = list(Assignment.objects.filter(query__collection=collection).select_related("curator"))
        self._assigned_to: dict[int, list[User]] = {query.pk: [] for query in self._queries}
        for row in self._assignments:
            self._assigned_to[row.query_id].append(row.curator)
        self._published = _published(collection)

    @cached_property
    def columns(self) -> list[User]:
        """Whoever has a query or a draft; whoever looks comes first."""
        found = {row.curator_id: row.curator for row in self._assignments}
        found |= {user.pk: user for draft in self._drafts if _is_own(draft) and (user := draft.curator)}
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
        alone = {draft.query_id for draft in self._drafts if _is_own(draft) and self._is_open_and_mine(draft)}
        works: dict[int, list[Work]] = {query.pk: [] for query in self._queries}
        for draft in self._drafts:
            works[draft.query_id].append(Work(draft, not is_blind(self.person, draft, draft.query_id in alone)))
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
        own = [work for work in self._works[query.pk] if _is_own(work.draft) and work.draft.curator_id == user.pk]
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


def next_step(
    works: Sequence[Work],
    assigned: Sequence[User],
    published_at: datetime | None,
    person: User,
    may: frozenset[May],
) -> Next:
    """What this person can do next about a query, given its drafts and whom it is assigned to."""
    mine = [work for work in works if _is_own(work.draft) and work.draft.curator_id == person.pk]
    unfinished = [work for work in mine if not work.is_submitted]
    if unfinished:
        return Next(Step.CONTINUE, (unfinished[-1].draft,))
    if person in assigned and not mine:
        return Next(Step.START)
    return _of_finished(works, assigned, published_at, may) or _of_open(works, mine, assigned, published_at)


def _of_finished(
    works: Sequence[Work], assigned: Sequence[User], published_at: datetime | None, may: frozenset[May]
) -> Next | None:
    """What submitted drafts and adjudications ask for; None if nothing."""
    judged = [work for work in works if work.draft.kind == Draft.Kind.ADJUDICATION]
    unfinished = [work for work in judged if not work.is_submitted and not _is_published(work, published_at)]
    if May.PUBLISH in may and unfinished:
        return _of_adjudication(unfinished[0])
    own = [work.draft for work in works if work.is_submitted and _is_own(work.draft) and work.seen]
    by_curator = {draft.curator_id: draft for draft in own}
    ready = [work.draft for work in works if work.is_submitted and not _is_own(work.draft)]
    new = [draft for draft in (*ready, *own) if published_at is None or _later(draft.submitted_at, published_at)]
    if not new:
        return None
    if not judged and len(by_curator) >= 2:
        return Next(Step.COMPARE, tuple(by_curator.values())[:2])
    alone = ready or len(assigned) < 2
    if May.PUBLISH in may and alone:
        return Next(Step.PUBLISH, (max(new, key=lambda draft: (draft in ready, draft.submitted_at)),))
    return None


def _is_published(work: Work, published_at: datetime | None) -> bool:
    """Whether a decided adjudication has not changed since the query's gold standard was published."""
    return work.is_decided and published_at is not None and not _later(work.updated, published_at)


def _of_adjudication(work: Work) -> Next:
    """What an open adjudication asks for: answers, then repairs of what breaks the rules, then to be published."""
    if not work.is_decided:
        return Next(Step.ADJUDICATE, (work.draft,))
    if errors := work.draft.summary.get("errors", 0):
        return Next(Step.REPAIR, (work.draft,), counted(errors, "issue"))
    return Next(Step.PUBLISH, (work.draft,))


def _of_open(
    works: Sequence[Work], mine: Sequence[Work], assigned: Sequence[User], published_at: datetime | None
) -> Next:
    """What is left where nothing finished waits: join a shared draft, wait for others, or begin."""
    shared = [work for work in works if work.draft.kind == Draft.Kind.SHARED and not work.is_submitted]
    if shared:
        return Next(Step.CONTINUE, (shared[-1].draft,))
    if mine and (published_at is None or _later(mine[-1].draft.submitted_at, published_at)):
        finished = {work.draft.curator_id for work in works if work.is_submitted}
        waiting = [user.get_username() for user in assigned if user.pk not in finished]
        return Next(Step.WAIT, words=f"for {', '.join(waiting)}" if waiting else "for an adjudicator")
    if works or assigned:
        return Next(Step.NOTHING)
    return Next(Step.START)


def _drafts(collection: Collection) -> QuerySet[Draft]:
    """Drafts with the time of their latest entry (``updated``), found by the index on (draft, revision), and of
    adjudications how many questions the last answer left (``n_open``; None before there is one)."""
    latest = DraftEntry.objects.filter(draft=OuterRef("pk"), revision=OuterRef("revision"))
    drafts = Draft.objects.filter(query__collection=collection, archived_at=None).select_related("curator")
    answers = AdjudicationDecision.objects.filter(adjudication__draft=OuterRef("pk")).order_by("-pk")
    return drafts.annotate(
        updated=Subquery(latest.values("created_at")[:1]), n_open=Subquery(answers.values("n_open")[:1])
    ).order_by("query", "pk")


def _published(collection: Collection) -> dict[int, datetime]:
    """Query -> when its gold standard in the latest version was published, from whatever source."""
    entries = GoldVersionEntry.objects.filter(version__collection=collection)
    latest = collection.gold_versions.order_by("-number").values("pk")[:1]
    times = dict(entries.filter(version=Subquery(latest)).values_list("query_id", F("gold__created_at")))
    # The same content may be published again: then its gold is older than what it was made from.
    drafts = DraftPublication.objects.filter(draft__query__collection=collection).order_by("published_at")
    return times | {query: at for query, at in drafts.values_list("draft__query_id", "published_at") if query in times}


def _is_own(draft: Draft) -> bool:
    return draft.kind == Draft.Kind.OWN


def _later(one: datetime | None, other: datetime) -> bool:
    return one is not None and one > other

"""Drafts as the overview shows them, and a person's next step for a query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.db.models import Count, OuterRef, Q, Subquery

from accounts.models import User
from annotations.access import May
from annotations.drafts.access import hides_progress, is_blind, visible_name
from annotations.drafts.state_machine.summaries import n_issues
from annotations.limits import COMPARED_DRAFTS
from annotations.models import AdjudicationStep, CommentThread, Draft
from qc4.wording import counted


class Step(StrEnum):
    """The viewer's next step for a query."""

    START = "Start your draft"
    CONTINUE = "Continue"
    COMPARE = "Compare"
    ADJUDICATE = "Adjudicate"
    REPAIR = "Repair"
    PUBLISH = "Publish"
    WAIT = "Wait"
    NOTHING = ""


@dataclass(frozen=True, slots=True)
class NextStep:
    """A step and its drafts: none, one, or those to compare."""

    step: Step
    drafts: tuple[ShownDraft, ...] = ()
    words: str = ""
    """The people a `Step.WAIT` waits for, or the number of issues for a `Step.REPAIR`, as text."""

    @property
    def compared(self) -> str:
        """The query string of the page for a `Step.COMPARE`."""
        numbers = [draft.pk for draft in self.drafts]
        return urlencode(
            {"draft": numbers} if len(numbers) > 2 else list(zip(("first", "second"), numbers, strict=False)),
            doseq=True,
        )


def next_step(
    works: Sequence[OverviewDraft],
    assigned: Sequence[User],
    published_at: datetime | None,
    person: User,
    may: frozenset[May],
) -> NextStep:
    """Return this person's next step for a query, given its drafts and assigned curators."""
    mine = [work for work in works if is_own(work.draft) and work.draft.curator_id == person.pk]
    unfinished = [work for work in mine if not work.is_submitted]
    if unfinished:
        return NextStep(Step.CONTINUE, (unfinished[-1].draft,))
    if person in assigned and not mine:
        return NextStep(Step.START)
    return _of_finished(works, assigned, published_at, may) or _of_open(works, mine, assigned, published_at)


def _of_finished(
    works: Sequence[OverviewDraft], assigned: Sequence[User], published_at: datetime | None, may: frozenset[May]
) -> NextStep | None:
    """Return the step that submitted drafts and adjudications need next, or None."""
    judged = [work for work in works if work.draft.kind == Draft.Kind.ADJUDICATION]
    unfinished = [work for work in judged if not work.is_submitted and not _is_published(work, published_at)]
    if May.PUBLISH in may and unfinished:
        return _of_adjudication(unfinished[0])
    own = [work.draft for work in works if work.is_submitted and is_own(work.draft) and work.seen]
    by_curator = {draft.curator_id: draft for draft in own}
    ready = [work.draft for work in works if work.is_submitted and not is_own(work.draft)]
    new = [draft for draft in (*ready, *own) if published_at is None or _later(draft.submitted_at, published_at)]
    if not new:
        return None
    if not judged and len(by_curator) >= 2:
        return NextStep(Step.COMPARE, tuple(by_curator.values())[:COMPARED_DRAFTS])
    alone = ready or len(assigned) < 2
    if May.PUBLISH in may and alone:
        return NextStep(Step.PUBLISH, (max(new, key=lambda draft: (draft in ready, draft.submitted_at)),))
    return None


def _is_published(work: OverviewDraft, published_at: datetime | None) -> bool:
    """Return whether the query's gold standard was published after the last change to a decided adjudication."""
    return work.is_decided and published_at is not None and not _later(work.updated, published_at)


def _of_adjudication(work: OverviewDraft) -> NextStep:
    """Return the next step of an open adjudication: decide, then repair broken rules, then publish."""
    if not work.is_decided:
        return NextStep(Step.ADJUDICATE, (work.draft,))
    if work.n_issues:
        return NextStep(Step.REPAIR, (work.draft,), counted(work.n_issues, "issue"))
    return NextStep(Step.PUBLISH, (work.draft,))


def _of_open(
    works: Sequence[OverviewDraft],
    mine: Sequence[OverviewDraft],
    assigned: Sequence[User],
    published_at: datetime | None,
) -> NextStep:
    """Return the next step if no finished draft needs one: join a shared draft, wait for others, or start."""
    shared = [work for work in works if work.draft.kind == Draft.Kind.SHARED and not work.is_submitted]
    if shared:
        return NextStep(Step.CONTINUE, (shared[-1].draft,))
    if mine and (published_at is None or _later(mine[-1].draft.submitted_at, published_at)):
        finished = {work.draft.curator_id for work in works if work.is_submitted}
        waiting = [user.get_username() for user in assigned if user.pk not in finished]
        return NextStep(Step.WAIT, words=f"for {', '.join(waiting)}" if waiting else "for an adjudicator")
    if works or assigned:
        return NextStep(Step.NOTHING)
    return NextStep(Step.START)


def _later(one: datetime | None, other: datetime) -> bool:
    return one is not None and one > other


# --- Drafts as the overview shows them --------------------------------------------------------------------------------


class ShownDraft(NamedTuple):
    """The columns of `annotations.models.Draft` that the overview needs."""

    pk: int
    query_id: int
    name: str
    kind: str
    curator_id: int | None
    status: str
    revision: int
    summary: Mapping[str, Any]
    submitted_at: datetime | None
    changed_at: datetime


@dataclass(frozen=True, slots=True)
class OverviewDraft:
    """A draft as the overview shows it."""

    draft: ShownDraft
    seen: bool
    """Whether the viewer may open the draft."""
    progress_hidden: bool = False
    """Whether the progress is hidden from the viewer (`annotations.drafts.access.hides_progress`)."""
    open_threads: int = 0
    """Number of unresolved comment threads that the viewer may see."""
    n_open: int | None = None
    """For an adjudication, the number of undecided disagreements after its last decision; None before the first."""

    @property
    def name(self) -> str:
        """The draft's name, or a neutral name if the viewer may not open it."""
        return visible_name(self.draft, blind=not self.seen)

    @property
    def levels(self) -> list[dict[str, int]]:
        """The ``level``, pages ``placed`` (including outliers) and pages ``total`` of each level; empty if hidden."""
        levels: list[dict[str, int]] = self.draft.summary.get("levels", [])
        return [] if self.progress_hidden else levels

    @property
    def revision(self) -> int | None:
        return None if self.progress_hidden else self.draft.revision

    @property
    def changed(self) -> datetime | None:
        """The time of the last change; None if hidden."""
        return None if self.progress_hidden else self.updated

    @property
    def n_issues(self) -> int:
        """Number of issues that prevent publication; 0 if hidden."""
        return 0 if self.progress_hidden else n_issues(self.draft.summary)

    @property
    def is_submitted(self) -> bool:
        return self.draft.status == Draft.Status.SUBMITTED

    @property
    def is_decided(self) -> bool:
        """True if an adjudication has no undecided disagreements after its last decision."""
        return self.n_open == 0

    @property
    def updated(self) -> datetime:
        """The time of the latest entry, or the creation time if there is none."""
        return self.draft.changed_at


def overview_drafts(queries: Sequence[int], person: User, alone: frozenset[int], *, leads: bool) -> list[OverviewDraft]:
    """Return the drafts of these queries, by query.

    This takes three database queries, or two without adjudications.

    Args:
        alone: ids of the queries that this person works on independently.
        leads: whether they see questions to the coordinator in drafts that they may not open, except in ``alone``.
    """
    rows = Draft.objects.filter(query__in=queries, archived_at=None).order_by("query_id", "pk")
    drafts = [ShownDraft(*row) for row in rows.values_list(*ShownDraft._fields)]
    threads, asked = _open_threads(queries)
    n_open = _open_questions([draft.pk for draft in drafts if draft.kind == Draft.Kind.ADJUDICATION])
    found = []
    for draft in drafts:
        is_alone = draft.query_id in alone
        seen = not is_blind(person, draft, is_alone)
        visible_threads = threads if seen else asked if leads and not is_alone else {}
        hidden = hides_progress(person, draft, is_alone)
        found.append(OverviewDraft(draft, seen, hidden, visible_threads.get(draft.pk, 0), n_open.get(draft.pk)))
    return found


def is_own(draft: ShownDraft) -> bool:
    return draft.kind == Draft.Kind.OWN


def _open_threads(queries: Sequence[int]) -> tuple[dict[int, int], dict[int, int]]:
    """Return two dicts of draft id -> number of unresolved threads: all, and those with a coordinator question."""
    waiting = CommentThread.objects.filter(draft__query__in=queries, resolved_at=None).order_by()
    rows = list(waiting.values_list("draft").annotate(n=Count("pk"), n_asked=Count("pk", filter=Q(to_lead=True))))
    return {draft: n for draft, n, _ in rows}, {draft: n for draft, _, n in rows}


def _open_questions(adjudications: Sequence[int]) -> dict[int, int | None]:
    """Return a dict of adjudication draft id -> number of undecided disagreements after the last decision."""
    if not adjudications:
        return {}
    answers = AdjudicationStep.objects.filter(adjudication__draft=OuterRef("pk")).order_by("-pk")
    judged = Draft.objects.filter(pk__in=adjudications).order_by()
    return dict(judged.values_list("pk", Subquery(answers.values("n_open")[:1])))

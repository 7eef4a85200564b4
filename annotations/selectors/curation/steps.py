"""What somebody can do next about a query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from urllib.parse import urlencode

from accounts.models import User
from annotations.access import May
from annotations.limits import COMPARED_DRAFTS
from annotations.models import Draft
from annotations.selectors.curation.works import ShownDraft, Work, is_own
from qc4.wording import counted


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
    """A step and the drafts it is about: none, one, or those to compare."""

    step: Step
    drafts: tuple[ShownDraft, ...] = ()
    words: str = ""
    """What a `Step.WAIT` waits for, what a `Step.REPAIR` repairs."""

    @property
    def compared(self) -> str:
        """What the page of a `Step.COMPARE` is asked for."""
        numbers = [draft.pk for draft in self.drafts]
        return urlencode(
            {"draft": numbers} if len(numbers) > 2 else list(zip(("first", "second"), numbers, strict=False)),
            doseq=True,
        )


def next_step(
    works: Sequence[Work],
    assigned: Sequence[User],
    published_at: datetime | None,
    person: User,
    may: frozenset[May],
) -> Next:
    """What this person can do next about a query, given its drafts and whom it is assigned to."""
    mine = [work for work in works if is_own(work.draft) and work.draft.curator_id == person.pk]
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
    own = [work.draft for work in works if work.is_submitted and is_own(work.draft) and work.seen]
    by_curator = {draft.curator_id: draft for draft in own}
    ready = [work.draft for work in works if work.is_submitted and not is_own(work.draft)]
    new = [draft for draft in (*ready, *own) if published_at is None or _later(draft.submitted_at, published_at)]
    if not new:
        return None
    if not judged and len(by_curator) >= 2:
        return Next(Step.COMPARE, tuple(by_curator.values())[:COMPARED_DRAFTS])
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
    if work.n_issues:
        return Next(Step.REPAIR, (work.draft,), counted(work.n_issues, "issue"))
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


def _later(one: datetime | None, other: datetime) -> bool:
    return one is not None and one > other

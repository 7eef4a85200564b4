"""Drafts as the overview of a collection's curation shows them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, Q, Subquery

from accounts.models import User
from annotations.draft_access import hides_progress, is_blind, shown_name
from annotations.drafting.summaries import n_issues
from annotations.models import AdjudicationStep, CommentThread, Draft


class ShownDraft(NamedTuple):
    """What is shown of a draft, and what follows from it: the columns of `annotations.models.Draft` by name."""

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
class Work:
    """A draft as the overview shows it."""

    draft: ShownDraft
    seen: bool
    """Whether whoever looks may open it."""
    progress_hidden: bool = False
    """Whether they are not told how far it is (`annotations.draft_access.hides_progress`)."""
    open_threads: int = 0
    """Threads of comments that wait to be resolved, as far as whoever looks may see them."""
    n_open: int | None = None
    """Of an adjudication, how many questions its last answer left open; None before there is one."""

    @property
    def name(self) -> str:
        """Its name; a neutral one if the viewer may not open it."""
        return shown_name(self.draft, blind=not self.seen)

    @property
    def levels(self) -> list[dict[str, int]]:
        """Per level: ``level``, pages ``placed`` (outliers count), pages ``total``; nothing where that is hidden."""
        levels: list[dict[str, int]] = self.draft.summary.get("levels", [])
        return [] if self.progress_hidden else levels

    @property
    def revision(self) -> int | None:
        return None if self.progress_hidden else self.draft.revision

    @property
    def changed(self) -> datetime | None:
        """When it was last changed; None where that is hidden."""
        return None if self.progress_hidden else self.updated

    @property
    def n_issues(self) -> int:
        """What keeps it from being published; nothing where that is hidden."""
        return 0 if self.progress_hidden else n_issues(self.draft.summary)

    @property
    def is_submitted(self) -> bool:
        return self.draft.status == Draft.Status.SUBMITTED

    @property
    def is_decided(self) -> bool:
        """Whether an adjudication's last answer left no question open."""
        return self.n_open == 0

    @property
    def updated(self) -> datetime:
        """When its latest entry was made, or the draft itself."""
        return self.draft.changed_at


def works_of(queries: Sequence[int], person: User, alone: frozenset[int], *, leads: bool) -> list[Work]:
    """The drafts of these queries, by query; three queries to the database, or two without adjudications.

    Args:
        alone: the queries this person works on alone.
        leads: whether they see questions to the lead in drafts they may not open; not where they work alone.
    """
    rows = Draft.objects.filter(query__in=queries, archived_at=None).order_by("query_id", "pk")
    drafts = [ShownDraft(*row) for row in rows.values_list(*ShownDraft._fields)]
    threads, asked = _open_threads(queries)
    n_open = _open_questions([draft.pk for draft in drafts if draft.kind == Draft.Kind.ADJUDICATION])
    found = []
    for draft in drafts:
        is_alone = draft.query_id in alone
        seen = not is_blind(person, draft, is_alone)
        told = threads if seen else asked if leads and not is_alone else {}
        hidden = hides_progress(person, draft, is_alone)
        found.append(Work(draft, seen, hidden, told.get(draft.pk, 0), n_open.get(draft.pk)))
    return found


def is_own(draft: ShownDraft) -> bool:
    return draft.kind == Draft.Kind.OWN


def _open_threads(queries: Sequence[int]) -> tuple[dict[int, int], dict[int, int]]:
    """Draft -> threads that wait to be resolved, and those of them that ask the lead."""
    waiting = CommentThread.objects.filter(draft__query__in=queries, resolved_at=None).order_by()
    rows = list(waiting.values_list("draft").annotate(n=Count("pk"), n_asked=Count("pk", filter=Q(to_lead=True))))
    return {draft: n for draft, n, _ in rows}, {draft: n for draft, _, n in rows}


def _open_questions(adjudications: Sequence[int]) -> dict[int, int | None]:
    """Adjudication, by its draft -> how many questions the last answer left."""
    if not adjudications:
        return {}
    answers = AdjudicationStep.objects.filter(adjudication__draft=OuterRef("pk")).order_by("-pk")
    judged = Draft.objects.filter(pk__in=adjudications).order_by()
    return dict(judged.values_list("pk", Subquery(answers.values("n_open")[:1])))

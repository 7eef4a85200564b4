"""Drafts as the overview of a collection's curation shows them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from annotations.drafting.summaries import n_issues
from annotations.models import AdjudicationStep, Collection, Draft, DraftEntry


@dataclass(frozen=True, slots=True)
class Work:
    """A draft as the overview shows it."""

    draft: Draft
    seen: bool
    """Whether whoever looks may open it."""
    progress_hidden: bool = False
    """Whether they are not told how far it is (`annotations.draft_access.hides_progress`)."""
    leads: bool = False
    """Whether they see its questions to the lead all the same."""

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
        n_open: int | None = self.draft.n_open  # type: ignore[attr-defined]  # annotated by `drafts_of`
        return n_open == 0

    @property
    def open_threads(self) -> int:
        """Threads of comments that wait to be resolved, as far as whoever looks may see them."""
        found: int = self.draft.n_threads if self.seen else self.draft.n_asked if self.leads else 0  # type: ignore[attr-defined]  # annotated by `drafts_of`
        return found

    @property
    def updated(self) -> datetime:
        """When its latest entry was made, or the draft itself."""
        latest: datetime | None = self.draft.updated  # type: ignore[attr-defined]  # annotated by `drafts_of`
        return latest or self.draft.created_at


def drafts_of(collection: Collection) -> QuerySet[Draft]:
    """Drafts with the time of their latest entry (``updated``), found by the index on (draft, revision), and of
    adjudications how many questions the last answer left (``n_open``; None before there is one); its open threads of
    comments (``n_threads``), those that ask the lead apart (``n_asked``)."""
    latest = DraftEntry.objects.filter(draft=OuterRef("pk"), revision=OuterRef("revision"))
    drafts = Draft.objects.filter(query__collection=collection, archived_at=None).select_related("curator")
    answers = AdjudicationStep.objects.filter(adjudication__draft=OuterRef("pk")).order_by("-pk")
    waiting = Q(threads__resolved_at=None)
    return drafts.annotate(
        n_threads=Count("threads", filter=waiting),
        n_asked=Count("threads", filter=waiting & Q(threads__to_lead=True)),
        updated=Subquery(latest.values("created_at")[:1]),
        n_open=Subquery(answers.values("n_open")[:1]),
    ).order_by("query", "pk")


def is_own(draft: Draft) -> bool:
    return draft.kind == Draft.Kind.OWN

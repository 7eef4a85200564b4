"""Drafts as they are shown in lists and responses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts.models import User
from accounts.person import Person
from annotations.access import May, capabilities
from annotations.drafts.access import DraftAccess, hides_progress, independent_queries, is_blind, visible_name
from annotations.drafts.selectors.dependence import dependence_of
from annotations.drafts.state_machine.summaries import n_issues
from annotations.models import Collection, Draft, Query
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class ListedDraft:
    """A draft in a list.

    Attributes:
        blind: True if only the curator, status and progress may be shown.
        progress_hidden: True if the progress may not be shown either.
        dependence: why an own draft is not an independent annotation; "" if it is independent, or blind.
    """

    draft: Draft
    blind: bool
    may_manage: bool
    progress_hidden: bool
    dependence: str = ""

    @property
    def name(self) -> str:
        """The draft's name, or a neutral one for a blind draft."""
        return visible_name(self.draft, blind=self.blind)

    @property
    def summary(self) -> dict[str, Any] | None:
        """The draft's progress; None if it is hidden."""
        return None if self.progress_hidden else self.draft.summary

    @property
    def n_issues(self) -> int:
        """The number of issues that prevent publication; 0 if the progress is hidden."""
        return 0 if self.progress_hidden else n_issues(self.draft.summary)

    @property
    def id(self) -> int | None:
        """The draft's id; None for a blind draft."""
        return None if self.blind else self.draft.pk


def drafts_of(person: Person, query: Query, *, may_publish: bool, archived: bool = False) -> list[ListedDraft]:
    """Return the drafts of a query for a curator, latest first; an empty list for anonymous visitors."""
    if not isinstance(person, User):
        return []
    drafts = query.drafts.filter(archived_at__isnull=not archived).select_related("curator", "created_by")
    alone = independent_queries(person).filter(pk=query.pk).exists()
    rows = [(draft, is_blind(person, draft, alone)) for draft in drafts.order_by("-pk")]
    dependence = dependence_of([draft for draft, blind in rows if draft.kind == Draft.Kind.OWN and not blind])
    found = []
    for draft, blind in rows:
        may_manage = not blind and (may_publish or draft.curator_id == person.pk)
        why = dependence[draft.pk].sentence if draft.pk in dependence else ""
        found.append(ListedDraft(draft, blind, may_manage, hides_progress(person, draft, alone), why))
    return found


def own_drafts_seen(person: Person, collection: Collection) -> list[Draft]:
    """Return the own drafts of a collection that this person may open: the latest one for each curator and query.

    The caller has checked access to the collection. The drafts are sorted by curator, then in the collection's query
    order. Takes three queries to the database.
    """
    if not isinstance(person, User) or May.CURATE not in capabilities(person, collection):
        return []
    alone = set(independent_queries(person).filter(collection=collection).values_list("pk", flat=True))
    rows = Draft.objects.filter(query__collection=collection, kind=Draft.Kind.OWN, archived_at__isnull=True)
    ordered = rows.select_related("curator", "query").order_by("curator__username", "query__position", "query", "pk")
    seen = [draft for draft in ordered if not is_blind(person, draft, draft.query_id in alone)]
    return list({(draft.curator_id, draft.query_id): draft for draft in seen}.values())


# --- One draft --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftDetail(Record):
    """A draft and what you may do with it.

    Attributes:
        may_submit: True if you may submit it or, if it is submitted, reopen it.
        summary: its progress: pages placed per level, outliers, issues.
    """

    TITLE = "Draft"
    KEYS = (
        "id=draft.pk name=draft.name kind=draft.kind status=draft.status archived=draft.is_archived "
        "revision=draft.revision curator=draft.curator?.username may_edit may_submit may_publish=access.may_publish "
        "started_from=draft.started_from summary=draft.summary created_at=draft.created_at "
        "submitted_at=draft.submitted_at"
    )

    access: DraftAccess

    @property
    def draft(self) -> Draft:
        return self.access.draft

    @property
    def may_edit(self) -> bool:
        return self._is_open and self.access.may_edit

    @property
    def may_submit(self) -> bool:
        if self.draft.is_archived:
            return False
        return self.access.may_submit if self._is_open else self.access.may_reopen

    @property
    def _is_open(self) -> bool:
        return not self.draft.is_archived and self.draft.status == Draft.Status.OPEN

"""Drafts as lists and responses show them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from accounts.models import User
from accounts.person import Person
from annotations.access import May, capabilities
from annotations.drafts.access import DraftAccess, hides_progress, is_blind, shown_name, works_alone
from annotations.drafts.selectors.dependence import dependence_of
from annotations.drafts.state_machine.summaries import n_issues
from annotations.models import Collection, Draft, Query
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class ListedDraft:
    """A draft in a list.

    Attributes:
        blind: of it only the curator, status and progress may be shown.
        progress_hidden: nor how far it is.
        dependence: of an own draft why it is no independent answer; "" where it is one, or blind.
    """

    draft: Draft
    blind: bool
    may_manage: bool
    progress_hidden: bool
    dependence: str = ""

    @property
    def name(self) -> str:
        """Its name; a neutral one for a blind draft."""
        return shown_name(self.draft, blind=self.blind)

    @property
    def summary(self) -> dict[str, Any] | None:
        """Its figures; None where they are hidden."""
        return None if self.progress_hidden else self.draft.summary

    @property
    def n_issues(self) -> int:
        """What keeps it from being published; nothing where that is hidden."""
        return 0 if self.progress_hidden else n_issues(self.draft.summary)

    @property
    def id(self) -> int | None:
        """Its number; None for a blind one."""
        return None if self.blind else self.draft.pk


def drafts_of(person: Person, query: Query, *, may_publish: bool, archived: bool = False) -> list[ListedDraft]:
    """The drafts of a query, for somebody who curates: the latest first."""
    if not isinstance(person, User):
        return []
    drafts = query.drafts.filter(archived_at__isnull=not archived).select_related("curator", "created_by")
    alone = works_alone(person).filter(pk=query.pk).exists()
    rows = [(draft, is_blind(person, draft, alone)) for draft in drafts.order_by("-pk")]
    dependence = dependence_of([draft for draft, blind in rows if draft.kind == Draft.Kind.OWN and not blind])
    found = []
    for draft, blind in rows:
        may_manage = not blind and (may_publish or draft.curator_id == person.pk)
        why = dependence[draft.pk].sentence if draft.pk in dependence else ""
        found.append(ListedDraft(draft, blind, may_manage, hides_progress(person, draft, alone), why))
    return found


def own_drafts_seen(person: Person, collection: Collection) -> list[Draft]:
    """Everybody's own drafts of a collection (already checked) that this person may see into: the latest of each
    curator and query, by curator and then in the order of the collection. Three queries."""
    if not isinstance(person, User) or May.CURATE not in capabilities(person, collection):
        return []
    alone = set(works_alone(person).filter(collection=collection).values_list("pk", flat=True))
    rows = Draft.objects.filter(query__collection=collection, kind=Draft.Kind.OWN, archived_at__isnull=True)
    ordered = rows.select_related("curator", "query").order_by("curator__username", "query__position", "query", "pk")
    seen = [draft for draft in ordered if not is_blind(person, draft, draft.query_id in alone)]
    return list({(draft.curator_id, draft.query_id): draft for draft in seen}.values())


# --- One draft --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class DraftDetail(Record):
    """A draft and what you may do with it.

    Attributes:
        may_submit: or to open it again, where it is submitted.
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

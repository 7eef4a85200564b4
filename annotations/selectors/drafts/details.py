"""A draft, and what a person may do with it."""

from __future__ import annotations

from dataclasses import dataclass

from annotations.draft_access import DraftAccess
from annotations.models import Draft
from qc4.records import Record


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

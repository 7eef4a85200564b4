"""What happened to a draft, the latest first."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from annotations.limits import HISTORY_ROWS
from annotations.models import Draft
from qc4.records import Record


class HistoryRow(NamedTuple):
    """An entry of the log, without its changes. ``skipped``: what was asked for and not done, and why."""

    revision: int
    by: str
    at: datetime
    label: str
    undoes: int | None
    redoes: int | None
    restores: int | None
    skipped: list[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class DraftHistory(Record):
    """The log, the latest first."""

    results: list[HistoryRow]


def history(draft: Draft, *, before: int | None = None, limit: int = HISTORY_ROWS) -> DraftHistory:
    """The log of a draft, or its part before a revision."""
    entries = draft.entries.order_by("-revision")
    if before is not None:
        entries = entries.filter(revision__lt=before)
    rows = entries.values_list(
        "revision", "user__username", "created_at", "label", "undoes", "redoes", "restores", "skipped"
    )
    return DraftHistory([HistoryRow(*row) for row in rows[:limit]])

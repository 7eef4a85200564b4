"""How far a draft is, in a few figures for overviews that show many drafts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotations.drafts.state_machine import DraftState, progress
from qc4.records import plain


def summary_of(state: DraftState) -> dict[str, Any]:
    """The figures of `annotations.drafts.state_machine.progress`; issues as numbers of ``errors`` and ``warnings``."""
    found = progress(state)
    errors = len(found.errors)
    return {
        "pages": len(state.pages),
        "levels": plain(found.levels),
        "topics": found.topics,
        "placements": sum(map(len, state.members.values())),
        "outliers": found.outliers,
        "left_over": sum(found.left_over.values()),
        "suggested": found.suggested,
        "suggested_topics": found.suggested_topics,
        "flagged": found.flagged,
        "stale": found.stale,
        "errors": errors,
        "warnings": len(found.issues) - errors,
    }


def n_issues(summary: Mapping[str, Any]) -> int:
    """How many issues a draft has: what keeps it from being published. Warnings are none of them, on no page."""
    errors: int = summary.get("errors", 0)
    return errors

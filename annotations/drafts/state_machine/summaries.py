"""Short summaries of drafts, for overviews that show many of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from annotations.drafts.state_machine import DraftState, progress
from qc4.records import to_plain


def summary_of(state: DraftState) -> dict[str, Any]:
    """Return the progress of a state as JSON, with the numbers of ``errors`` and ``warnings`` in place of issues."""
    found = progress(state)
    errors = len(found.errors)
    return {
        "pages": len(state.pages),
        "levels": to_plain(found.levels),
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
    """Return the number of a draft's issues, which prevent its publication. Warnings do not count as issues."""
    errors: int = summary.get("errors", 0)
    return errors

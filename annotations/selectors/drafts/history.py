"""What happened to a draft and to its pages, the latest first."""

from __future__ import annotations

from typing import Any

from annotations.limits import HISTORY_ROWS
from annotations.models import Draft


def history(draft: Draft, *, before: int | None = None, limit: int = HISTORY_ROWS) -> list[dict[str, Any]]:
    """The log, the latest first, without what was changed: ``revision``, ``by``, ``at``, ``label``, ``undoes``, .."""
    entries = draft.entries.order_by("-revision")
    if before is not None:
        entries = entries.filter(revision__lt=before)
    rows = entries.values_list("revision", "user__username", "created_at", "label", "undoes", "redoes")[:limit]
    return [
        {"revision": revision, "by": by, "at": at.isoformat(), "label": label, "undoes": undoes, "redoes": redoes}
        for revision, by, at, label, undoes, redoes in rows
    ]


def page_history(draft: Draft, page: str, limit: int = HISTORY_ROWS) -> list[dict[str, Any]]:
    """The entries that placed, moved or annotated a page, the latest first."""
    found: list[dict[str, Any]] = []
    rows = draft.entries.order_by("-revision").values_list(
        "revision", "user__username", "created_at", "label", "changes"
    )
    for revision, by, at, label, changes in rows.iterator(100):
        if len(found) == limit:
            break
        if _concerns(changes, page):
            found.append({"revision": revision, "by": by, "at": at.isoformat(), "label": label})
    return found


def _concerns(changes: list[dict[str, Any]], page: str) -> bool:
    return any(page in change.get("pages", ()) or change.get("page") == page for change in changes)

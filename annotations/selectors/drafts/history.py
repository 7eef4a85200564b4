"""What happened to a draft and to its pages, the latest first."""

from __future__ import annotations

from typing import Any

from annotations.models import Draft, DraftEntry

HISTORY_ROWS = 100


def history(draft: Draft, *, before: int | None = None, limit: int = HISTORY_ROWS) -> list[dict[str, Any]]:
    """The log, the latest first, without what was changed: ``revision``, ``by``, ``at``, ``label``, ``undoes``, .."""
    entries = draft.entries.select_related("user").defer("operations", "changes").order_by("-revision")
    if before is not None:
        entries = entries.filter(revision__lt=before)
    return [
        {
            "revision": entry.revision,
            "by": entry.user.get_username(),
            "at": entry.created_at.isoformat(),
            "label": entry.label,
            "undoes": entry.undoes,
            "redoes": entry.redoes,
        }
        for entry in entries[:limit]
    ]


def page_history(draft: Draft, page: str, limit: int = HISTORY_ROWS) -> list[dict[str, Any]]:
    """The entries that placed, moved or annotated a page, the latest first."""
    found: list[dict[str, Any]] = []
    for entry in draft.entries.select_related("user").defer("operations").order_by("-revision").iterator(100):
        if len(found) == limit:
            break
        if _concerns(entry, page):
            at = entry.created_at.isoformat()
            by = entry.user.get_username()
            found.append({"revision": entry.revision, "by": by, "at": at, "label": entry.label})
    return found


def _concerns(entry: DraftEntry, page: str) -> bool:
    return any(page in change.get("pages", ()) or change.get("page") == page for change in entry.changes)

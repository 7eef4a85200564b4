"""What the workspace shows beside a page of a draft."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any, NamedTuple

from annotations.limits import HISTORY_ROWS
from annotations.models import Draft, Page
from annotations.selectors.page_words import SimilarPage, similar_pages
from qc4.records import Record


class PageEntry(NamedTuple):
    """An entry of the log about a page."""

    revision: int
    by: str
    at: datetime
    label: str


@dataclass(frozen=True, slots=True)
class PageDetail(Record):
    """A page's whole text, the pages whose texts are most like it, and what was done with it, the latest first."""

    title: str
    snippet: str
    text: str
    similar: list[SimilarPage]
    history: list[PageEntry]


def page_detail(draft: Draft, page: Page) -> PageDetail:
    """What is shown of a page of the draft's query."""
    texts = (page.title or "", page.snippet or "", page.text or "")
    return PageDetail(*texts, similar_pages(draft.query, page.key), page_history(draft, page.key))


def page_history(draft: Draft, page: str, limit: int = HISTORY_ROWS) -> list[PageEntry]:
    """The entries that placed, moved or annotated a page, the latest first."""
    rows = draft.entries.order_by("-revision").values_list(
        "revision", "user__username", "created_at", "label", "changes"
    )
    found = (
        PageEntry(revision, by, at, label)
        for revision, by, at, label, changes in rows.iterator(100)
        if _concerns(changes, page)
    )
    return list(islice(found, limit))


def _concerns(changes: list[dict[str, Any]], page: str) -> bool:
    return any(page in change.get("pages", ()) or change.get("page") == page for change in changes)

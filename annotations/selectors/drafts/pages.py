"""What the workspace shows beside a page of a draft."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from annotations.limits import HISTORY_ROWS
from annotations.models import Draft, Page
from annotations.selectors.drafts.touches import revisions_about
from annotations.selectors.page_words import SimilarPage, shown, similar_pages
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
    texts = (shown(page.title), shown(page.snippet), shown(page.text))
    return PageDetail(*texts, similar_pages(draft.query, page.key), page_history(draft, page.key))


def page_history(draft: Draft, page: str) -> list[PageEntry]:
    """The entries that placed, moved or annotated a page, the latest first."""
    rows = draft.entries.filter(revision__in=revisions_about(draft, page, HISTORY_ROWS)).order_by("-revision")
    return [PageEntry(*row) for row in rows.values_list("revision", "user__username", "created_at", "label")]

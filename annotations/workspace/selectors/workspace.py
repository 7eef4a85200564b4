"""The data of the workspace: the whole draft at first, then its changes, and the details of a page."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.urls import reverse

from annotations.discussion.selectors import comment_urls, mentionable_people, threads_of
from annotations.drafts.access import DraftAccess
from annotations.drafts.presence import PersonHere, people_here
from annotations.drafts.selectors import states
from annotations.drafts.selectors.history import lost_placements, revisions_about
from annotations.drafts.selectors.listing import DraftDetail
from annotations.drafts.selectors.replay import Step
from annotations.drafts.selectors.states import EntryJSON, authors_json
from annotations.drafts.state_machine import to_json
from annotations.guidelines.selectors import last_read_number
from annotations.limits import HISTORY_ROWS, TITLE_CHARS
from annotations.models import Draft, Page, Query
from annotations.words.selectors import SimilarPage, similar_pages, visible_text
from annotations.words.stop_words import function_words
from common.web_urls import host_of
from qc4.records import Record, to_plain
from qc4.wording import clipped

SNIPPET_CHARS = 300
KEPT_QUERIES = 16
"""Number of page lists cached in memory, because the same queries are opened often. 1,000 pages take half a
megabyte."""


def workspace(access: DraftAccess) -> dict[str, Any]:
    """Return everything the workspace needs at first, as JSON."""
    draft, query = access.draft, access.draft.query
    known = states.current(draft)
    guidelines = query.collection.guidelines_number
    return {
        "draft": DraftDetail(access).to_dict(),
        "collection": {
            "slug": query.collection.slug,
            "name": query.collection.name,
            "guidelines": guidelines > 0,
        },
        "guidelines": {"number": guidelines, "read": last_read_number(query.collection, access.person)},
        "talk": _talk(access),
        "query": {
            "key": query.key,
            "text": query.text,
            "function_words": _function_words(query.pk, query.collection.created_at),
        },
        "pages": _pages_json(query.pk, query.collection.created_at),
        "state": to_json(known.state),
        "authors": authors_json(known.state, known.authors, access.person),
        "undo": to_plain(known.undoing.undo(access.person.pk)),
        "redo": to_plain(known.undoing.redo(access.person.pk)),
        "losses": lost_placements(draft, access.person).to_dict()["results"],
        "people": to_plain(people_here(draft, access.person)),
        "me": access.person.get_username(),
        "next": next_json(access),
        "urls": _addresses(draft),
    }


def _talk(access: DraftAccess) -> dict[str, Any]:
    """Return the comments on a draft, the people they may name, and the URLs where scripts get more."""
    draft = access.draft
    people = to_plain(mentionable_people(draft, access.person))
    return {**threads_of(access).to_dict(), "people": people, "urls": comment_urls(draft)}


def next_json(access: DraftAccess) -> dict[str, str] | None:
    """Once the draft is submitted, return the next assigned query that the person has not submitted, with its URL."""
    draft, person = access.draft, access.person
    if draft.status != Draft.Status.SUBMITTED:
        return None
    queries = Query.objects.filter(collection=draft.query.collection, assignments__curator=person)
    own = Draft.objects.filter(curator=person, kind=Draft.Kind.OWN, archived_at=None)
    submitted = own.filter(status=Draft.Status.SUBMITTED).values("query")
    query = queries.exclude(pk=draft.query_id).exclude(pk__in=submitted).order_by("position", "pk").first()
    if query is None:
        return None
    begun = own.filter(query=query).order_by("pk").last()
    where = reverse("draft", args=[begun.pk]) if begun else reverse("drafts", args=[query.collection.slug, query.key])
    return {"query": query.text or query.key, "address": where}


@lru_cache(KEPT_QUERIES)
def _function_words(query: int, created_at: object) -> tuple[str, ...]:
    """Return words without information about a page, in the languages of the page list. They are not marked as topic
    words."""
    pages = _pages_json(query, created_at)
    return tuple(sorted(function_words(f"{page['title']} {page['snippet']}" for page in pages)))


@lru_cache(KEPT_QUERIES)
def _pages_json(query: int, _created_at: object) -> tuple[Mapping[str, Any], ...]:
    """Return the pages as listed, which never change. Whole texts and truncated parts are loaded when a page is
    opened."""
    rows = Page.objects.filter(query=query).order_by("position")
    return tuple(
        {
            "id": key,
            "rank": rank,
            "title": clipped(visible_text(title), TITLE_CHARS),
            "url": url or "",
            "host": host_of(url or ""),
            "snippet": clipped(visible_text(snippet), SNIPPET_CHARS),
        }
        for key, rank, title, url, snippet in rows.values_list("key", "rank", "title", "url", "snippet")
    )


def _addresses(draft: Draft) -> dict[str, str]:
    """Return the URLs for scripts; ``{key}`` in ``page`` is replaced by the percent-encoded page id."""
    in_api = (
        "operations",
        "changes",
        "presence",
        "history",
        "losses",
        "document",
        "check",
        "submit",
        "reopen",
        "suggestions",
        "pages",
    )
    slug, key = draft.query.collection.slug, draft.query.key
    return {
        **{name: reverse(f"api:draft-{name}", args=[draft.pk]) for name in in_api},
        "draft": reverse("api:draft", args=[draft.pk]),
        "predictions": reverse("api:draft-predictions", args=[draft.pk]),
        "groups": reverse("api:draft-groups", args=[draft.pk]) + "?topic={topic}",
        "page": reverse("api:draft-page", args=[draft.pk]) + "?key={key}",
        "publish": reverse("draft-publish", args=[draft.pk]),
        "query": reverse("query", args=[slug, key]),
        "drafts": reverse("drafts", args=[slug, key]),
        "guidelines": reverse("guidelines", args=[slug]),
        "guidelines_news": reverse("api:guidelines-changes", args=[slug]),
        "curate": reverse("curate", args=[slug]),
    }


@dataclass(frozen=True, slots=True)
class DraftChanges(Record):
    """Changes to a draft after a revision, and who has it open.

    Attributes:
        undo, redo: the steps you would undo and redo next.
        talk: the number of the latest change to the draft's threads of comments.
        guidelines: the current version of the collection's guidelines; 0 if there are none.
    """

    KEYS = "revision status=draft.status archived=draft.is_archived entries people undo redo talk=draft.talk guidelines"

    draft: Draft
    revision: int
    entries: list[EntryJSON]
    people: list[PersonHere]
    undo: Step | None
    redo: Step | None
    guidelines: int


def changes(access: DraftAccess, since: int) -> DraftChanges:
    """Return the changes after a revision, and who has the draft open. Browsers request this every second."""
    draft, person = access.draft, access.person
    known = states.current(draft)
    entries = states.entries_since(draft, known, since) if since < known.revision else []
    steps = known.undoing.undo(person.pk), known.undoing.redo(person.pk)
    guidelines = draft.query.collection.guidelines_number
    return DraftChanges(draft, known.revision, entries, people_here(draft, person), *steps, guidelines)


# --- One page ---------------------------------------------------------------------------------------------------------


class PageEntry(NamedTuple):
    """An entry of the log about a page."""

    revision: int
    by: str
    at: datetime
    label: str


@dataclass(frozen=True, slots=True)
class PageDetail(Record):
    """A page's whole text, the pages with the most similar texts, and its log entries, latest first."""

    title: str
    snippet: str
    text: str
    similar: list[SimilarPage]
    history: list[PageEntry]


def page_detail(draft: Draft, page: Page) -> PageDetail:
    """Return the details of a page of the draft's query."""
    texts = (visible_text(page.title), visible_text(page.snippet), visible_text(page.text))
    return PageDetail(*texts, similar_pages(draft.query, page.key), page_history(draft, page.key))


def page_history(draft: Draft, page: str) -> list[PageEntry]:
    """Return the entries that placed, moved or annotated a page, latest first."""
    rows = draft.entries.filter(revision__in=revisions_about(draft, page, HISTORY_ROWS)).order_by("-revision")
    return [PageEntry(*row) for row in rows.values_list("revision", "user__username", "created_at", "label")]

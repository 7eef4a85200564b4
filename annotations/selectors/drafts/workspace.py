"""What the workspace shows of a draft: all of it to begin with, then what changed."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from annotations.access import DraftAccess
from annotations.drafting import to_json
from annotations.models import Draft, DraftPresence, Page, Query
from annotations.selectors.drafts import states
from annotations.selectors.drafts.stacks import Step
from annotations.selectors.drafts.states import Known

HERE_SECONDS = 30
"""How long somebody counts as present after their browser was last heard of."""
SNIPPET_CHARS = 300
TITLE_CHARS = 300


def workspace(access: DraftAccess) -> dict[str, Any]:
    """Everything the workspace needs to begin with, as JSON."""
    draft, query = access.draft, access.draft.query
    known = states.current(draft)
    return {
        "draft": draft_json(access),
        "collection": {
            "slug": query.collection.slug,
            "name": query.collection.name,
            "guidelines": query.collection.guidelines.exists(),
        },
        "query": {"key": query.key, "text": query.text},
        "pages": [_page_json(page) for page in query.pages.without_texts().order_by("position")],
        "state": to_json(known.state),
        **steps_json(known, access.person),
        "people": people_json(draft, access.person),
        "me": access.person.get_username(),
        "next": next_json(access),
        "urls": _addresses(draft),
    }


def draft_json(access: DraftAccess) -> dict[str, Any]:
    """A draft and what the person may do with it."""
    draft = access.draft
    here = draft.archived_at is None
    is_open = here and draft.status == Draft.Status.OPEN
    return {
        "id": draft.pk,
        "name": draft.name,
        "kind": draft.kind,
        "status": draft.status,
        "archived": draft.archived_at is not None,
        "revision": draft.revision,
        "curator": draft.curator.get_username() if draft.curator else None,
        "may_edit": is_open and access.may_edit,
        # Or to open it again, where it is submitted.
        "may_submit": here and (access.may_submit if is_open else access.may_reopen),
        "may_publish": access.may_publish,
        "started_from": draft.started_from,
        "summary": draft.summary,
        "created_at": draft.created_at.isoformat(),
        "submitted_at": draft.submitted_at.isoformat() if draft.submitted_at else None,
    }


def next_json(access: DraftAccess) -> dict[str, str] | None:
    """Once a draft is submitted: the next query assigned to the person that they have not submitted, and its place."""
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


def _page_json(page: Page) -> dict[str, Any]:
    """A page in the list. Its whole text, and what is cut here, comes when it is opened."""
    url = page.url or ""
    return {
        "id": page.key,
        "rank": page.rank,
        "title": (page.title or "")[:TITLE_CHARS],
        "url": url,
        "host": host_of(url),
        "snippet": (page.snippet or "")[:SNIPPET_CHARS],
    }


def host_of(url: str) -> str:
    """The host of an address, to show; empty where there is none to be found."""
    try:
        return urlsplit(url).hostname or ""
    except ValueError:
        return ""


def _addresses(draft: Draft) -> dict[str, str]:
    """Where scripts find things; ``{key}`` in ``page`` is replaced by the percent-encoded page id."""
    in_api = ("operations", "changes", "presence", "history", "document", "check", "submit", "reopen", "suggestions")
    slug, key = draft.query.collection.slug, draft.query.key
    return {
        **{name: reverse(f"api:draft-{name}", args=[draft.pk]) for name in in_api},
        "draft": reverse("api:draft", args=[draft.pk]),
        "page": reverse("api:draft-page", args=[draft.pk]) + "?key={key}",
        "publish": reverse("draft-publish", args=[draft.pk]),
        "query": reverse("query", args=[slug, key]),
        "drafts": reverse("drafts", args=[slug, key]),
        "guidelines": reverse("guidelines", args=[slug]),
        "curate": reverse("curate", args=[slug]),
    }


def changes(access: DraftAccess, since: int) -> dict[str, Any]:
    """What happened after a revision, and who is here: what browsers ask for every second."""
    draft = access.draft
    known = states.current(draft)
    return {
        "revision": known.revision,
        "status": draft.status,
        "archived": draft.archived_at is not None,
        "entries": states.entries_since(draft, known, since) if since < known.revision else [],
        "people": people_json(draft, access.person),
        **steps_json(known, access.person),
    }


def steps_json(known: Known, person: User) -> dict[str, Any]:
    """What the person would undo and redo."""
    return {"undo": _step_json(known.undoing.undo(person.pk)), "redo": _step_json(known.undoing.redo(person.pk))}


def _step_json(step: Step | None) -> dict[str, Any] | None:
    return {"revision": step.revision, "label": step.label} if step else None


def people_json(draft: Draft, person: User) -> list[dict[str, Any]]:
    """The others who are here: ``name``, ``page`` (its id, or empty), ``seconds`` since they were heard of."""
    now = timezone.now()
    here = DraftPresence.objects.filter(draft=draft, seen_at__gt=now - timedelta(seconds=HERE_SECONDS))
    rows = here.exclude(user=person).order_by("user__username").values_list("user__username", "page", "seen_at")
    return [
        {"name": name, "page": page, "seconds": max(0, int((now - seen_at).total_seconds()))}
        for name, page, seen_at in rows
    ]

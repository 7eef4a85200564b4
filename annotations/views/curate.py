"""The overview of a collection's curation: who works on what, how far they are, and what is next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.person import person
from annotations.access import May, get_collection
from annotations.curation_forms import AssignQueries, FindQueries
from annotations.limits import CELLS_UNFOLDED, LINE_CHARS, OVERVIEW_ROWS
from annotations.models import Collection
from annotations.selectors import guidelines
from annotations.selectors.curation.choice import Choice, Show, Sort
from annotations.selectors.curation.overview import Overview
from annotations.selectors.curation.rows import assigned_first
from annotations.views.curation_lines import lines_of

SHOW_WORDS = {
    Show.ALL: "all",
    Show.MINE: "mine",
    Show.UNASSIGNED: "unassigned",
    Show.NOT_BEGUN: "not begun",
    Show.OPEN: "open",
    Show.OVERDUE: "overdue",
    Show.WAITED_FOR: "waited for",
    Show.SUBMITTED: "submitted",
    Show.TO_COMPARE: "to compare",
    Show.IN_ADJUDICATION: "in adjudication",
    Show.PUBLISHED: "published",
}
NOTHING_SHOWN = {
    Show.ALL: "This collection has no queries.",
    Show.MINE: "No query is assigned to you, and you have begun none.",
    Show.UNASSIGNED: "Every query is assigned.",
    Show.NOT_BEGUN: "Whatever is assigned is begun.",
    Show.OPEN: "No draft is open.",
    Show.OVERDUE: "Nothing is overdue.",
    Show.WAITED_FOR: "Nobody waits for another curator.",
    Show.SUBMITTED: "Nobody has submitted a draft yet.",
    Show.TO_COMPARE: "No query has two submitted drafts that nobody adjudicates yet.",
    Show.IN_ADJUDICATION: "No comparison is being decided.",
    Show.PUBLISHED: "No query has a published gold standard yet.",
}
NOTHING_FOUND = "No query fits."


@login_required
@require_safe
def curate(request: HttpRequest, slug: str) -> HttpResponse:
    """Queries x curators; ``?show=``, ``q``, ``curator`` and ``sort`` choose the queries, ``page`` the page of them."""
    return curate_page(request, get_collection(request.user, slug, May.CURATE))


def curate_page(request: HttpRequest, collection: Collection, status: int = 200, **more: object) -> HttpResponse:
    """The overview, with whatever the form that was sent has to say."""
    seen = Overview(collection, person(request))
    find, choice = chosen(request, seen)
    page = Paginator(seen.found(choice), OVERVIEW_ROWS).get_page(request.GET.get("page"))
    counts = seen.counts(choice)
    carried = choice.query_string()
    here = f"{carried}&page={page.number}" if page.number > 1 else carried
    context = {
        "collection": collection,
        "overview": seen,
        "lines": lines_of(seen.rows_of(list(page)), collection, seen.person, here, may_assign=May.PUBLISH in seen.may),
        "page": page,
        "n_found": counts[choice.show],
        "carried": f"&{carried}" if carried else "",
        "here": here,
        "find": find,
        "choice": choice,
        "everything": Choice(show=choice.show).query_string(),
        "grouped": choice.sort == Sort.COLLECTION and choice.show != Show.MINE,
        "most_cells": CELLS_UNFOLDED,
        "note_chars": LINE_CHARS,
        "hows": AssignQueries.base_fields["how"].choices,  # type: ignore[attr-defined]  # a field of choices
        "shows": [(each, SHOW_WORDS[each], counts[each], choice.query_string(show=each)) for each in Show],
        "nothing": NOTHING_FOUND if choice.is_narrowed else NOTHING_SHOWN[choice.show],
        "totals": [(total, _of(total.curator, Show.OVERDUE)) for total in seen.totals],
        "waits": [(wait, _of(wait.late, Show.WAITED_FOR)) for wait in seen.waits],
        "may": {str(right) for right in seen.may},
        "guidelines": guidelines.latest(collection),
        "trail": [(collection.name, reverse("collection", args=[collection.slug])), ("curate", "")],
        **_prefilled(request, seen),
        **more,
    }
    return render(request, "curate/overview.html", context, status=status)


def chosen(request: HttpRequest, seen: Overview) -> tuple[FindQueries, Choice]:
    """The form and what its address chooses."""
    find = FindQueries(request.GET, people=[user.get_username() for user in seen.people.values()])
    return find, find.choice


def _of(curator: Any, show: Show) -> str:
    return Choice(show=show, curator=curator.get_username()).query_string()


def _prefilled(request: HttpRequest, seen: Overview) -> Mapping[str, object]:
    """What the form to assign shows at first: ``?tick=`` and ``for`` name the assignment that is to be changed."""
    keys, names = (
        [text for text in request.GET.getlist(field) if "\0" not in text]  # no database can be asked for it
        for field in ("tick", "for")
    )
    first = assigned_first(seen.collection, keys, names) if keys and names else None
    sent = {"due": first.due.isoformat() if first.due else "", "note": first.note} if first else {}
    return {"chosen": {"query": keys, "curator": names}, "sent": sent}

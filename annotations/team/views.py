"""Pages of curation: the overview, assignments and the team page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.models import User
from accounts.person import person
from annotations.access import May, get_collection
from annotations.guidelines import selectors as guidelines
from annotations.limits import CELLS_UNFOLDED, DEPENDENT_ROWS, IDLE_SECONDS, LINE_CHARS, OVERVIEW_ROWS
from annotations.models import Collection, Query
from annotations.people.selectors import curators
from annotations.team import services as assignments
from annotations.team.forms import AssignQueries, FindQueries, QuerySelection
from annotations.team.overview_rows import texts_of_rows
from annotations.team.selectors.agreement import TITLES, PairPlace, TeamAgreement, team_agreement
from annotations.team.selectors.filters import OverviewFilter, QueryOrder, QueryState
from annotations.team.selectors.overview import Overview, first_assignment
from annotations.team.selectors.times import times_of
from annotations.team.services import update_times
from qc4.problems import InputError
from qc4.wording import counted
from work.answers import Pending

SHOW_WORDS = {
    QueryState.ALL: "all",
    QueryState.MINE: "mine",
    QueryState.UNASSIGNED: "unassigned",
    QueryState.NOT_BEGUN: "not begun",
    QueryState.OPEN: "open",
    QueryState.OVERDUE: "overdue",
    QueryState.WAITED_FOR: "waited for",
    QueryState.SUBMITTED: "submitted",
    QueryState.TO_COMPARE: "to compare",
    QueryState.IN_ADJUDICATION: "in adjudication",
    QueryState.PUBLISHED: "published",
}
NOTHING_SHOWN = {
    QueryState.ALL: "This collection has no queries.",
    QueryState.MINE: "No query is assigned to you, and you have begun none.",
    QueryState.UNASSIGNED: "Every query is assigned.",
    QueryState.NOT_BEGUN: "All assigned queries are begun.",
    QueryState.OPEN: "No draft is open.",
    QueryState.OVERDUE: "Nothing is overdue.",
    QueryState.WAITED_FOR: "Nobody waits for another curator.",
    QueryState.SUBMITTED: "Nobody has submitted a draft yet.",
    QueryState.TO_COMPARE: "No query has two submitted drafts waiting for adjudication.",
    QueryState.IN_ADJUDICATION: "No adjudication is open.",
    QueryState.PUBLISHED: "No query has a published gold standard yet.",
}
NOTHING_FOUND = "No query matches."


@login_required
@require_safe
def curate(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the curation overview. ``?show=``, ``q``, ``curator``, ``sort`` and ``page`` choose the queries."""
    return curate_page(request, get_collection(request.user, slug, May.CURATE))


def curate_page(request: HttpRequest, collection: Collection, status: int = 200, **more: object) -> HttpResponse:
    """Render the overview, with the errors of a submitted form."""
    seen = Overview(collection, person(request))
    find, choice = chosen(request, seen)
    page = Paginator(seen.found(choice), OVERVIEW_ROWS).get_page(request.GET.get("page"))
    counts = seen.counts(choice)
    carried = choice.query_string()
    here = f"{carried}&page={page.number}" if page.number > 1 else carried
    context = {
        "collection": collection,
        "overview": seen,
        "lines": texts_of_rows(
            seen.rows_of(list(page)), collection, seen.person, here, may_assign=May.PUBLISH in seen.may
        ),
        "page": page,
        "n_found": counts[choice.show],
        "carried": f"&{carried}" if carried else "",
        "here": here,
        "find": find,
        "choice": choice,
        "everything": OverviewFilter(show=choice.show).query_string(),
        "grouped": choice.sort == QueryOrder.COLLECTION and choice.show != QueryState.MINE,
        "most_cells": CELLS_UNFOLDED,
        "note_chars": LINE_CHARS,
        "hows": AssignQueries.base_fields["how"].choices,  # type: ignore[attr-defined]  # a field of choices
        "shows": [(each, SHOW_WORDS[each], counts[each], choice.query_string(show=each)) for each in QueryState],
        "nothing": NOTHING_FOUND if choice.is_narrowed else NOTHING_SHOWN[choice.show],
        "totals": [(total, _of(total.curator, QueryState.OVERDUE)) for total in seen.totals],
        "waits": [(wait, _of(wait.late, QueryState.WAITED_FOR)) for wait in seen.waits],
        "may": {str(right) for right in seen.may},
        "guidelines": guidelines.latest_guidelines(collection),
        "trail": [(collection.name, reverse("collection", args=[collection.slug])), ("curate", "")],
        **_prefilled(request, seen),
        **more,
    }
    return render(request, "team/overview.html", context, status=status)


def chosen(request: HttpRequest, seen: Overview) -> tuple[FindQueries, OverviewFilter]:
    """Return the filter form and the choice from the URL."""
    find = FindQueries(request.GET, people=[user.get_username() for user in seen.people.values()])
    return find, find.choice


def _of(curator: Any, show: QueryState) -> str:
    return OverviewFilter(show=show, curator=curator.get_username()).query_string()


def _prefilled(request: HttpRequest, seen: Overview) -> Mapping[str, object]:
    """Return the initial values of the assignment form. ``?tick=`` and ``for`` name an assignment to change."""
    keys, names = (
        [text for text in request.GET.getlist(field) if "\0" not in text]  # PostgreSQL rejects NUL
        for field in ("tick", "for")
    )
    first = first_assignment(seen.collection, keys, names) if keys and names else None
    sent = {"due": first.due.isoformat() if first.due else "", "note": first.note} if first else {}
    return {"chosen": {"query": keys, "curator": names}, "sent": sent}


# --- Assignments ------------------------------------------------------------------------------------------------------


@login_required
@require_POST
def assign(request: HttpRequest, slug: str) -> HttpResponse:
    """Assign, change or take back the chosen queries of the chosen curators, depending on the pressed button.

    The query string holds the filters of the overview, so that the response shows the same list.
    """
    collection = get_collection(request.user, slug, May.PUBLISH)
    keys = list(collection.queries.values_list("key", flat=True))
    people = {user.get_username(): user for user in curators(collection)}
    form = AssignQueries(request.POST, queries=keys, people=list(people))
    if not form.is_valid():
        return _refused(request, collection, form)
    queries, given = _queries(request, collection, form), [people[name] for name in form.cleaned_data["curator"]]
    if not queries:
        form.add_error("query", "The list contains no queries.")
        return _refused(request, collection, form)
    try:
        messages.success(request, _done(request, form, queries, given))
    except InputError as error:
        form.add_error("curator", str(error.problems[0]))
        return _refused(request, collection, form)
    listed = request.GET.urlencode()
    return redirect(reverse("curate", args=[slug]) + (f"?{listed}" if listed else ""))


def _done(request: HttpRequest, form: AssignQueries, queries: list[Query], people: list[User]) -> str:
    """Carry out the action of the pressed button and return a message."""
    if "take_back" in request.POST:
        taken = assignments.take_back(queries, people)
        return f"{counted(taken, 'assignment')} taken back. Drafts stay."
    terms = {"due": form.cleaned_data["due"], "note": form.cleaned_data["note"]}
    if "change" in request.POST:
        return f"{counted(assignments.change(queries, people, **terms), 'assignment')} changed."
    user, per_query = person(request), form.per_query
    if per_query is None:
        new = assignments.assign(queries, people, user=user, **terms)
    else:
        collection = queries[0].collection
        new = assignments.assign_evenly(collection, people, per_query=per_query, queries=queries, user=user, **terms)
    return f"{counted(new, 'assignment')} made." if new else "These queries were already assigned."


def _queries(request: HttpRequest, collection: Collection, form: AssignQueries) -> list[Query]:
    """Return the ticked queries, or all listed queries."""
    wanted = collection.queries.select_related("collection").order_by("position", "pk")
    if form.cleaned_data["which"] != QuerySelection.SHOWN:
        return list(wanted.filter(key__in=form.cleaned_data["query"]))
    seen = Overview(collection, person(request))
    _, choice = chosen(request, seen)
    return list(wanted.filter(pk__in=[one.pk for one in seen.found(choice)]))


def _refused(request: HttpRequest, collection: Collection, form: AssignQueries) -> HttpResponse:
    wrong = [str(error) for errors in form.errors.values() for error in errors]
    ticked = {field: request.POST.getlist(field) for field in ("query", "curator")}
    return curate_page(request, collection, 400, wrong=wrong, chosen=ticked, sent=form.data)


# --- The team page ----------------------------------------------------------------------------------------------------

DEPENDENT = "dependent"
"""The query parameter for the page number of the dependent comparisons."""


@login_required
@require_safe
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the figures of a collection's curators."""
    collection = get_collection(request.user, slug, May.CURATE)
    left = update_times(collection)
    seen = Overview(collection, person(request))
    agreement = _agreement(seen)
    page = _dependents(request, agreement)
    late = [
        OverviewFilter(show=QueryState.WAITED_FOR, curator=wait.late.get_username()).query_string()
        for wait in seen.waits
    ]
    context = {
        "collection": collection,
        "agreement": agreement,
        "pending": agreement.pending,
        "dependents": None if page is None else agreement.dependents.rows(list(page)),
        "dependents_page": page,
        "titles": TITLES.values(),
        "timed": collection.timing == Collection.Timing.ON,
        "times": times_of(seen),
        "uncounted": left,
        "idle_minutes": IDLE_SECONDS // 60,
        "waits": list(zip(seen.waits, late, strict=True)),
        "everybody": May.PUBLISH in seen.may,
        "manages": May.MANAGE in seen.may,
        "trail": [
            (collection.name, reverse("collection", args=[slug])),
            ("curate", reverse("curate", args=[slug])),
            ("team", ""),
        ],
    }
    return render(request, "team/team.html", context)


def _agreement(seen: Overview) -> TeamAgreement:
    """Return the agreement, or only the numbers of comparisons while the agreement is being computed."""
    try:
        return team_agreement(seen)
    except Pending as pending:
        return cast("TeamAgreement", pending.meanwhile)


def _dependents(request: HttpRequest, agreement: TeamAgreement) -> Page[PairPlace] | None:
    """Return a page of the dependent comparisons if the URL asks for one."""
    if DEPENDENT not in request.GET:
        return None
    return Paginator(agreement.dependents.places(), DEPENDENT_ROWS).get_page(request.GET[DEPENDENT])

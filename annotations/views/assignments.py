"""Queries given to curators: each to all of them or evenly, given another date, and taken back."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.person import person
from annotations.access import May, get_collection
from annotations.curation_forms import AssignQueries, Which
from annotations.models import Collection, Query
from annotations.selectors.curation.overview import Overview
from annotations.selectors.people import curators
from annotations.services import assignments
from annotations.views.curate import chosen, curate_page
from qc4.problems import InputError
from qc4.wording import counted


@login_required
@require_POST
def assign(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the chosen queries to the chosen curators; its other buttons change or take back what they have. The address
    says which list the form stood below, as the overview's does."""
    collection = get_collection(request.user, slug, May.PUBLISH)
    keys = list(collection.queries.values_list("key", flat=True))
    people = {user.get_username(): user for user in curators(collection)}
    form = AssignQueries(request.POST, queries=keys, people=list(people))
    if not form.is_valid():
        return _refused(request, collection, form)
    queries, given = _queries(request, collection, form), [people[name] for name in form.cleaned_data["curator"]]
    if not queries:
        form.add_error("query", "The list holds no query.")
        return _refused(request, collection, form)
    try:
        messages.success(request, _done(request, form, queries, given))
    except InputError as error:
        form.add_error("curator", str(error.problems[0]))
        return _refused(request, collection, form)
    listed = request.GET.urlencode()
    return redirect(reverse("curate", args=[slug]) + (f"?{listed}" if listed else ""))


def _done(request: HttpRequest, form: AssignQueries, queries: list[Query], people: list[User]) -> str:
    """Carry out what the button says; in words."""
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
        new = assignments.spread(collection, people, per_query=per_query, queries=queries, user=user, **terms)
    return f"{counted(new, 'assignment')} made." if new else "All of that was assigned already."


def _queries(request: HttpRequest, collection: Collection, form: AssignQueries) -> list[Query]:
    """Those that were ticked, or all the list holds."""
    wanted = collection.queries.select_related("collection").order_by("position", "pk")
    if form.cleaned_data["which"] != Which.SHOWN:
        return list(wanted.filter(key__in=form.cleaned_data["query"]))
    seen = Overview(collection, person(request))
    _, choice = chosen(request, seen)
    return list(wanted.filter(pk__in=[one.pk for one in seen.found(choice)]))


def _refused(request: HttpRequest, collection: Collection, form: AssignQueries) -> HttpResponse:
    wrong = [str(error) for errors in form.errors.values() for error in errors]
    ticked = {field: request.POST.getlist(field) for field in ("query", "curator")}
    return curate_page(request, collection, 400, wrong=wrong, chosen=ticked, sent=form.data)

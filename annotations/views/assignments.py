"""Queries given to curators: chosen ones, all of them evenly, and taken back."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.forms import Form
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from accounts.models import User
from accounts.person import person
from annotations.access import May, get_collection
from annotations.forms import AssignQueries, SpreadQueries
from annotations.models import Collection
from annotations.selectors.people import curators
from annotations.services import assignments
from annotations.views.curate import curate_page
from qc4.problems import InputError
from qc4.problems.wording import counted


@login_required
@require_POST
def assign(request: HttpRequest, slug: str) -> HttpResponse:
    """Every chosen query to every chosen curator; the button “Take back” takes them away instead."""
    collection = get_collection(request.user, slug, May.PUBLISH)
    keys = list(collection.queries.values_list("key", flat=True))
    form = AssignQueries(request.POST, queries=keys, people=_names(collection))
    if not form.is_valid():
        return _refused(request, collection, form)
    queries = list(collection.queries.filter(key__in=form.cleaned_data["query"]).select_related("collection"))
    people = _people(collection, form)
    if "take_back" in request.POST:
        taken = assignments.take_back(queries, people)
        messages.success(request, f"{counted(taken, 'assignment')} taken back. Drafts stay.")
        return redirect("curate", slug)
    new = assignments.assign(queries, people, user=person(request), due=form.cleaned_data["due"])
    return _done(request, slug, new)


@login_required
@require_POST
def spread(request: HttpRequest, slug: str) -> HttpResponse:
    """All queries evenly to the chosen curators, one or two each."""
    collection = get_collection(request.user, slug, May.PUBLISH)
    form = SpreadQueries(request.POST, people=_names(collection))
    if not form.is_valid():
        return _refused(request, collection, form)
    try:
        new = assignments.spread(
            collection,
            _people(collection, form),
            per_query=form.cleaned_data["per_query"],
            user=person(request),
            due=form.cleaned_data["due"],
        )
    except InputError as error:
        form.add_error("curator", str(error.problems[0]))
        return _refused(request, collection, form)
    return _done(request, slug, new)


def _names(collection: Collection) -> list[str]:
    return [user.get_username() for user in curators(collection)]


def _people(collection: Collection, form: Form) -> list[User]:
    chosen = form.cleaned_data["curator"]
    return [user for user in curators(collection) if user.get_username() in chosen]


def _done(request: HttpRequest, slug: str, new: int) -> HttpResponse:
    words = f"{counted(new, 'assignment')} made." if new else "All of that was assigned already."
    messages.success(request, words)
    return redirect("curate", slug)


def _refused(request: HttpRequest, collection: Collection, form: Form) -> HttpResponse:
    wrong = [str(error) for errors in form.errors.values() for error in errors]
    chosen = {field: request.POST.getlist(field) for field in ("query", "curator")}
    return curate_page(request, collection, 400, wrong=wrong, chosen=chosen, sent=form.data)

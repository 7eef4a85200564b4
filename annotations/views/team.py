"""A team at work: how long people take, how far they agree, and who waits for whom."""

from __future__ import annotations

from typing import cast

from django.contrib.auth.decorators import login_required
from django.core.paginator import Page, Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.person import person
from annotations.access import May, get_collection
from annotations.limits import DEPENDENT_ROWS, IDLE_SECONDS
from annotations.models import Collection
from annotations.selectors.curation.choice import Choice, Show
from annotations.selectors.curation.dependents import Place
from annotations.selectors.curation.overview import Overview
from annotations.selectors.curation.pairs import TITLES, TeamAgreement, team_agreement
from annotations.selectors.curation.times import times_of
from annotations.services.timing import catch_up
from work.answers import Pending

DEPENDENT = "dependent"
"""In the address: which page of the comparisons that are not independent is shown."""


@login_required
@require_safe
def team(request: HttpRequest, slug: str) -> HttpResponse:
    """Figures of everybody who curates."""
    collection = get_collection(request.user, slug, May.CURATE)
    left = catch_up(collection)
    seen = Overview(collection, person(request))
    agreement = _agreement(seen)
    page = _dependents(request, agreement)
    late = [Choice(show=Show.WAITED_FOR, curator=wait.late.get_username()).query_string() for wait in seen.waits]
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
    return render(request, "curate/team.html", context)


def _agreement(seen: Overview) -> TeamAgreement:
    """How far they agree, or how many are compared while that is being worked out."""
    try:
        return team_agreement(seen)
    except Pending as pending:
        return cast("TeamAgreement", pending.meanwhile)


def _dependents(request: HttpRequest, agreement: TeamAgreement) -> Page[Place] | None:
    """Return a page of the comparisons that are not independent, if the address asks for one."""
    if DEPENDENT not in request.GET:
        return None
    return Paginator(agreement.dependents.places(), DEPENDENT_ROWS).get_page(request.GET[DEPENDENT])

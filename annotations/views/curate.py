"""The overview of a collection's curation: who works on what, how far they are, and what is next."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from accounts.person import person
from annotations.access import May, get_collection
from annotations.limits import LINE_CHARS
from annotations.models import Collection
from annotations.selectors import guidelines
from annotations.selectors.curation.overview import Overview, Show
from annotations.selectors.curation.steps import Step

SHOW_WORDS = {
    Show.MINE: "mine",
    Show.ALL: "all",
    Show.UNASSIGNED: "unassigned",
    Show.SUBMITTED: "submitted",
    Show.PUBLISHED: "published",
}
NOTHING_SHOWN = {
    Show.MINE: "No query is assigned to you, and you have begun none.",
    Show.ALL: "This collection has no queries.",
    Show.UNASSIGNED: "Every query is assigned.",
    Show.SUBMITTED: "Nobody has submitted a draft yet.",
    Show.PUBLISHED: "No query has a published gold standard yet.",
}


@login_required
@require_safe
def curate(request: HttpRequest, slug: str) -> HttpResponse:
    """Queries x curators; ``?show=mine`` and so on choose the queries."""
    return curate_page(request, get_collection(request.user, slug, May.CURATE))


def curate_page(request: HttpRequest, collection: Collection, status: int = 200, **more: object) -> HttpResponse:
    """The overview, with whatever the form that was sent has to say."""
    seen = Overview(collection, person(request))
    show = _chosen(request.GET.get("show", ""))
    counts = seen.counts()
    context = {
        "collection": collection,
        "overview": seen,
        "rows": seen.shown(show),
        "show": show,
        "due_chars": LINE_CHARS,
        "shows": [(each, SHOW_WORDS[each], counts[each]) for each in Show],
        "nothing": NOTHING_SHOWN[show],
        "Step": {step.name: step.value for step in Step},
        "may": {str(right) for right in seen.may},
        "guidelines": guidelines.latest(collection),
        "trail": [(collection.name, reverse("collection", args=[collection.slug])), ("curate", "")],
        **more,
    }
    return render(request, "curate/overview.html", context, status=status)


def _chosen(show: str) -> Show:
    return Show(show) if show in set(Show) else Show.ALL

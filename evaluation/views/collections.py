"""The list of collections (the home page) and a collection's own page."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from accounts.signup_policy import ways_to_sign_up
from annotations.access import May, capabilities, collections_where, get_collection
from annotations.challenges.access import is_hiding
from annotations.collections.forms import FindCollections
from annotations.collections.selectors import found_collections, languages
from annotations.people.selectors import inboxes, open_requests, open_to_all, submits_to
from evaluation.access import may_delete, visible_runs, visible_streams, visible_submissions
from evaluation.baseline_forms import RunBaselines
from evaluation.limits import LARGEST_SEED, TEXT_COMPONENTS
from evaluation.selectors.first_picture import first_picture
from evaluation.selectors.marks import marks
from evaluation.selectors.overview import overviews
from evaluation.selectors.query_lines import query_lines
from evaluation.selectors.streams import with_submissions
from evaluation.selectors.vectors import held_vectors
from evaluation.views.challenges import face_in
from evaluation.views.trails import trail

PER_PAGE = 20
SUBMISSIONS_PER_PAGE = 30
QUERIES_PER_PAGE = 50
STREAMS_PER_PAGE = 25
VERSIONS_PER_PAGE = 10
RECENT_RUNS = 6


@require_safe
def collections(request: HttpRequest) -> HttpResponse:
    """What the site answers, and every collection the person may see, with its state and its leader."""
    find = FindCollections(request.GET, initial={})
    wanted = find.cleaned_data if find.is_valid() else {}
    carried = urlencode({name: value for name, value in wanted.items() if value})
    rows = found_collections(request.user, wanted)
    page = Paginator(rows, PER_PAGE).get_page(request.GET.get("page"))
    lines = overviews(list(page), request.user)
    return render(
        request,
        "collections/index.html",
        {
            "page": page,
            "lines": lines,
            "find": find,
            "languages": languages(request.user),
            "carried": f"&{carried}" if carried else "",
            "n_found": page.paginator.count if carried else 0,
            "picture": first_picture(),
            "submits_to": submits_to(request.user) or open_to_all(),
            "inboxes": inboxes(request.user),
            "curates": collections_where(request.user, May.CURATE).order_by("-pk").first(),
            **ways_to_sign_up(""),
        },
    )


@require_safe
def collection(request: HttpRequest, slug: str) -> HttpResponse:
    """Queries, gold versions, algorithms and what one may do here."""
    found = get_collection(request.user, slug)
    named = marks(found)
    seen = overviews([found], request.user, named)[0]
    face = face_in(request, found)
    allowed = capabilities(request.user, found)
    may = {str(right) for right in allowed}
    submissions = visible_submissions(request.user, found).select_related("algorithm", "created_by").order_by("-pk")
    page = Paginator(submissions, SUBMISSIONS_PER_PAGE).get_page(request.GET.get("page"))
    versions = found.gold_versions.select_related("published_by").order_by("-number")
    queries = Paginator(found.queries.order_by("position", "pk"), QUERIES_PER_PAGE).get_page(request.GET.get("queries"))
    streams = visible_streams(request.user, found).order_by("position", "pk")
    shown_streams = Paginator(streams, STREAMS_PER_PAGE).get_page(request.GET.get("streams"))
    ticks = {one.pk for one in page if may_delete(request.user, one, allowed)}
    return render(
        request,
        "collections/collection.html",
        {
            "collection": found,
            "overview": seen,
            "may": may,
            "asking": open_requests(found).count() if May.MANAGE in may else 0,
            "ticks": ticks,
            "queries": queries,
            "query_lines": query_lines(list(queries), request.user, seen.version),
            "versions": Paginator(versions, VERSIONS_PER_PAGE).get_page(request.GET.get("versions")),
            "page": page,
            "marks": named,
            "runs": visible_runs(request.user)
            .filter(collection=found)
            .select_related("submission__algorithm", "stream_submission__algorithm", "stream")[:RECENT_RUNS],
            "baselines": RunBaselines(),
            "largest_seed": LARGEST_SEED,
            "text_components": TEXT_COMPONENTS,
            "vectors": held_vectors(found),
            "streams": shown_streams,
            "stream_lines": with_submissions(list(shown_streams), request.user),
            **face,
            "runs_baselines": face["challenge"] is None or face["challenge"].organises,
            "notes": [] if is_hiding(request.user, found) else found.import_notes,
            "has_guidelines": found.guidelines.exists(),
            "trail": trail(found),
        },
    )

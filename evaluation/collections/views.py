"""The home page, the page of a collection, its settings and its deletion."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.person import person
from accounts.signup_policy import ways_to_sign_up
from annotations.access import May, capabilities, collections_where, get_collection
from annotations.challenges.access import challenge_of, has_hidden_gold
from annotations.collections.forms import CollectionFilterForm, CollectionSettingsForm, ConfirmNameForm
from annotations.collections.selectors import found_collections, languages
from annotations.collections.services import change_settings
from annotations.collections.storage import storage_of_collection
from annotations.gold.query_list import query_table_rows
from annotations.models import Collection, Page
from annotations.models.collections import SPDX
from annotations.people.selectors import (
    collections_with_open_requests,
    latest_collection_to_submit,
    latest_open_collection,
    open_requests,
)
from evaluation.access import may_delete, visible_runs, visible_streams, visible_submissions
from evaluation.baseline_runs.forms import RunBaselines
from evaluation.breadcrumbs import trail
from evaluation.challenges.views import challenge_context
from evaluation.charts.marks import marks
from evaluation.collections.first_picture import first_picture
from evaluation.collections.selectors import overviews
from evaluation.deletion.services import delete_collection
from evaluation.limits import LARGEST_SEED, TEXT_COMPONENTS
from evaluation.scoring.selectors import vector_sources
from evaluation.streams.selectors import with_submissions
from qc4.problems import InputError
from qc4.wording import counted

PER_PAGE = 20
SUBMISSIONS_PER_PAGE = 30
QUERIES_PER_PAGE = 50
STREAMS_PER_PAGE = 25
VERSIONS_PER_PAGE = 10
RECENT_RUNS = 6


@require_safe
def collections(request: HttpRequest) -> HttpResponse:
    """Show the purpose of the site, and every collection the person can see, with its state and its leader."""
    find = CollectionFilterForm(request.GET, initial={})
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
            "submits_to": latest_collection_to_submit(request.user) or latest_open_collection(),
            "inboxes": collections_with_open_requests(request.user),
            "curates": collections_where(request.user, May.CURATE).order_by("-pk").first(),
            **ways_to_sign_up(""),
        },
    )


@require_safe
def collection(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a collection's queries, gold versions and algorithms, and the actions the user may take."""
    found = get_collection(request.user, slug)
    named = marks(found)
    seen = overviews([found], request.user, named)[0]
    face = challenge_context(request, found)
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
            "query_lines": query_table_rows(list(queries), request.user, seen.version),
            "versions": Paginator(versions, VERSIONS_PER_PAGE).get_page(request.GET.get("versions")),
            "page": page,
            "marks": named,
            "runs": visible_runs(request.user)
            .filter(collection=found)
            .select_related("submission__algorithm", "stream_submission__algorithm", "stream")[:RECENT_RUNS],
            "baselines": RunBaselines(),
            "largest_seed": LARGEST_SEED,
            "text_components": TEXT_COMPONENTS,
            "vectors": vector_sources(found),
            "streams": shown_streams,
            "stream_lines": with_submissions(list(shown_streams), request.user),
            **face,
            "runs_baselines": face["challenge"] is None or face["challenge"].organises,
            "notes": [] if has_hidden_gold(request.user, found) else found.import_notes,
            "has_guidelines": found.guidelines.exists(),
            "trail": trail(found),
        },
    )


# --- The settings of a collection, and its deletion ---


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, slug: str) -> HttpResponse:
    """Edit a collection's name, description, licence and other details, who can read it and who can submit."""
    collection = get_collection(request.user, slug, May.MANAGE)
    form = CollectionSettingsForm(request.POST or None, initial=_start(collection))
    if request.method == "POST" and form.is_valid():
        try:
            named = ("name", "description", "visibility", "participation", "timing")
            given = {name: form.cleaned_data[name] for name in named}
            change_settings(collection, user=person(request), face=form.face, **given)
        except InputError as error:
            form.add_error("name", str(error.problems[0]))
        else:
            messages.success(request, "Saved.")
            return redirect("collection", slug)
    status = 400 if request.method == "POST" else 200
    return _page(request, collection, form, ConfirmNameForm(expected=collection.name), status)


@login_required
@require_POST
def delete(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete the collection with everything in it, after its name was typed."""
    collection = get_collection(request.user, slug, May.MANAGE)
    confirmation = ConfirmNameForm(request.POST, expected=collection.name)
    if not confirmation.is_valid():
        return _page(request, collection, CollectionSettingsForm(initial=_start(collection)), confirmation, status=400)
    delete_collection(collection)
    messages.success(request, f"The collection “{collection.name}” was deleted.")
    return redirect("collections")


def _start(collection: Collection) -> dict[str, str]:
    names = ("name", "description", "visibility", "participation", "timing", *Collection.FACE)
    return {name: getattr(collection, name) for name in names}


def _page(
    request: HttpRequest,
    collection: Collection,
    form: CollectionSettingsForm,
    confirmation: ConfirmNameForm,
    status: int = 200,
) -> HttpResponse:
    consequences = [
        counted(collection.queries.count(), "query", "queries"),
        counted(Page.objects.filter(query__collection=collection).count(), "page"),
        counted(collection.gold_versions.count(), "gold version"),
        counted(collection.submissions.count(), "submission"),
        counted(collection.runs.count(), "run"),
    ]
    context = {
        "collection": collection,
        "form": form,
        "confirmation": confirmation,
        "consequences": consequences,
        "is_challenge": challenge_of(collection) is not None,
        "licences": SPDX,
        "storage": storage_of_collection(collection),
        "trail": trail(collection, ("settings", "")),
    }
    return render(request, "collections/settings.html", context, status=status)

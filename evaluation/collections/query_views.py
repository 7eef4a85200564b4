"""The page of a query (pages, gold standard, scores of each algorithm), and gold standards as files."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.encoding import iri_to_uri
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from annotations.access import May, capabilities, get_gold_version, get_query
from annotations.challenges.access import is_hidden, visible_entries
from annotations.drafts.selectors.dependence import independence_status
from annotations.gold.selectors import gold_tree
from annotations.gold.services import record_gold_exposure
from annotations.models import Query
from common.downloads import attachment, json_line
from evaluation.breadcrumbs import trail
from evaluation.charts.marks import marks
from evaluation.collections.query_scores import ScoredRuns, Scoring, notes_on_query, scoring
from evaluation.limits import QUERY_PAGES, QUERY_SCORES, QUERY_TOPICS
from evaluation.runs.views import STOP_POLLING
from evaluation.scoring.columns import columns_of_submission
from evaluation.scoring.options import BoardOptions, url_query
from qc4.model.policies import Policies


@require_safe
def query(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Show the query's pages and topics, and its scores against the latest gold version under the chosen scoring
    options.

    Raises:
        InputError: the query string asks for something that does not exist.
    """
    found = get_query(request.user, slug, key)
    choice = BoardOptions.read(request.GET)
    now = scoring(found, request.user, choice.policies)
    tree = gold_tree(now.gold) if now.gold else None
    may = capabilities(request.user, found.collection)
    if now.gold and May.CURATE in may:
        record_gold_exposure(request.user, found.collection, [now.gold])
    page = Paginator(found.pages.without_texts().order_by("position"), QUERY_PAGES).get_page(request.GET.get("page"))
    rows = [
        (each, tree.paths(each.position - 1) if tree else (), tree is not None and each.position - 1 in tree.outliers)
        for each in page
    ]
    return render(
        request,
        "collections/query.html",
        {
            **_panel(found, now, choice),
            **_table(found, request, now, choice),
            "hidden": now.gold is None and is_hidden(request.user, found),
            "may": {str(right) for right in may},
            "standing": independence_status(request.user, found) if now.gold and May.CURATE in may else None,
            "rows": rows,
            "page": page,
            "n_pages": found.n_pages,
            "tree": tree,
            "topics": tree.nodes[:QUERY_TOPICS] if tree else (),
            "trail": trail(found.collection, (found.text or found.key, "")),
        },
    )


@never_cache
@require_safe
def scores(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """Return the parts of the page that change while algorithms are scored.

    These are the progress, and the table if it differs from the one named by ``known``. The last response tells htmx to
    stop polling.
    """
    found = get_query(request.user, slug, key)
    choice = BoardOptions.read(request.GET)
    now = scoring(found, request.user, choice.policies)
    is_news = request.GET.get("known") != now.seen
    context = _panel(found, now, choice) | (_table(found, request, now, choice) if is_news else {})
    template = "collections/query_scores.html" if is_news else "collections/query_progress.html"
    answer = render(request, template, context, status=200 if now.waits else STOP_POLLING)
    if is_news:
        answer["HX-Retarget"], answer["HX-Reswap"] = "#scores", "outerHTML"
    return answer


@require_safe
def gold_download(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Download a gold version as JSON Lines: the canonical ``qc4-gold/1`` document of one query per line."""
    version = get_gold_version(request.user, slug, number)
    entries = visible_entries(request.user, version).select_related("gold__file")
    record_gold_exposure(request.user, version.collection, entries.values("gold"))
    rows = entries.order_by("query__position", "query__pk")
    lines = b"".join(json_line(entry.gold.file.content) for entry in rows.iterator())
    response = attachment(lines, f"{slug}-gold-v{number}.jsonl", "application/jsonl")
    # The documents are served byte for byte as published, so the licence goes into a header.
    if licence := version.collection.licence_address:
        response["Link"] = f'<{iri_to_uri(licence)}>; rel="license"'
    return response


def _panel(query: Query, now: Scoring, choice: BoardOptions) -> dict[str, object]:
    return {
        "query": query,
        "collection": query.collection,
        "scores": now,
        "version": now.version,
        "gold": now.gold,
        "choice": choice,
        "address": url_query(choice),
        "carried": url_query(choice).replace("?", "&", 1).rstrip("&"),
        "scored_elsewhere": now.algorithms and choice.policies != Policies(),
    }


def _table(query: Query, request: HttpRequest, now: Scoring, choice: BoardOptions) -> dict[str, object]:
    shown = columns_of_submission(choice.measures, choice.policies)
    keys = [column.key for column in shown]
    by = "qc4_f" if "qc4_f" in keys else keys[-1]
    scored = ScoredRuns(query, request.user, now, shown, sort=by)
    page = Paginator(scored.runs, QUERY_SCORES).get_page(request.GET.get("scores"))
    lines = scored.lines(list(page))
    return {
        "columns": shown,
        "lines": lines,
        "lines_page": page,
        "reference_notes": notes_on_query(lines, shown, by),
        "marks": marks(query.collection),
    }

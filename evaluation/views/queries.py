"""A query: its pages, its gold standard and what each algorithm made of it; gold standards as files."""

from __future__ import annotations

import zlib

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from annotations.access import Person, capabilities, get_collection, get_query
from annotations.models import Gold, GoldVersion, Query
from annotations.services import gold as golds
from evaluation.selectors.columns import columns
from evaluation.selectors.gold_tree import tree_of
from evaluation.selectors.leaderboard import scored_runs
from evaluation.selectors.marks import marks
from evaluation.selectors.query_scores import query_scores
from evaluation.views.downloads import attachment, json_line
from evaluation.views.trails import trail

SHOWN = ("aq", "wq", "ac", "wc", "quality", "coverage", "qc4", "qc4_f")


@require_safe
def query(request: HttpRequest, slug: str, key: str) -> HttpResponse:
    """The query's pages beside its topics, and its scores against the latest gold version."""
    found = get_query(request.user, slug, key)
    gold, version = _latest_gold(found)
    tree = tree_of(golds.read(gold)) if gold else None
    pages = list(found.pages.defer("text"))
    rows = [
        (page, tree.paths.get(page.key, ()) if tree else (), tree is not None and page.key in tree.outliers)
        for page in pages
    ]
    return render(
        request,
        "queries/query.html",
        {
            "query": found,
            "collection": found.collection,
            "may": {str(right) for right in capabilities(request.user, found.collection)},
            "rows": rows,
            "tree": tree,
            "gold": gold,
            "version": version,
            "columns": columns(SHOWN, "", 1),
            "scores": _scores(request.user, found, version),
            "marks": marks(found.collection),
            "trail": trail(found.collection, (found.text or found.key, "")),
        },
    )


@require_safe
def gold_download(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A gold version as JSON Lines: the canonical ``qc4-gold/1`` document of one query per line."""
    collection = get_collection(request.user, slug)
    version = collection.gold_versions.filter(number=number).first()
    if version is None:
        raise Http404("There is no such gold version.")
    rows = version.golds.order_by("query__position", "query__pk").values_list("document", flat=True)
    lines = b"".join(json_line(zlib.decompress(bytes(document))) for document in rows.iterator())
    return attachment(lines, f"{slug}-gold-v{number}.jsonl", "application/jsonl")


def _latest_gold(query: Query) -> tuple[Gold | None, GoldVersion | None]:
    entry = query.gold_entries.select_related("gold", "version").order_by("-version__number").first()
    return (entry.gold, entry.version) if entry else (None, None)


def _scores(person: Person, query: Query, version: GoldVersion | None) -> list[object]:
    if version is None:
        return []
    runs = scored_runs(query.collection, person, version)
    return list(query_scores(query, version, runs.values(), columns(SHOWN, "", 1), sort="qc4_f"))

"""Why a submission scores as it does on one query."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from annotations.models import Gold
from annotations.selectors import gold as golds
from evaluation import cases
from evaluation.access import get_submission
from evaluation.models import Clustering, Submission
from evaluation.selectors.marks import marks
from evaluation.selectors.why import explain
from evaluation.views.trails import trail


@require_safe
def why(request: HttpRequest, pk: int, key: str) -> HttpResponse:
    """Cluster by cluster and topic by topic, computed now, against the latest gold version or ``?gold=N``."""
    submission = get_submission(request.user, pk)
    row = submission.clusterings.select_related("query").filter(query__key=key).first()
    if row is None:
        raise Http404("This submission has no clustering of that query.")
    gold, number = _gold(row, request.GET.get("gold", ""))
    query = row.query
    context: dict[str, object] = {
        "submission": submission,
        "collection": submission.collection,
        "query": query,
        "version": number,
        "marks": marks(submission.collection),
        "others": _neighbours(submission, row),
        "trail": trail(
            submission.collection,
            (query.text or query.key, reverse("query", args=[submission.collection.slug, query.key])),
            (f"{submission.algorithm.name} #{submission.pk}", reverse("submission", args=[pk])),
            ("why this score", ""),
        ),
    }
    if gold is not None:
        context["why"] = explain(cases.case(row, gold), cases.clustering(row), golds.read(gold))
    return render(request, "boards/why.html", context)


def _gold(row: Clustering, wanted: str) -> tuple[Gold | None, int | None]:
    entries = row.query.gold_entries.select_related("gold", "version").order_by("-version__number")
    if wanted:
        if not (wanted.isascii() and wanted.isdigit() and len(wanted) < 10):
            raise Http404("There is no such gold version.")
        entries = entries.filter(version__number=int(wanted))
    entry = entries.first()
    if entry is None and wanted:
        raise Http404("There is no such gold version of this query.")
    return (entry.gold, entry.version.number) if entry else (None, None)


def _neighbours(submission: Submission, row: Clustering) -> dict[str, Clustering | None]:
    """The submission's clusterings of the query before and the query after."""
    ordered = submission.clusterings.select_related("query")
    place = row.query.position
    return {
        "before": ordered.filter(query__position__lt=place).order_by("-query__position").first(),
        "after": ordered.filter(query__position__gt=place).order_by("query__position").first(),
    }

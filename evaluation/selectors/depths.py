"""How deep clusters are nested, as far as somebody may know: on hidden queries that may be how deep gold is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import Max

from evaluation.models import Run, RunQuery
from evaluation.selectors.scores import ScoredQuery
from qc4.inputs.view import MOST_DEPTHS


def shown_depths(runs: Iterable[Run], every: Sequence[ScoredQuery], told: Sequence[ScoredQuery]) -> dict[int, int]:
    """Evaluation (finished) -> how deep its clusters are nested at most on the queries somebody sees scores of.

    One query to the database where some queries are hidden and some clusters nested, else none.

    Args:
        every, told: all queries of the gold version, and those that are not hidden.
    """
    found = {run.pk: run.deepest for run in runs}
    nested = [pk for pk, deepest in found.items() if deepest > 1]
    if not nested or len(told) == len(every):
        return found
    rows = RunQuery.objects.filter(run__in=nested, query__in=[query.pk for query in told]).order_by().values_list("run")
    on_told = dict(rows.annotate(Max("evaluation__scores__deepest")))
    return found | {pk: min(max(1, on_told.get(pk) or 1), MOST_DEPTHS) for pk in nested}

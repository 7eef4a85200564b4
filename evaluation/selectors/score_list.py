"""Every score of a collection as rows of the database, to be filtered and read page by page."""

from __future__ import annotations

from typing import Any

from django.db.models import F, Max, Q, QuerySet

from accounts.person import Person
from annotations.access import hidden_gold
from annotations.models import Collection
from evaluation.access import visible_submissions
from evaluation.models import Run, RunQuery

COLUMNS = {
    "algorithm": F("run__submission__algorithm__name"),
    "submission": F("run__submission_id"),
    "key": F("query__key"),
    "measure": F("evaluation__scores__measure"),
    "measure_version": F("evaluation__scores__measure_version"),
    "level": F("evaluation__scores__level"),
    "depth": F("evaluation__scores__depth"),
    "deepest": F("evaluation__scores__deepest"),
    "value": F("evaluation__scores__value"),
    "undefined": F("evaluation__scores__undefined"),
    "flattened": F("evaluation__scores__flattened"),
    "gold_version": F("run__gold_version__number"),
    "engine": F("evaluation__scores__engine"),
    "policies": F("run__policies"),
    "vectors": F("evaluation__vectors_sha256"),
}


def score_list(collection: Collection, person: Person) -> QuerySet[RunQuery, dict[str, Any]]:
    """One dictionary per score this person may see, with the keys of `COLUMNS` and ``run_id``, in a stable order.

    Where a submission was scored repeatedly against a gold version under the same policies, the last run counts.
    """
    done = Run.objects.filter(
        kind=Run.Kind.EVALUATION, state=Run.State.DONE, submission__in=visible_submissions(person, collection)
    )
    groups = done.order_by().values("submission", "gold_version", "policies").annotate(last=Max("pk"))
    runs = Run.objects.filter(pk__in=[group["last"] for group in groups])
    rows = RunQuery.objects.filter(_asked_for(runs)).exclude(query__in=hidden_gold(person)).annotate(**COLUMNS)
    rows = rows.order_by("run_id", "query__position", "query_id", "evaluation__scores__pk")
    found: QuerySet[RunQuery, dict[str, Any]] = rows.values("run_id", *COLUMNS)
    return found


def _asked_for(runs: QuerySet[Run]) -> Q:
    """The scores these runs asked for: equal content shares its scores across runs, so others may lie beside them."""
    asked: dict[tuple[tuple[str, int], ...], list[int]] = {}
    for pk, measures in runs.values_list("pk", "measures"):
        asked.setdefault(tuple(sorted(measures.items())), []).append(pk)
    scores = Q(pk__in=[])
    for measures, pks in asked.items():
        versions: dict[int, list[str]] = {}
        for key, version in measures:
            versions.setdefault(version, []).append(key)
        for version, keys in versions.items():
            scores |= Q(run__in=pks, evaluation__scores__measure_version=version, evaluation__scores__measure__in=keys)
    return scores

"""Which vectors a collection has, and which scores are on older ones."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from annotations.collections.vectors import latest_vectors
from annotations.models import Collection, VectorSet
from evaluation.models import Run, RunQuery
from evaluation.questions import NO_VECTORS


@dataclass(frozen=True, slots=True)
class Held:
    """The latest vectors of some queries that came from one place."""

    words: str
    queries: int
    latest: VectorSet


def held_vectors(collection: Collection) -> tuple[Held, ...]:
    """The latest vectors of the queries, by where they come from; the largest part first."""
    groups: dict[str, list[VectorSet]] = {}
    for row in latest_vectors(collection).values():
        groups.setdefault(_words(row), []).append(row)
    found = [Held(words, len(rows), max(rows, key=lambda row: row.pk)) for words, rows in groups.items()]
    return tuple(sorted(found, key=lambda held: -held.queries))


def has_scores_on_vectors(collection: Collection) -> bool:
    """Whether some run of the collection scored on vectors, so that boards have internal measures to show."""
    rows = RunQuery.objects.filter(run__collection=collection)
    return rows.exclude(evaluation__vectors_sha256__in=["", NO_VECTORS]).exists()


def on_older_vectors(runs: Iterable[Run], latest: Mapping[int, VectorSet]) -> frozenset[int]:
    """The runs that scored some query on other vectors than its latest."""
    rows = RunQuery.objects.filter(run__in=runs).exclude(evaluation__vectors_sha256="")
    return frozenset(
        run
        for run, query, sha256 in rows.values_list("run_id", "query_id", "evaluation__vectors_sha256")
        if query in latest and latest[query].sha256 != sha256
    )


def _words(row: VectorSet) -> str:
    if row.origin == VectorSet.Origin.TEXT:
        return f"from page text, seed {row.parameters.get('seed')}"
    return f"from {str(row.parameters.get('file', 'a file')).split('/', 1)[0]}"

"""Put the scores of a run together by column, as boards read them."""

from __future__ import annotations

from collections.abc import Sequence
from math import nan

import numpy as np

from evaluation.models import Run, RunColumn, Score
from evaluation.selectors.scores import MISSING, Cell, Scored, ScoredQuery, State, cell, queries_of

Found = dict[int, Scored]
"""Query id -> what was scored."""


def collect(run: Run) -> list[RunColumn]:
    """The columns of a run whose queries all have their scores; not saved yet.

    Raises:
        ValueError: the run is no evaluation.
    """
    if run.gold_version is None or run.submission is None:
        raise ValueError(f"run {run.pk} is no evaluation")
    queries = sorted(queries_of([run.gold_version])[run.gold_version.pk], key=lambda query: query.pk)
    answered = set(run.submission.clusterings.values_list("query_id", flat=True))
    return [
        _column(run, measure, level, found, engines, queries, answered)
        for (measure, level), (found, engines) in sorted(_scores(run).items())
    ]


def store(run: Run, columns: Sequence[RunColumn]) -> None:
    """Keep the columns of a run in place of any it has; call it in the transaction that ends the run."""
    run.columns.all().delete()
    RunColumn.objects.bulk_create(columns, batch_size=200)


def _scores(run: Run) -> dict[tuple[str, str], tuple[Found, set[str]]]:
    """(measure, level) -> what was found, and by which engines."""
    columns: dict[tuple[str, str], tuple[Found, set[str]]] = {}
    rows = Score.objects.filter(evaluation__run_queries__run=run, measure__in=run.measures).values_list(
        "evaluation__run_queries__query_id",
        "measure",
        "measure_version",
        "level",
        "engine",
        "value",
        "undefined",
        "flattened",
    )
    for query, measure, version, level, engine, value, undefined, flattened in rows.iterator(chunk_size=5_000):
        # Equal content shares its evaluation across runs, so other definitions of a measure may lie beside ours.
        if run.measures[measure] == version:
            found, engines = columns.setdefault((measure, level), ({}, set()))
            found[query] = Scored(value, undefined, flattened)
            engines.add(engine)
    return columns


def _column(
    run: Run,
    measure: str,
    level: str,
    found: Found,
    engines: set[str],
    queries: Sequence[ScoredQuery],
    answered: set[int],
) -> RunColumn:
    cells = [cell(query, level, query.pk in answered, found.get(query.pk)) for query in queries]
    values = np.array([nan if one.value is None else one.value for one in cells], dtype="<f8")
    return RunColumn(
        run=run,
        measure=measure,
        level=level,
        packed=values.tobytes(),
        gaps=_gaps(cells),
        flattened=[place for place, one in enumerate(cells) if one.flattened],
        engines=sorted(engines),
    )


def _gaps(cells: Sequence[Cell]) -> list[list[object]]:
    places: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(cells):
        if one.state is not State.VALUE:
            places.setdefault((one.state.value, "" if one == MISSING else one.reason), []).append(place)
    return [[state, reason, at] for (state, reason), at in places.items()]

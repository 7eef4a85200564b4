"""Store the scores of a run by column, as leaderboards read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import nan

import numpy as np

from annotations.collections.removal import allow_removal
from evaluation.models import Run, RunColumn, Score
from evaluation.models.runs import SCORE_BYTES
from evaluation.scoring.scores import MISSING, Cell, ScoredQuery, State, StoredScore, cell, queries_of
from qc4.inputs.view import MOST_DEPTHS

ScoresByQuery = dict[int, StoredScore]
"""Query id -> its stored score."""
ScoresByDepth = dict[int, ScoresByQuery]
"""Depth -> the scores at this depth; 0 if nothing is cut."""


def collect(run: Run) -> list[RunColumn]:
    """Return the columns of a run whose queries all have their scores, unsaved.

    Raises:
        ValueError: the run is not an evaluation.
    """
    if run.gold_version is None or run.submission is None:
        raise ValueError(f"run {run.pk} is not an evaluation")
    queries = sorted(queries_of([run.gold_version])[run.gold_version.pk], key=lambda query: query.pk)
    answered = set(run.submission.clusterings.values_list("query_id", flat=True))
    return [
        _column(run, measure, level, depth, found, engines, queries, answered)
        for (measure, level), (depths, engines) in sorted(_scores(run).items())
        for depth, found in _at_depths(depths)
    ]


def store(run: Run, columns: Sequence[RunColumn]) -> None:
    """Replace the stored columns of a run; call this in the transaction that ends the run."""
    with allow_removal("the columns of a run are stored again"):
        run.columns.all().delete()
    RunColumn.objects.bulk_create(columns, batch_size=200)
    kept = sum(len(column.packed) for column in columns)
    Run.objects.filter(pk=run.pk).update(
        deepest=1 + max((column.depth for column in columns), default=0),
        stored_bytes=kept,
        stored_rows=kept // SCORE_BYTES,
    )


def _at_depths(depths: ScoresByDepth) -> Iterator[tuple[int, ScoresByQuery]]:
    """Yield a column's scores by stored depth: the finest cuts (0), then each smaller depth that can be chosen."""
    known = [(query, one) for found in depths.values() for query, one in found.items()]
    deepest = {query: one.deepest for query, one in known}
    yield 0, {query: one for query, one in known if one.depth == one.deepest}
    for depth in range(1, min(max(deepest.values()), MOST_DEPTHS)):
        yield depth, {query: one for query, one in known if one.depth == min(depth, deepest[query])}


def _scores(run: Run) -> dict[tuple[str, str], tuple[ScoresByDepth, set[str]]]:
    """Return (measure, level) -> its scores by depth, and the engines that computed them."""
    columns: dict[tuple[str, str], tuple[ScoresByDepth, set[str]]] = {}
    rows = Score.objects.filter(evaluation__run_queries__run=run, measure__in=run.measures).values_list(
        "evaluation__run_queries__query_id",
        "measure",
        "measure_version",
        "level",
        "engine",
        "value",
        "undefined",
        "flattened",
        "depth",
        "deepest",
    )
    for query, measure, version, level, engine, value, undefined, flattened, depth, deepest in rows.iterator(
        chunk_size=5_000
    ):
        # Runs share the evaluation of equal content, so it may have other definitions of a measure than this run's.
        if run.measures[measure] == version:
            depths, engines = columns.setdefault((measure, level), ({}, set()))
            depths.setdefault(depth, {})[query] = StoredScore(value, undefined, flattened, depth, deepest)
            engines.add(engine)
    return columns


def _column(
    run: Run,
    measure: str,
    level: str,
    depth: int,
    found: ScoresByQuery,
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
        depth=depth,
        packed=values.tobytes(),
        gaps=_gaps(cells),
        flattened=[place for place, one in enumerate(cells) if one.flattened],
        cuts=_cuts(cells),
        engines=sorted(engines),
    )


def _cuts(cells: Sequence[Cell]) -> list[list[object]] | None:
    places: dict[tuple[int, int], list[int]] = {}
    for place, one in enumerate(cells):
        if one.cut:
            places.setdefault(one.cut, []).append(place)
    return [[depth, deepest, at] for (depth, deepest), at in places.items()] or None


def _gaps(cells: Sequence[Cell]) -> list[list[object]]:
    places: dict[tuple[str, str], list[int]] = {}
    for place, one in enumerate(cells):
        if one.state is not State.VALUE:
            places.setdefault((one.state.value, "" if one == MISSING else one.reason), []).append(place)
    return [[state, reason, at] for (state, reason), at in places.items()]

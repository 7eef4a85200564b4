"""What every algorithm scores on one query."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotations.models import GoldVersion, Query
from evaluation.models import Algorithm, Run, Submission
from evaluation.selectors.columns import Column
from evaluation.selectors.scores import Cell, queries_of, scores_of


@dataclass(frozen=True, slots=True)
class Line:
    """One algorithm's cells, in the order of the columns."""

    algorithm: Algorithm
    submission: Submission
    cells: tuple[Cell, ...]


def query_scores(
    query: Query, version: GoldVersion, runs: Iterable[Run], columns: Sequence[Column], sort: str
) -> tuple[Line, ...]:
    """One line per run, the best by the column ``sort`` first, those without a value last."""
    queries = [scored for scored in queries_of(version) if scored.pk == query.pk]
    runs = list(runs)
    found = scores_of(runs, columns, queries)
    by_key = [column.key for column in columns].index(sort)
    lines = [
        Line(
            run.submission.algorithm,
            run.submission,
            tuple(found[run.pk].cells[column][0] for column in columns),
        )
        for run in runs
        if run.submission is not None and queries
    ]

    def order(line: Line) -> tuple[bool, float, str]:
        value = line.cells[by_key].value
        worse = value or 0.0 if columns[by_key].measure.better == "lower" else -(value or 0.0)
        return value is None, worse, line.algorithm.name.casefold()

    return tuple(sorted(lines, key=order))

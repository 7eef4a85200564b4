"""Means over queries with intervals: how well each mean is known by itself. They are not for comparing systems."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.comparison.draws import means_of
from qc4.comparison.intervals import Intervals, Kind, bootstrap, no_intervals
from qc4.comparison.method import Method
from qc4.comparison.scores import Scores, read_scores
from qc4.records import Record

_ROWS_AT_ONCE = 2_000
"""Of draws that are held: 10,000 numbers each."""
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class MeanResult(Record):
    """The mean of one system.

    Attributes:
        rank: 1 for the best mean; equal means share it.
        low, high: ends of its interval, None for one query. The intervals of two systems do not say whether the systems
            differ.
        interval: how the interval was made.
    """

    system: str
    mean: float
    rank: int
    low: float | None
    high: float | None
    interval: Kind


def mean_interval(scores: Any, **method: Any) -> MeanResult:
    """Return the mean of one system over queries with its BCa bootstrap interval.

    Args:
        scores: (queries,) numbers; NaN is a query without a score, which does not count.
        method: ``alpha``, ``draws``, ``seed``, as `Method` has them.

    Raises:
        InputError: not numbers, no score at all, or options out of range.
    """
    return means([read_scores([scores], ["system"])], Method(**method))[0][0]


def means(tables: Sequence[Scores], how: Method | None) -> tuple[tuple[MeanResult, ...], ...]:
    """Return the systems of each table with intervals of their means, the best mean first.

    Tables with the same number of queries share their draws, so many measures of the same systems cost little more than
    one.

    Args:
        how: None leaves the intervals out.
    """
    found: dict[int, tuple[MeanResult, ...]] = {}
    by_queries: dict[int, list[int]] = defaultdict(list)
    for number, table in enumerate(tables):
        by_queries[table.n_queries].append(number)
    for numbers in by_queries.values():
        values = np.concatenate([tables[number].values for number in numbers])
        low, high, kinds = _intervals(values, how)
        start = 0
        for number in numbers:
            end = start + tables[number].n_systems
            found[number] = _results(tables[number], low[start:end], high[start:end], kinds[start:end])
            start = end
    return tuple(found[number] for number in range(len(tables)))


def _results(table: Scores, low: FloatArray, high: FloatArray, kinds: Sequence[Kind]) -> tuple[MeanResult, ...]:
    same, averages = _SAME * float(np.abs(table.values).max()), exact_means(table.values)
    if table.sign < 0:
        low, high = -high, -low
    return tuple(
        MeanResult(
            system=table.systems[row],
            mean=table.sign * float(averages[row]) + 0.0,
            rank=1 + int((averages > averages[row] + same).sum()),
            low=None if math.isnan(low[row]) else float(low[row]) + 0.0,
            high=None if math.isnan(high[row]) else float(high[row]) + 0.0,
            interval=kinds[row],
        )
        for row in best_first(averages, same).tolist()
    )


def exact_means(values: FloatArray) -> FloatArray:
    """Return the (systems,) means of (systems, queries), the same whatever the order of the queries."""
    found: FloatArray = np.array([math.fsum(row) for row in values.tolist()]) / values.shape[1]
    return found


def best_first(averages: FloatArray, same: float) -> IntArray:
    """Return the systems, the best mean first; those whose means are the same stay in their order."""
    order = np.argsort(-averages, kind="stable")
    group = np.concatenate([[0], np.cumsum(np.diff(-averages[order]) > same)])
    return order[np.lexsort((order, group))]


def _intervals(values: FloatArray, how: Method | None) -> tuple[FloatArray, FloatArray, tuple[Kind, ...]]:
    if how is None:
        nothing: Intervals = no_intervals(len(values))
        return nothing.low, nothing.high, nothing.kinds
    parts = [
        bootstrap(block, means_of(block), how)
        for block in np.split(values, range(_ROWS_AT_ONCE, len(values), _ROWS_AT_ONCE))
    ]
    low, high = (np.concatenate([getattr(part, end) for part in parts]) for end in ("low", "high"))
    return low, high, tuple(kind for part in parts for kind in part.kinds)

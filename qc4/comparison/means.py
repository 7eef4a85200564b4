"""Means over queries with their intervals, of many tables at once: what a board shows of columns that rank nobody."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.comparison.draws import resampled_means
from qc4.comparison.intervals import Intervals, Kind, bca, no_intervals
from qc4.comparison.method import Method
from qc4.comparison.pairs import Pairs
from qc4.comparison.result import SystemResult
from qc4.comparison.rows import system_results
from qc4.comparison.scores import Scores

_ROWS_AT_ONCE = 2_000
"""Of draws that are held: 10,000 numbers each."""


def means(tables: Sequence[Scores], how: Method) -> tuple[tuple[SystemResult, ...], ...]:
    """The systems of each table, the best mean first, as `compare` says it of them, but tested by nothing.

    Tables of as many queries share their draws, so many measures of the same systems cost little more than one.
    """
    found: dict[int, tuple[SystemResult, ...]] = {}
    by_queries: dict[int, list[int]] = defaultdict(list)
    for number, table in enumerate(tables):
        by_queries[table.n_queries].append(number)
    for numbers in by_queries.values():
        values = np.concatenate([tables[number].values for number in numbers])
        low, high, kinds = _intervals(values, how)
        start = 0
        for number in numbers:
            table, end = tables[number], start + tables[number].n_systems
            of_one = Intervals(low[start:end], high[start:end], kinds[start:end], np.empty(0))
            same, averages = Pairs(table.values).same, exact_means(table.values)
            order = best_first(averages, same)
            found[number] = system_results(table, averages, order, of_one, None, same)
            start = end
    return tuple(found[number] for number in range(len(tables)))


def exact_means(values: FloatArray) -> FloatArray:
    """(systems,) means of (systems, queries), the same whatever the order of the queries."""
    found: FloatArray = np.array([math.fsum(row) for row in values.tolist()]) / values.shape[1]
    return found


def best_first(averages: FloatArray, same: float) -> IntArray:
    """The systems, the best mean first; those whose means are the same stay in their order."""
    order = np.argsort(-averages, kind="stable")
    group = np.concatenate([[0], np.cumsum(np.diff(-averages[order]) > same)])
    return order[np.lexsort((order, group))]


def _intervals(values: FloatArray, how: Method) -> tuple[FloatArray, FloatArray, tuple[Kind, ...]]:
    if values.shape[1] == 1:
        nothing = no_intervals(len(values))
        return nothing.low, nothing.high, nothing.kinds
    parts = [
        bca(block, resampled_means(block, how.draws, how.seed), how.confidence)
        for block in np.split(values, range(_ROWS_AT_ONCE, len(values), _ROWS_AT_ONCE))
    ]
    low, high = (np.concatenate([getattr(part, end) for part in parts]) for end in ("low", "high"))
    return low, high, tuple(kind for part in parts for kind in part.kinds)

"""Confidence intervals over queries, of any statistic: the bias-corrected and accelerated bootstrap (BCa).

Source: Efron, Better bootstrap confidence intervals, JASA 82, 1987. Where BCa has no value (every draw lies on one side
of the estimate), the percentile interval stands in, and says so."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from scipy.special import ndtr, ndtri

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.records import Record
from qc4.stats.draws import Statistic, means_of, resampled
from qc4.stats.results import Method
from qc4.stats.scores import Scores, read_scores

Kind = Literal["bca", "percentile", "constant", "none"]
_SAME = 1e-12


@dataclass(frozen=True, slots=True)
class Intervals:
    """Intervals of several estimates.

    Attributes:
        low: (m,) NaN where there is none.
        high: (m,) likewise.
        kinds: how each was made; ``constant`` where all queries say the same, ``none`` where there is but one.
    """

    low: FloatArray
    high: FloatArray
    kinds: tuple[Kind, ...]


def bootstrap(influence: FloatArray, statistic: Statistic, how: Method) -> Intervals:
    """Return the BCa intervals of statistics over queries; one query, which says nothing of others, gives none.

    Args:
        influence: (m, queries) what each statistic is the mean of; `jackknife_influence` for one that is no mean.
        statistic: the same statistics of resampled queries.
    """
    if influence.shape[1] == 1:
        return no_intervals(len(influence))
    return bca(influence, resampled(statistic, influence.shape[1], how.draws, how.seed), how.confidence)


def jackknife_influence(values: FloatArray, without: FloatArray) -> FloatArray:
    """Return (m, queries) numbers whose means are the statistics and which vary as the queries' influence on them.

    Args:
        values: (m,) the statistics.
        without: (m, queries) the statistics without each query.
    """
    found: FloatArray = values[:, None] + (without.shape[1] - 1) * (without.mean(axis=1, keepdims=True) - without)
    return found


def percentile(draws: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Return both ends of (m,) percentile intervals, over the draws that have a value; NaN if none has."""
    never: BoolArray = np.asarray(np.isnan(draws).all(axis=1), dtype=np.bool_)
    known = np.where(never[:, None], 0.0, draws)
    low, high = (
        np.where(never, math.nan, np.nanquantile(known, level, axis=1)) for level in (alpha / 2, 1 - alpha / 2)
    )
    return low, high


def no_intervals(m: int) -> Intervals:
    """Return no intervals of m statistics."""
    nothing = np.full(m, math.nan)
    kind: Kind = "none"
    return Intervals(nothing, nothing, (kind,) * m)


def bca(values: FloatArray, draws: FloatArray, confidence: float) -> Intervals:
    """Intervals of means over queries.

    Args:
        values: (m, queries) what the means are of.
        draws: (m, draws) the means of resampled queries. Sorted in place.
        confidence: 0.95, say.
    """
    estimate = values.mean(axis=1)
    centred = values - estimate[:, None]
    squares = (centred**2).sum(axis=1)
    draws.sort(axis=1)
    same = _SAME * np.abs(values).max(axis=1)
    constant = np.abs(centred).max(axis=1) <= same
    with np.errstate(divide="ignore", invalid="ignore"):
        acceleration = (centred**3).sum(axis=1) / (6 * squares**1.5)
        bias = ndtri(_share_below(draws, estimate))
        ends = [_level(bias, acceleration, (1 + side * confidence) / 2) for side in (-1, 1)]
    usable: BoolArray = np.isfinite(ends[0]) & np.isfinite(ends[1]) & np.isfinite(bias) & ~constant
    bounds = []
    for side, level in zip((-1, 1), ends, strict=True):
        bound = _quantile(draws, np.where(usable, level, (1 + side * confidence) / 2))
        bounds.append(np.where(constant, estimate, bound))
    kinds: tuple[Kind, ...] = tuple(
        "constant" if same else "bca" if good else "percentile" for same, good in zip(constant, usable, strict=True)
    )
    return Intervals(bounds[0], bounds[1], kinds)


def _share_below(ordered: FloatArray, estimate: FloatArray) -> FloatArray:
    """Share of draws below the estimate, those that equal it counted half."""
    same = _SAME * np.abs(estimate)
    below, up_to = _count(ordered, estimate - same, "left"), _count(ordered, estimate + same, "right")
    found: FloatArray = (below + up_to) / (2 * ordered.shape[1])
    return found


def _count(ordered: FloatArray, limits: FloatArray, side: Literal["left", "right"]) -> IntArray:
    """(m,) how many draws of each row lie below its limit, or up to it."""
    return np.array([row.searchsorted(limit, side) for row, limit in zip(ordered, limits, strict=True)])


def _level(bias: FloatArray, acceleration: FloatArray, level: float) -> FloatArray:
    shifted = bias + ndtri(level)
    found: FloatArray = ndtr(bias + shifted / (1 - acceleration * shifted))
    return found


def _quantile(ordered: FloatArray, level: FloatArray) -> FloatArray:
    """One quantile of each row, by linear interpolation."""
    place = level * (ordered.shape[1] - 1)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    rows = np.arange(ordered.shape[0])
    low, high = ordered[rows, below], ordered[rows, above]
    found: FloatArray = low + (high - low) * (place - below)
    return found


# Means over queries with intervals: how well each mean is known by itself. They are not for comparing systems.

_ROWS_AT_ONCE = 2_000
"""Of draws that are held: 10,000 numbers each."""
_SAME_MEAN = 1e-12


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
    same, averages = _SAME_MEAN * float(np.abs(table.values).max()), exact_means(table.values)
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

"""Confidence intervals over queries for any statistic: the bias-corrected and accelerated bootstrap (BCa).

Source: Efron, Better bootstrap confidence intervals, JASA 82, 1987. If BCa has no value (because every draw is on one
side of the estimate), the percentile interval is used instead and labelled as such.
"""

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
        low: (m,) lower ends; NaN for no interval.
        high: (m,) upper ends; NaN for no interval.
        kinds: method of each interval; ``constant`` if all queries have the same value, ``none`` for a single query.
    """

    low: FloatArray
    high: FloatArray
    kinds: tuple[Kind, ...]


def bootstrap(influence: FloatArray, statistic: Statistic, how: Method) -> Intervals:
    """Return the BCa intervals of statistics over queries. A single query gives no intervals.

    Args:
        influence: (m, queries) the values whose mean is each statistic; `jackknife_influence` for a statistic that is
            not a mean.
        statistic: the same statistics of resampled queries.
    """
    if influence.shape[1] == 1:
        return no_intervals(len(influence))
    return bca(influence, resampled(statistic, influence.shape[1], how.draws, how.seed), how.confidence)


def jackknife_influence(values: FloatArray, without: FloatArray) -> FloatArray:
    """Return (m, queries) numbers whose means are the statistics and which vary like the queries' influence on them.

    Args:
        values: (m,) the statistics.
        without: (m, queries) the statistics without each query.
    """
    found: FloatArray = values[:, None] + (without.shape[1] - 1) * (without.mean(axis=1, keepdims=True) - without)
    return found


def percentile(draws: FloatArray, alpha: float) -> tuple[FloatArray, FloatArray]:
    """Return both ends of (m,) percentile intervals over the draws that have a value; NaN if none has."""
    never: BoolArray = np.asarray(np.isnan(draws).all(axis=1), dtype=np.bool_)
    known = np.where(never[:, None], 0.0, draws)
    low, high = (
        np.where(never, math.nan, np.nanquantile(known, level, axis=1)) for level in (alpha / 2, 1 - alpha / 2)
    )
    return low, high


def no_intervals(m: int) -> Intervals:
    """Return the result for m statistics without intervals."""
    nothing = np.full(m, math.nan)
    kind: Kind = "none"
    return Intervals(nothing, nothing, (kind,) * m)


def bca(values: FloatArray, draws: FloatArray, confidence: float) -> Intervals:
    """Return the intervals of means over queries.

    Args:
        values: (m, queries) the averaged values.
        draws: (m, draws) the means of resampled queries. Sorted in place.
        confidence: confidence level, such as 0.95.
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
    """Return the share of draws below the estimate. Draws that equal it count half."""
    same = _SAME * np.abs(estimate)
    below, up_to = _count(ordered, estimate - same, "left"), _count(ordered, estimate + same, "right")
    found: FloatArray = (below + up_to) / (2 * ordered.shape[1])
    return found


def _count(ordered: FloatArray, limits: FloatArray, side: Literal["left", "right"]) -> IntArray:
    """Return (m,) the number of draws in each row that are below its limit, or at most its limit."""
    return np.array([row.searchsorted(limit, side) for row, limit in zip(ordered, limits, strict=True)])


def _level(bias: FloatArray, acceleration: FloatArray, level: float) -> FloatArray:
    shifted = bias + ndtri(level)
    found: FloatArray = ndtr(bias + shifted / (1 - acceleration * shifted))
    return found


def _quantile(ordered: FloatArray, level: FloatArray) -> FloatArray:
    """Return one quantile of each row, by linear interpolation."""
    place = level * (ordered.shape[1] - 1)
    below = np.floor(place).astype(np.int64)
    above = np.minimum(below + 1, ordered.shape[1] - 1)
    rows = np.arange(ordered.shape[0])
    low, high = ordered[rows, below], ordered[rows, above]
    found: FloatArray = low + (high - low) * (place - below)
    return found


# --- Means over queries with intervals: how precisely each mean is known; not for comparing systems ---

_ROWS_AT_ONCE = 2_000
"""Number of rows whose draws are in memory at the same time: 10,000 numbers each."""
_SAME_MEAN = 1e-12


@dataclass(frozen=True, slots=True)
class MeanResult(Record):
    """The mean of one system.

    Attributes:
        rank: 1 for the best mean; equal means share a rank.
        low, high: ends of its interval, None for one query. The intervals of two systems do not show whether the
            systems differ.
        interval: method of the interval.
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
        scores: (queries,) numbers; queries with NaN are ignored.
        method: ``alpha``, ``draws``, ``seed``, as in `Method`.

    Raises:
        InputError: not numbers, no score at all, or options out of range.
    """
    return means([read_scores([scores], ["system"])], Method(**method))[0][0]


def means(tables: Sequence[Scores], how: Method | None) -> tuple[tuple[MeanResult, ...], ...]:
    """Return the systems of each table with intervals of their means, best mean first.

    Tables with the same number of queries share their draws, so many measures of the same systems cost little more than
    one.

    Args:
        how: None omits the intervals.
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
    """Return (systems,) means of (systems, queries) values, independent of the order of the queries."""
    found: FloatArray = np.array([math.fsum(row) for row in values.tolist()]) / values.shape[1]
    return found


def best_first(averages: FloatArray, same: float) -> IntArray:
    """Return the systems by decreasing mean. Systems with equal means stay in their order."""
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

"""Tests and intervals of a family of pairs from one critical value, so that they cannot contradict each other.

Under the null hypothesis the sign of a pair's difference on a query is chance. Every draw turns the signs of some
queries, the same ones for all pairs. Two maxima over the family are drawn: U, of the turned differences, guards the
verdicts; V, of the turned deviations from the mean difference, guards the intervals. Adjusted p and the critical value
c are both read from U and V, and the interval of a difference d is d - c se to d + c se. Therefore the interval of a
pair excludes 0 exactly if its adjusted p is at most alpha.

Source of the maximum over a family: Westfall & Young, Resampling-Based Multiple Testing, 1993 (single-step max-T).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.comparison.draws import EXACT_QUERIES, all_signs, sign_flips
from qc4.comparison.pairs import TIE, Pairs
from qc4.comparison.randomization import exact_p_of_short_pairs

_BLOCK_ROWS = 512
_ROUNDING = 1e-9
"""What floating point may take from alpha times the number of draws."""


@dataclass(frozen=True, slots=True, eq=False)
class Simultaneous:
    """The tests and intervals of the pairs of a family.

    Attributes:
        p: (pairs,) two-sided p of each pair alone, at most its adjusted p.
        adjusted: (pairs,) two-sided p over the family.
        better: (pairs,) True if the system with the better mean is significantly better.
        low: (pairs,) lower end of the interval of |difference|, equal to it where the standard error is 0; NaN where
            there is no critical value.
        high: (pairs,) upper end.
        standard_error: (pairs,) of the mean difference.
        critical_value: c; None if the number of queries or draws allows no verdict.
        exact: True if all patterns of signs were tried.
    """

    p: FloatArray
    adjusted: FloatArray
    better: BoolArray
    low: FloatArray
    high: FloatArray
    standard_error: FloatArray
    critical_value: float | None
    exact: bool

    @property
    def reach(self) -> float:
        """The critical value; infinite where there is none."""
        return math.inf if self.critical_value is None else self.critical_value


def simultaneous(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> Simultaneous:
    """Test a family of pairs and find their intervals.

    Args:
        pairs: of two queries or more.
        family: all pairs, or the pairs of one system.
        draws: number of random sign patterns; with few queries all patterns are tried instead.
    """
    n = pairs.values.shape[1]
    signs, exact = _signs(pairs, family, draws, seed)
    least = pairs.statistic[family] * (1 - TIE)
    turned, deviating, reached = _maxima(pairs, family, least, signs)
    maxima = [turned] if family.size == 1 else [turned, deviating]
    size = turned.size
    count = np.max([size - np.searchsorted(np.sort(each), least, "left") for each in maxima], axis=0)
    allowed = math.floor(alpha * size + _ROUNDING) if exact else math.floor(alpha * (size + 1) + _ROUNDING) - 1
    critical = _critical_value(maxima, allowed, n, exact)
    difference = pairs.difference[family]
    better = (difference != 0) & (count <= allowed) & (critical is not None)
    adjusted = _p(count, size, exact)
    adjusted = np.where(better, np.minimum(adjusted, alpha), adjusted)
    raw = _p(reached, size, exact)
    if not exact:
        exact_p_of_short_pairs(pairs, family, raw)
    adjusted[difference == 0] = raw[difference == 0] = 1.0
    error = pairs.deviation[family] / math.sqrt(n)
    low, high = _intervals(np.abs(difference), error, critical, better)
    return Simultaneous(np.minimum(raw, adjusted), adjusted, better, low, high, error, critical, exact)


def _signs(pairs: Pairs, family: IntArray, draws: int, seed: int) -> tuple[Iterator[FloatArray], bool]:
    """Blocks of (draws, queries) signs, and whether they are all patterns there are.

    The sign of a query on which a pair alone does not differ makes no difference, so that fewer patterns are enough.
    """
    n = pairs.values.shape[1]
    if family.size == 1 and n > EXACT_QUERIES >= (differing := int(pairs.differing[family[0]])):
        signs = np.ones((max(2 ** (differing - 1), 1) if differing else 1, n))
        signs[:, pairs.differences(family)[0] != 0] = all_signs(differing)
        return iter([signs]), True
    return sign_flips(n, draws, seed), n <= EXACT_QUERIES


def _maxima(
    pairs: Pairs, family: IntArray, least: FloatArray, signs: Iterator[FloatArray]
) -> tuple[FloatArray, FloatArray, IntArray]:
    """U and V of every draw, and in how many draws each pair alone reaches ``least``."""
    values = pairs.values - pairs.values.mean(axis=0)
    centred = values - values.mean(axis=1, keepdims=True)
    groups, n = list(_groups(pairs, family)), values.shape[1]
    scales = [scale[family][:, None] for scale in (pairs.scale, pairs.deviation_scale)]
    reached, found = np.zeros(family.size, dtype=np.int64), []
    for block in signs:
        for start in range(0, len(block), _BLOCK_ROWS):
            drawn = block[start : start + _BLOCK_ROWS].T / n
            largest = np.zeros((2, drawn.shape[1]))
            for which, means in enumerate((values @ drawn, centred @ drawn)):
                for row, others, places in groups:
                    statistic = np.abs(means[others] - means[row])
                    statistic *= scales[which][places]
                    np.maximum(largest[which], statistic.max(axis=0), out=largest[which])
                    if which == 0:
                        reached[places] += np.count_nonzero(statistic >= least[places, None], axis=1)
            found.append(largest)
    turned, deviating = np.concatenate(found, axis=1)
    return turned, deviating, reached


def _groups(pairs: Pairs, family: IntArray) -> Iterator[tuple[int, slice | IntArray, slice]]:
    """A row, the rows it is paired with, and the places of these pairs in the family."""
    if family.size == pairs.n:
        start = 0
        for row in range(pairs.n_systems - 1):
            size = pairs.n_systems - row - 1
            yield row, slice(row + 1, None), slice(start, start + size)
            start += size
        return
    first, second = pairs.first[family], pairs.second[family]
    row = int(np.bincount(np.concatenate([first, second])).argmax())
    yield row, first + second - row, slice(None)


def _critical_value(maxima: Sequence[FloatArray], allowed: int, n: int, exact: bool) -> float | None:
    """c, which a studentised difference must exceed; None if none can."""
    if allowed < (1 if exact else 0):
        return None
    place = max(maxima[0].size - 1 - allowed, 0)
    r = max(float(np.partition(each, place)[place]) for each in maxima) / (1 - TIE)
    return math.sqrt(n - 1) * r / math.sqrt(1 - r * r) if r < 1 else None


def _p(count: IntArray, size: int, exact: bool) -> FloatArray:
    """Return p from the number of draws that reach a pair's statistic. The observed pattern is one of all patterns."""
    found: FloatArray = np.maximum(count, 1) / size if exact else (1 + count) / (size + 1)
    return found


def _intervals(
    difference: FloatArray, error: FloatArray, critical: float | None, better: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Both ends for absolute differences. Rounding of an end never changes on which side of 0 the verdict puts it."""
    if critical is None:
        nothing = np.full(difference.shape, math.nan)
        return nothing, nothing
    low, high = difference - critical * error, difference + critical * error
    low = np.where(better, np.maximum(low, _ROUNDING * difference), np.minimum(low, 0.0))
    return np.where(error == 0, difference, low), high

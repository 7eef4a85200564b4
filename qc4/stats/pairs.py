"""All pairs of systems: their differences and their test statistic."""

from __future__ import annotations

from dataclasses import astuple, dataclass
from functools import cached_property

import numpy as np

from qc4.arrays import FloatArray, IntArray

SAME = 1e-12
"""Scores that differ by less than this share of the largest are equal, because the difference is only rounding."""
TIE = 1e-9
"""A draw counts as reaching the observed value if it is at most this share below it."""


@dataclass(frozen=True, eq=False)
class Pairs:
    """Every pair (first, second) with first < second, sorted by first and then by second.

    Attributes:
        values: (systems, queries) scores; higher is better.
    """

    values: FloatArray

    @cached_property
    def n_systems(self) -> int:
        return len(self.values)

    @cached_property
    def first(self) -> IntArray:
        return np.triu_indices(self.n_systems, 1)[0].astype(np.int64)

    @cached_property
    def second(self) -> IntArray:
        return np.triu_indices(self.n_systems, 1)[1].astype(np.int64)

    @cached_property
    def same(self) -> float:
        """Maximum difference between two scores, or means of scores, that count as equal."""
        return SAME * float(np.abs(self.values).max())

    @property
    def n(self) -> int:
        return self.n_systems * (self.n_systems - 1) // 2

    @cached_property
    def of_each(self) -> IntArray:
        """(systems, systems - 1) the pairs that contain each system."""
        number = np.zeros((self.n_systems, self.n_systems), dtype=np.int64)
        number[self.first, self.second] = number[self.second, self.first] = np.arange(self.n)
        return number[~np.eye(self.n_systems, dtype=bool)].reshape(self.n_systems, -1)

    def differences(self, which: IntArray) -> FloatArray:
        """Return (some pairs, queries) first minus second. Differences due to rounding become 0."""
        found = self.values[self.first[which]] - self.values[self.second[which]]
        found[np.abs(found) <= self.same] = 0.0
        return found

    @cached_property
    def _facts(self) -> _Summaries:
        rows = (np.flatnonzero(self.first == row) for row in range(self.n_systems))
        parts = [_Summaries.of(self.differences(row), self.same) for row in rows]
        return _Summaries(*(np.concatenate(columns) for columns in zip(*map(astuple, parts), strict=True)))

    @property
    def difference(self) -> FloatArray:
        """(pairs,) mean of the first minus mean of the second; 0 if the difference is only rounding."""
        return self._facts.difference

    @property
    def wins(self) -> IntArray:
        """(pairs,) number of queries on which the first is better."""
        return self._facts.wins

    @property
    def ties(self) -> IntArray:
        return self._facts.ties

    @property
    def differing(self) -> IntArray:
        """(pairs,) number of queries on which they differ."""
        return self._facts.differing

    @cached_property
    def deviation(self) -> FloatArray:
        """(pairs,) standard deviation of the differences, with n - 1; NaN for one query."""
        n = self.values.shape[1]
        with np.errstate(divide="ignore", invalid="ignore"):
            found: FloatArray = np.sqrt(self._facts.variance * np.float64(n) / (n - 1))
        return found

    @cached_property
    def deviation_scale(self) -> FloatArray:
        """(pairs,) one over the root mean square deviation from the mean difference; 0 if all differences are equal."""
        return _one_over_root(self._facts.variance)

    @cached_property
    def scale(self) -> FloatArray:
        """(pairs,) one over the root mean square difference; 0 for systems that never differ."""
        return _one_over_root(self._facts.square)

    @cached_property
    def statistic(self) -> FloatArray:
        """(pairs,) r = |mean difference| / root mean square difference; 0 for systems that never differ."""
        return np.minimum(np.abs(self.difference) * self.scale, 1.0)

    @cached_property
    def reached_from(self) -> FloatArray:
        """(pairs,) the smallest |mean difference| of a draw that counts as at least as extreme as the observed one.

        It is slightly less than the observed one, because summing the same numbers in another order changes the last
        digits. If the observed difference is only rounding, every draw reaches it.
        """
        return np.abs(self.difference) * (1 - TIE) - self.same

    @cached_property
    def statistic_reached_from(self) -> FloatArray:
        """(pairs,) the statistic for `reached_from`."""
        return self.reached_from * self.scale

    def statistic_of(self, pair: int, means: FloatArray, out: FloatArray) -> FloatArray:
        """Write (draws,) the statistic of one pair to ``out``, from (systems, draws) means of sign-flipped scores."""
        first, second = self._ends[pair]
        np.subtract(means[first], means[second], out=out)
        np.abs(out, out=out)
        out *= self.scale[pair]
        return out

    @cached_property
    def _ends(self) -> list[tuple[int, int]]:
        return list(zip(self.first.tolist(), self.second.tolist(), strict=True))


@dataclass(frozen=True, slots=True)
class _Summaries:
    """Summaries of the differences of pairs, each (pairs,)."""

    difference: FloatArray
    square: FloatArray
    variance: FloatArray
    wins: IntArray
    ties: IntArray
    differing: IntArray

    @classmethod
    def of(cls, differences: FloatArray, same: float) -> _Summaries:
        """Summarise (pairs, queries) differences; values up to ``same`` count as 0."""
        counts = (differences > 0, differences == 0, differences != 0)
        mean = differences.mean(axis=1)
        mean[np.abs(mean) <= same] = 0.0
        deviations = differences - mean[:, None]
        deviations[np.abs(deviations) <= same] = 0.0
        squares = ((each**2).mean(axis=1) for each in (differences, deviations))
        return cls(mean, *squares, *(np.count_nonzero(each, axis=1) for each in counts))


def _one_over_root(squares: FloatArray) -> FloatArray:
    with np.errstate(divide="ignore"):
        return np.where(squares > 0, 1 / np.sqrt(squares), 0.0)

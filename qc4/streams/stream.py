"""Points in order of arrival with their classes, and the horizon: the points in use at a time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.problems import InputError, Problem, ProblemList
from qc4.streams.inputs import Points, checked_classes, checked_points
from qc4.wording import counted

# --- The horizon: which points of a stream are in use, and their weights ---
# Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
# Definitions 2 and 3.


@dataclass(frozen=True, slots=True)
class Decay:
    """A horizon with weights that decay with age.

    The weight is w = beta ** (-decay * (now - arrival)); points with w >= threshold are in the horizon. With beta = 2,
    1 / decay is the half-life.

    Attributes:
        decay: the paper's lambda, 0 or more; with 0, points do not age.
        threshold: the paper's xi, above 0 and at most 1.
        beta: above 1.
    """

    decay: float
    threshold: float
    beta: float = 2.0

    def __post_init__(self) -> None:
        problems = ProblemList()
        if not 0 <= self.decay < np.inf:
            problems.error("out-of-range", "decay", str(self.decay), "a finite number, 0 or more")
        if not 0 < self.threshold <= 1:
            problems.error("out-of-range", "threshold", str(self.threshold), "a weight above 0 and at most 1")
        if not 1 < self.beta < np.inf:
            problems.error("out-of-range", "beta", str(self.beta), "a finite number above 1")
        problems.refuse_errors()

    def select(self, times: FloatArray, now: float) -> tuple[IntArray, FloatArray]:
        """Return the indices of the points in the horizon at this time, and their weights."""
        arrived = int(np.searchsorted(times, now, side="right"))
        weights = np.exp2(-self.decay * np.log2(self.beta) * (now - times[:arrived]))
        kept = np.flatnonzero(weights >= self.threshold)
        return kept, weights[kept]

    def sizes(self, times: FloatArray, moments: FloatArray) -> IntArray:
        """Return (moments,) the approximate number of points in the horizon at each of these times."""
        loss = self.decay * np.log2(self.beta)
        age = -np.log2(self.threshold) / loss if loss else np.inf
        sizes: IntArray = np.searchsorted(times, moments, side="right") - np.searchsorted(times, moments - age)
        return sizes


@dataclass(frozen=True, slots=True)
class LastPoints:
    """A horizon of the last points, each with weight 1.

    Attributes:
        count: the number of points, 1 or more.
    """

    count: int

    def __post_init__(self) -> None:
        if self.count < 1:
            raise InputError([Problem("out-of-range", "count", str(self.count), "1 or more points")])

    def select(self, times: FloatArray, now: float) -> tuple[IntArray, FloatArray]:
        """Return the indices of the last points that arrived until now, and their weights."""
        arrived = int(np.searchsorted(times, now, side="right"))
        kept = np.arange(max(0, arrived - self.count), arrived)
        return kept, np.ones(kept.size)

    def sizes(self, times: FloatArray, moments: FloatArray) -> IntArray:
        """Return (moments,) the number of points in the horizon at each of these times."""
        sizes: IntArray = np.minimum(np.searchsorted(times, moments, side="right"), self.count)
        return sizes


Horizon = Decay | LastPoints


def checked_times(times: Sequence[float] | FloatArray, n: int, where: str = "times") -> FloatArray:
    """Return (n,) times in non-decreasing order.

    Raises:
        InputError: not one time for each, not finite, or earlier than the previous one; the error names the first rows.
    """
    values = np.asarray(times, dtype=np.float64)
    if values.shape != (n,):
        raise InputError([Problem("wrong-length", where, counted(values.size, "time"), f"{n:,}, one for each")])
    problems = ProblemList()
    wrong = np.flatnonzero(~np.isfinite(values))
    rows = ((f"{where}: row {row + 1}", str(values[row])) for row in wrong)
    problems.error_each("not-finite", rows, wrong.size, where, "a finite number")
    problems.refuse_errors()
    back = np.flatnonzero(np.diff(values) < 0) + 1
    rows = ((f"{where}: row {row + 1}", f"{values[row]:g} after {values[row - 1]:g}") for row in back)
    problems.error_each("times-not-ordered", rows, back.size, where, "times that never go back")
    problems.refuse_errors()
    return values


@dataclass(frozen=True, eq=False)
class Stream:
    """Points in order of arrival.

    Attributes:
        points: (points, dimensions).
        classes: (points,) the class of each point, -1 for noise.
        times: (points,) arrival times, in non-decreasing order.
    """

    points: FloatArray
    classes: IntArray
    times: FloatArray

    @classmethod
    def of(cls, points: Points, classes: Sequence[int] | IntArray, times: Sequence[float] | FloatArray) -> Stream:
        """Return a checked stream.

        Raises:
            InputError: rows that are missing, of the wrong length, or not finite; times that are not in order.
        """
        vectors = checked_points(points)
        return cls(vectors, checked_classes(classes, len(vectors)), checked_times(times, len(vectors)))

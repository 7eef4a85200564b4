"""Distances between all pairs of points, in blocks of bounded memory, with limits that are stated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from qc4.arrays import FloatArray
from qc4.measures.internal.distances import distances
from qc4.problems.effort import Effort
from qc4.views.points import ClusteredPoints
from qc4.views.undefined import refuse_too_much

BLOCK = 1 << 20
"""Distances held at once."""
MOST_PAIRS = 200_000_000
"""Pairs a measure looks at one by one: 20,000 pages."""


@dataclass(frozen=True, slots=True)
class PairBlock:
    """Distances from some points to all points from the first of them on, each pair of points once.

    Attributes:
        start: number of the first point; rows are points start, start + 1, .. and so are columns.
        distance: (rows, columns) Euclidean distances.
        within: (rows, columns) the pair is in one cluster.
        between: (rows, columns) the pair is in two clusters. Where neither is set, the pair is in another place.
    """

    start: int
    distance: FloatArray
    within: npt.NDArray[np.bool_]
    between: npt.NDArray[np.bool_]


def pair_blocks(clustered: ClusteredPoints) -> Iterator[PairBlock]:
    """All pairs; a block holds `BLOCK` distances, or one row where that is longer."""
    points, labels, n = clustered.points, clustered.labels, clustered.n
    start = 0
    while start < n - 1:
        stop = min(n, start + max(1, BLOCK // (n - start)))
        distance = distances(points[start:stop], points[start:])
        later = np.arange(n - start)[None, :] > np.arange(stop - start)[:, None]
        same = labels[start:stop, None] == labels[None, start:]
        yield PairBlock(start, distance, same & later, ~same & later)
        start = stop


def number_of_pairs(n: int) -> int:
    return n * (n - 1) // 2


def refuse_above(clustered: ClusteredPoints, limit: int, nanoseconds: tuple[float, float]) -> None:
    """Undefined, with a time estimate, if there are more pairs of points than the limit.

    Args:
        nanoseconds: what a pair costs, and what each dimension adds to that.
    """
    pairs = number_of_pairs(clustered.n)
    fixed, per_dimension = nanoseconds
    seconds_each = (fixed + per_dimension * int(clustered.points.shape[1])) * 1e-9
    refuse_too_much(Effort(f"{pairs:,} pairs of {clustered.n:,} pages", pairs, limit, seconds_each, "pairs"))

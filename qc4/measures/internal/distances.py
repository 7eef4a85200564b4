"""Distances between all pairs of points, in blocks of bounded memory, with limits that are stated."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from qc4.arrays import FloatArray
from qc4.inputs.points import ClusteredPoints

# Euclidean distances between points, by SciPy.


def distances(left: FloatArray, right: FloatArray) -> FloatArray:
    """(left points, right points) distances.

    From differences, not products: equal points are at distance 0 exactly, and equal distances stay equal.
    """
    from scipy.spatial.distance import cdist  # slow to load, so only where there are vectors

    return cdist(left, right)


def distances_within(points: FloatArray) -> FloatArray:
    """(pairs,) distances of all pairs of points, each once."""
    from scipy.spatial.distance import pdist

    return pdist(points)


BLOCK = 1 << 20
"""Distances held at once."""


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

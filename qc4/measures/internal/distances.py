"""Distances between all pairs of points, in blocks of bounded memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from qc4.arrays import FloatArray
from qc4.inputs.points import ClusteredPoints

# --- Euclidean distances between points, by SciPy ---


def distances(left: FloatArray, right: FloatArray) -> FloatArray:
    """Return (left points, right points) distances.

    They are computed from differences, not products, so equal points have distance 0 exactly, and ties stay ties.
    """
    from scipy.spatial.distance import cdist  # imported here because it is slow to load

    return cdist(left, right)


def distances_within(points: FloatArray) -> FloatArray:
    """Return (pairs,) the distances of all pairs of points, each once."""
    from scipy.spatial.distance import pdist

    return pdist(points)


BLOCK = 1 << 20
"""The number of distances held in memory at once."""


@dataclass(frozen=True, slots=True)
class PairBlock:
    """Distances from some points to themselves and all later points; over all blocks, each pair of points occurs once.

    Attributes:
        start: number of the first point; rows and columns are both points start, start + 1, ..
        distance: (rows, columns) Euclidean distances.
        within: (rows, columns) True if the pair is in one cluster.
        between: (rows, columns) True if the pair is in two clusters. If neither is true, the pair is counted elsewhere.
    """

    start: int
    distance: FloatArray
    within: npt.NDArray[np.bool_]
    between: npt.NDArray[np.bool_]


def pair_blocks(clustered: ClusteredPoints) -> Iterator[PairBlock]:
    """Yield all pairs; a block has `BLOCK` distances, or one row if that is longer."""
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

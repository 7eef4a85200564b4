"""Euclidean distances between points, by SciPy."""

from __future__ import annotations

from qc4.arrays import FloatArray


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

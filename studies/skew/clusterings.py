"""Clusterings of the skew study's data sets: by algorithms, and made by hand to be skewed in a known way.

Class 0 of every data set is the largest, the last one the smallest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from qc4.arrays import IntArray
from studies.skew.data import DataSet

Clusterer = Callable[[DataSet, int], IntArray]


def clusterings(data: DataSet, seed: int = 0) -> dict[str, IntArray]:
    """Cluster of each point, by the name of the clustering, the classes themselves first."""
    return {name: cluster(data, seed) for name, cluster in _ALL.items()}


def _classes(data: DataSet, seed: int) -> IntArray:
    """The classes, noise as one more."""
    return data.classes


def _k_means(step: int) -> Clusterer:
    def cluster(data: DataSet, seed: int) -> IntArray:
        from sklearn.cluster import KMeans  # a second to load, so only when the study runs

        k = len(data.sizes) + step
        return np.asarray(KMeans(k, n_init=10, random_state=seed).fit(data.points).labels_, dtype=np.int64)

    return cluster


def _linkage(method: str) -> Clusterer:
    def cluster(data: DataSet, seed: int) -> IntArray:
        from sklearn.cluster import AgglomerativeClustering

        found = AgglomerativeClustering(len(data.sizes), linkage=method).fit(data.points)
        return np.asarray(found.labels_, dtype=np.int64)

    return cluster


def _one_cluster(data: DataSet, seed: int) -> IntArray:
    return np.zeros(data.classes.size, dtype=np.int64)


def _one_point_apart(data: DataSet, seed: int) -> IntArray:
    """As many clusters as classes, all but the first of one point: the worst skew that keeps the number right."""
    labels = np.zeros(data.classes.size, dtype=np.int64)
    labels[np.flatnonzero(data.classes == 0)[: len(data.sizes) - 1]] = np.arange(1, len(data.sizes))
    return labels


def _smallest_class_lost(data: DataSet, seed: int) -> IntArray:
    """The last and smallest class is swallowed by the first and largest."""
    return np.where(data.classes == len(data.sizes) - 1, 0, data.classes)


def _largest_class_halved(data: DataSet, seed: int) -> IntArray:
    labels = data.classes.copy()
    labels[np.flatnonzero(data.classes == 0)[::2]] = len(data.sizes)
    return labels


def _shuffled(data: DataSet, seed: int) -> IntArray:
    """Clusters as large as the classes, filled at random."""
    return np.random.default_rng(seed).permutation(data.classes)


_ALL: dict[str, Clusterer] = {
    "classes": _classes,
    "k-means": _k_means(0),
    "k-means, one more": _k_means(1),
    "ward": _linkage("ward"),
    "single linkage": _linkage("single"),
    "smallest class lost": _smallest_class_lost,
    "largest class halved": _largest_class_halved,
    "single points apart": _one_point_apart,
    "one cluster": _one_cluster,
    "shuffled": _shuffled,
}

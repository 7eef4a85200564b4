"""Clusterings of the skew study's data sets: the results of algorithms, and constructed ones with a known skew.

Class 0 of every data set is the largest, and the last class is the smallest.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from qc4.arrays import IntArray
from studies.skew.data import DataSet

Clusterer = Callable[[DataSet, int], IntArray]


def clusterings(data: DataSet, seed: int = 0) -> dict[str, IntArray]:
    """Return name of the clustering -> cluster of each point. The first clustering is the classes themselves."""
    return {name: cluster(data, seed) for name, cluster in _ALL.items()}


def _classes(data: DataSet, seed: int) -> IntArray:
    """Return the classes, with noise as an additional class."""
    return data.classes


def _k_means(step: int) -> Clusterer:
    def cluster(data: DataSet, seed: int) -> IntArray:
        from sklearn.cluster import KMeans  # takes a second to load

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
    """Return as many clusters as classes, all but the first with one point: the worst skew with the right number."""
    labels = np.zeros(data.classes.size, dtype=np.int64)
    labels[np.flatnonzero(data.classes == 0)[: len(data.sizes) - 1]] = np.arange(1, len(data.sizes))
    return labels


def _smallest_class_lost(data: DataSet, seed: int) -> IntArray:
    """Merge the last and smallest class into the first and largest."""
    return np.where(data.classes == len(data.sizes) - 1, 0, data.classes)


def _largest_class_halved(data: DataSet, seed: int) -> IntArray:
    labels = data.classes.copy()
    labels[np.flatnonzero(data.classes == 0)[::2]] = len(data.sizes)
    return labels


def _shuffled(data: DataSet, seed: int) -> IntArray:
    """Return random clusters with the sizes of the classes."""
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

"""Synthetic points in the plane, with classes of very different sizes and shapes, with and without noise.

Source: section 3.2 of Xie et al. (CAAI TIS 12(6), 2017). The paper does not give its parameters, so these are ours."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray, IntArray

NOISE = -1
NOISE_SHARE = 0.15

Draw = Callable[[np.random.Generator], tuple[FloatArray, IntArray]]


@dataclass(frozen=True, eq=False)
class DataSet:
    """Points with their classes.

    Attributes:
        key: short name.
        title: one-line description.
        points: (n, 2) coordinates.
        classes: (n,) class of each point, `NOISE` for noise.
    """

    key: str
    title: str
    points: FloatArray
    classes: IntArray

    @property
    def sizes(self) -> tuple[int, ...]:
        """Number of points of each class, without noise."""
        return tuple(np.bincount(self.classes[self.classes != NOISE]).tolist())


def data_sets(seed: int = 0) -> tuple[DataSet, ...]:
    """Return all data sets. The same seed always gives the same points."""
    return tuple(_draw(number, seed, *facts) for number, facts in enumerate(_FACTS))


def _draw(number: int, seed: int, key: str, title: str, draw: Draw, noisy: bool) -> DataSet:
    random = np.random.default_rng([seed, number])
    points, classes = draw(random)
    if noisy:
        extra = round(NOISE_SHARE * classes.size)
        scattered = random.uniform(points.min(axis=0), points.max(axis=0), size=(extra, 2))
        points = np.concatenate([points, scattered])
        classes = np.concatenate([classes, np.full(extra, NOISE)])
    return DataSet(key, title, points, classes)


def _clouds(sizes: Sequence[int], centres: Sequence[tuple[float, float]], spread: Sequence[float]) -> Draw:
    def draw(random: np.random.Generator) -> tuple[FloatArray, IntArray]:
        classes = np.repeat(np.arange(len(sizes)), sizes)
        offsets = random.normal(size=(classes.size, 2)) * np.asarray(spread)[classes, None]
        return np.asarray(centres)[classes] + offsets, classes

    return draw


def _moons(sizes: tuple[int, int]) -> Draw:
    """Return a generator of two interlocking half circles."""

    def draw(random: np.random.Generator) -> tuple[FloatArray, IntArray]:
        classes = np.repeat([0, 1], sizes)
        angle = random.uniform(0, np.pi, classes.size)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        points = np.where(classes[:, None] == 0, circle, [1.0, 0.45] - circle)
        return points + random.normal(scale=0.06, size=points.shape), classes

    return draw


def _ring(sizes: tuple[int, int]) -> Draw:
    """Return a generator of a ring around a core: two classes with one centre."""

    def draw(random: np.random.Generator) -> tuple[FloatArray, IntArray]:
        classes = np.repeat([0, 1], sizes)
        angle = random.uniform(0, 2 * np.pi, classes.size)
        circle = np.column_stack([np.cos(angle), np.sin(angle)])
        points = np.where(classes[:, None] == 0, 4.0 * circle, 0.0)
        return points + random.normal(scale=0.3, size=points.shape), classes

    return draw


def _stripes(sizes: Sequence[int]) -> Draw:
    """Return a generator of long parallel stripes."""

    def draw(random: np.random.Generator) -> tuple[FloatArray, IntArray]:
        classes = np.repeat(np.arange(len(sizes)), sizes)
        along = random.uniform(0, 12, classes.size)
        across = 2.0 * classes + random.normal(scale=0.25, size=classes.size)
        return np.column_stack([along, across]), classes

    return draw


_CORNERS = ((0.0, 0.0), (6.0, 0.0), (3.0, 5.0))
_SKEWED_THREE = _clouds((480, 90, 30), _CORNERS, (1, 1, 1))
_DENSE_AND_WIDE = _clouds((480, 90, 30), _CORNERS, (1.8, 0.4, 0.4))
_FACTS: tuple[tuple[str, str, Draw, bool], ...] = (
    ("balanced", "three round classes of 200", _clouds((200, 200, 200), _CORNERS, (1, 1, 1)), False),
    ("skewed-two", "two round classes of 570 and 30", _clouds((570, 30), _CORNERS[:2], (1, 1)), False),
    ("skewed-three", "three round classes of 480, 90 and 30", _SKEWED_THREE, False),
    ("dense-and-wide", "a wide class of 480, two dense ones of 90 and 30", _DENSE_AND_WIDE, False),
    ("moons", "two half-moons of 500 and 100", _moons((500, 100)), False),
    ("ring", "a ring of 500 around a core of 100", _ring((500, 100)), False),
    ("stripes", "three stripes of 420, 120 and 60", _stripes((420, 120, 60)), False),
    ("skewed-three-noisy", "three round classes of 480, 90 and 30 in noise", _SKEWED_THREE, True),
    ("moons-noisy", "two half-moons of 500 and 100 in noise", _moons((500, 100)), True),
)


# Clusterings of the skew study's data sets: the results of algorithms, and constructed ones with a known skew. Class
# 0 of every data set is the largest, and the last class is the smallest.

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

"""Checks of the input of CMM. Every wrong row is reported."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import index
from typing import Any

import numpy as np
import numpy.typing as npt

from qc4.arrays import FloatArray, IntArray
from qc4.model.bounds import CMM_NEIGHBOURS, CMM_PLACES
from qc4.model.noise import is_usual_noise, label_key
from qc4.model.vectors import LARGEST, Vectors
from qc4.problems import InputError, Problem, ProblemList
from qc4.streams.balls import Ball
from qc4.streams.faults import FoundCluster
from qc4.wording import counted

Points = Sequence[Sequence[float]] | npt.NDArray[Any]
Cluster = Sequence[int] | IntArray | tuple[npt.ArrayLike, float] | Ball

_TREE_DIMENSIONS = 12
"""With more dimensions a search tree has to visit every point."""


def checked_points(points: Points) -> FloatArray:
    """Return (points, dimensions) finite numbers.

    Raises:
        InputError: no points, or rows that are missing, of unequal length, or not finite.
    """
    if not len(points):
        raise InputError([Problem("no-points", "points", "no points", "at least one point")])
    return Vectors.of(points, where="points").points


def checked_classes(classes: Sequence[int] | IntArray, n: int) -> IntArray:
    """Return (points,) class labels, -1 for noise.

    A text means the same as the number that it spells; `qc4.model.noise` defines other labels for noise.

    Raises:
        InputError: not one label per point, or labels that are not whole numbers from -1 on.
    """
    labels = np.asarray(classes)
    _check_length(len(labels), n, "classes", "class")
    if labels.dtype.kind not in "iu":
        keys = [label_key(value) for value in labels.tolist()]
        numbers = ["-1" if is_usual_noise(key) else key for key in keys]
        wrong = [
            (row, repr(value))
            for row, (value, key) in enumerate(zip(labels.tolist(), numbers, strict=True))
            if not (key == "-1" or (isinstance(key, str) and key.isascii() and key.isdigit()))
        ]
        labels = np.array([0 if wrong else int(str(key)) for key in numbers], dtype=np.int64)
    else:
        wrong = [(int(row), str(labels[row])) for row in np.flatnonzero(labels < -1)]
    problems = ProblemList()
    rows = ((f"classes: row {row + 1}", found) for row, found in wrong)
    problems.error_each("bad-class", rows, len(wrong), "classes", "a whole number, 0 or more, or -1 for noise")
    problems.refuse_errors()
    return labels.astype(np.int64)


def checked_weights(weights: Sequence[float] | FloatArray | None, n: int) -> FloatArray:
    """Return (points,) weights, all 1 by default.

    Raises:
        InputError: not one weight per point, or weights that are negative, not finite, or all 0.
    """
    if weights is None:
        return np.ones(n)
    values = np.asarray(weights, dtype=np.float64)
    _check_length(len(values), n, "weights", "weight")
    bad = np.flatnonzero(~((values >= 0) & (values <= LARGEST)))
    problems = ProblemList()
    rows = ((f"weights: row {row + 1}", str(values[row])) for row in bad)
    problems.error_each("bad-weight", rows, bad.size, "weights", "a finite number, 0 or more")
    if not bad.size and not values.any():
        problems.error("bad-weight", "weights", "only zeros", "at least one weight above 0")
    problems.refuse_errors()
    return values


def checked_clusters(clusters: Iterable[Cluster], points: FloatArray) -> list[FoundCluster]:
    """Return clusters as points: index lists unchanged, balls as the points inside.

    Raises:
        InputError: indices that are unknown or repeated, centres of another dimension, radii below 0.
    """
    problems = ProblemList()
    found = [_cluster(cluster, points, f"clusters[{number}]", problems) for number, cluster in enumerate(clusters)]
    problems.refuse_errors()
    return [cluster for cluster in found if cluster is not None]


def _cluster(cluster: Any, points: FloatArray, where: str, problems: ProblemList) -> FoundCluster | None:
    if isinstance(cluster, Ball):
        cluster = cluster.centre, cluster.radius
    try:
        parts = cluster if isinstance(cluster, np.ndarray) else list(cluster)
        if is_ball(parts):
            return _ball(np.asarray(parts[0], dtype=np.float64), float(parts[1]), points, where, problems)
        indices = np.array([index(value) for value in parts], dtype=np.int64)
    except (TypeError, ValueError, OverflowError):
        problems.error("bad-cluster", where, f"{str(cluster)[:60]!r}", "indices of points, or a centre and a radius")
        return None
    outside = indices[(indices < 0) | (indices >= len(points))]
    rows = ((where, f"point {value}") for value in outside)
    problems.error_each("unknown-point", rows, outside.size, where, f"points from 0 to {len(points) - 1}")
    unique, counts = np.unique(indices, return_counts=True)
    twice = unique[counts > 1]
    rows = ((where, f"point {value} twice") for value in twice)
    problems.error_each("point-twice", rows, twice.size, where, "each point once per cluster")
    return None if outside.size else FoundCluster(points, unique)


def _ball(
    middle: FloatArray, radius: float, points: FloatArray, where: str, problems: ProblemList
) -> FoundCluster | None:
    if middle.size != points.shape[1]:
        expected = f"a centre of {counted(points.shape[1], 'number')}, like the points"
        problems.error("wrong-length", where, f"a centre of {counted(middle.size, 'number')}", expected)
    elif not (np.abs(middle) <= LARGEST).all() or not 0 <= radius <= LARGEST:
        found = f"centre {middle.tolist()}, radius {radius}"
        problems.error("not-finite", where, found, f"finite numbers up to {LARGEST:g}, and a radius of 0 or more")
    else:
        ball = Ball(middle, radius)
        return FoundCluster(points, np.flatnonzero(ball.holds(points)), ball)
    return None


def is_ball(cluster: Cluster) -> bool:
    """Return True if a cluster is given as centre and radius."""
    return isinstance(cluster, Ball) or (len(cluster) == 2 and np.ndim(cluster[0]) == 1)


def check_options(k: int, tau: float, denominator: str) -> None:
    """Raise `InputError`, which names every option out of range."""
    problems = ProblemList()
    if k < 1:
        problems.error("out-of-range", "k", str(k), "1 or more neighbours")
    if not 0 <= tau <= 1:
        problems.error("out-of-range", "tau", str(tau), "a connectivity from 0 to 1")
    if denominator not in ("all", "fault"):
        problems.error("unknown-option", "denominator", repr(denominator), "all or fault")
    problems.refuse_errors()


def places_and_neighbours(n: int, dimensions: int, classes: int) -> tuple[int, int]:
    """Return how many numbers are compared for n points: with classes, and with other points to find neighbours."""
    return n * classes * dimensions, n * n * dimensions if dimensions > _TREE_DIMENSIONS else 0


def check_size(n: int, dimensions: int, classes: int) -> None:
    """Raise InputError if one time step needs more work than `CMM_PLACES` or `CMM_NEIGHBOURS`."""
    given = f"{n:,} points of {dimensions} dimensions in {classes:,} classes"
    for bound, size in zip((CMM_PLACES, CMM_NEIGHBOURS), places_and_neighbours(n, dimensions, classes), strict=True):
        bound.check(size, "points", given)


def _check_length(length: int, n: int, where: str, what: str) -> None:
    if length != n:
        found = counted(length, what, "classes" if what == "class" else "")
        raise InputError([Problem("wrong-length", where, found, f"one for each of {counted(n, 'point')}")])

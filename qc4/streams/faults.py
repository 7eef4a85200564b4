"""The points that a clustering gets wrong, and their penalties.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
Definitions 9 to 11 and section 5.2.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.streams.balls import Ball, smallest_enclosing_ball
from qc4.streams.classes import Classes

MISSED, MISPLACED, NOISE = 1, 2, 3
KINDS = ("", "missed", "misplaced", "noise")


class FoundCluster:
    """A cluster of a clustering: its points, and its ball, which is computed on first access."""

    def __init__(self, points: FloatArray, indices: IntArray, ball: Ball | None = None) -> None:
        self.indices = indices
        self._points, self._ball = points, ball

    @cached_property
    def ball(self) -> Ball | None:
        """The ball that defines it, or else the smallest one around its points; None if it is empty."""
        if self._ball is None and self.indices.size:
            return smallest_enclosing_ball(self._points[self.indices])
        return self._ball


@dataclass(frozen=True, slots=True, eq=False)
class Faults:
    """The worst fault of every point.

    Attributes:
        classes: the classes that were used.
        mapping: for each cluster, the class that it is mapped to, -1 for none.
        kind: (points,) 0 for no fault, else `MISSED`, `MISPLACED` or `NOISE`.
        penalty: (points,) 0 to 1; 0 if there is no fault.
        cluster: (points,) the cluster of the worst fault, -1 for none.
        by_model: the number of points with faults that are all ignored because the ground truth makes them too.
    """

    classes: Classes
    mapping: IntArray
    kind: IntArray
    penalty: FloatArray
    cluster: IntArray
    by_model: int


def find_faults(
    points: FloatArray, classes: Classes, clusters: Sequence[FoundCluster], model_errors: bool, refine_missed: bool
) -> Faults:
    """Return the faults of a clustering, with or without the refinements of section 5.2."""
    mapping = map_clusters(classes, clusters)
    own = classes.own
    worst = np.full(len(points), -1.0)
    where = np.full(len(points), -1)
    assigned, excused = np.zeros(len(points), dtype=bool), np.zeros(len(points), dtype=bool)
    for number, (cluster, target) in enumerate(zip(clusters, mapping.tolist(), strict=True)):
        indices = cluster.indices
        assigned[indices] = True
        wrong = indices[classes.class_of[indices] != target] if target >= 0 else indices
        if model_errors and target >= 0:
            excused[wrong] |= classes.inside[wrong, target]
            wrong = wrong[~classes.inside[wrong, target]]
        penalty = own[wrong] * (1 - classes.to_class[wrong, target]) if target >= 0 else own[wrong]
        worse = penalty > worst[wrong]
        worst[wrong[worse]] = penalty[worse]
        where[wrong[worse]] = number
    kind = np.where(where < 0, 0, np.where(classes.class_of >= 0, MISPLACED, NOISE))
    missed = np.flatnonzero((classes.class_of >= 0) & ~assigned)
    kind[missed] = MISSED
    worst[missed] = own[missed]
    if refine_missed:
        worst[missed] *= _distance_factors(points, classes, clusters, mapping, missed)
    return Faults(classes, mapping, kind, np.maximum(worst, 0), where, int((excused & (kind == 0)).sum()))


def map_clusters(classes: Classes, clusters: Sequence[FoundCluster]) -> IntArray:
    """Return (clusters,) the class that each cluster is mapped to (Definition 9), -1 for none.

    By class counts without noise: if the counts of ground-truth clusters cover those of the cluster, it is mapped to
    the class whose ground-truth cluster contains most of its points; otherwise to the class with the smallest surplus.
    Ties go to the larger ground-truth cluster, which contains more class points (if nested, the outer one, section
    4.2), then to the larger class, then to the first. A cluster without class points is not mapped.
    """
    distributions, sizes = classes.distributions, classes.sizes
    larger = np.lexsort((np.arange(sizes.size), -sizes, -distributions.sum(axis=1)))
    mapping = np.full(len(clusters), -1)
    for number, cluster in enumerate(clusters):
        found = classes.class_of[cluster.indices]
        counts = np.bincount(found[found >= 0], minlength=sizes.size)
        if not counts.any():
            continue
        surplus = np.maximum(counts - distributions, 0).sum(axis=1)
        held = classes.inside[cluster.indices].sum(axis=0) if surplus.min() == 0 else np.zeros_like(sizes)
        mapping[number] = min(larger.tolist(), key=lambda row: (surplus[row], -held[row]))
    return mapping


def _distance_factors(
    points: FloatArray, classes: Classes, clusters: Sequence[FoundCluster], mapping: IntArray, missed: IntArray
) -> FloatArray:
    """Return (missed,) 1 - exp(-(d - r) / (d + r)) to the nearest ball of clusters mapped to the point's class; 1 if
    none.

    0 inside a ball.
    """
    factors = np.ones(missed.size)
    for number, place in _groups(classes.class_of[missed]):
        for cluster in (found for found, target in zip(clusters, mapping, strict=True) if target == number):
            ball = cluster.ball
            assert ball is not None  # it is mapped, so it contains points
            distance = ball.distances(points[missed[place]])
            whole = distance + ball.radius
            beyond = np.maximum(distance - ball.radius, 0) / np.where(whole > 0, whole, 1)
            factors[place] = np.minimum(factors[place], -np.expm1(-beyond))
    return factors


def _groups(values: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Yield each value, and the positions where it occurs."""
    for value in np.unique(values).tolist():
        yield value, np.flatnonzero(values == value)

"""Clusterings with known errors, made from the ground truth by joining, shrinking or removing clusters.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
section 6, "Cluster generator". At error level 0, each function returns the clusters of the ground truth.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from qc4.streams.balls import Ball, smallest_enclosing_ball
from qc4.streams.measure import GroundTruth

ErrorGenerator = Callable[[GroundTruth, float, int], list[Ball]]


def join_clusters(truth: GroundTruth, level: float, seed: int = 0) -> list[Ball]:
    """Replace neighbouring balls that do not overlap by one ball.

    Balls are neighbours if the distance between their borders is at least 0 and less than ``level`` times the smaller
    radius. A chain of neighbours becomes one ball.

    Args:
        truth: the ground truth.
        level: error level, 0 to 1.
        seed: not used, but part of the common signature.
    """
    balls = truth.classes.balls
    pairs = [
        (first, second)
        for second in range(len(balls))
        for first in range(second)
        if 0 <= _gap(balls[first], balls[second]) < level * min(balls[first].radius, balls[second].radius)
    ]
    rows, columns = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    links = coo_array((np.ones(rows.size), (rows, columns)), shape=(len(balls), len(balls)))
    group_of = connected_components(links, directed=False)[1]
    groups: list[list[int]] = [[] for _ in range(group_of.max(initial=-1) + 1)]
    for number, group in enumerate(group_of.tolist()):
        groups[group].append(number)
    return [balls[group[0]] if len(group) == 1 else _around(truth, group) for group in groups]


def shrink_clusters(truth: GroundTruth, level: float, seed: int = 0) -> list[Ball]:
    """Reduce every radius by the fraction ``level``. At level 1, a ball contains only its centre."""
    return [Ball(ball.centre, ball.radius * (1 - level)) for ball in truth.classes.balls]


def remove_clusters(truth: GroundTruth, level: float, seed: int = 0) -> list[Ball]:
    """Remove the fraction ``level`` of the clusters, rounded. Higher levels remove the same clusters and more."""
    balls = truth.classes.balls
    removed_numbers = set(np.random.default_rng(seed).permutation(len(balls))[: round(level * len(balls))].tolist())
    return [ball for number, ball in enumerate(balls) if number not in removed_numbers]


ERROR_GENERATORS: dict[str, ErrorGenerator] = {
    "join": join_clusters,
    "radius": shrink_clusters,
    "remove": remove_clusters,
}
"""Name -> error generator."""


def _gap(one: Ball, other: Ball) -> float:
    """Return the distance between the borders of two balls, which is negative if they overlap."""
    return float(np.linalg.norm(one.centre - other.centre)) - one.radius - other.radius


def _around(truth: GroundTruth, classes: Sequence[int]) -> Ball:
    """Return the smallest ball around the points of some classes."""
    return smallest_enclosing_ball(truth.points[np.isin(truth.classes.class_of, classes)])

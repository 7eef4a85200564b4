"""Clusterings with a known flaw, made from the ground truth: joined, shrunk and removed clusters.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
section 6, "Cluster generator". At error level 0 each gives the ground-truth clusters themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from qc4.streams.balls import Ball, smallest_enclosing_ball
from qc4.streams.measure import GroundTruth

Flaw = Callable[[GroundTruth, float, int], list[Ball]]


def joined(truth: GroundTruth, level: float, seed: int = 0) -> list[Ball]:
    """Neighbours that do not overlap share one ball.

    Neighbours are balls whose distance from border to border is 0 or more, but less than ``level`` times the smaller
    radius; chains of them share one ball.

    Args:
        level: 0 to 1.
        seed: not used; every flaw takes one.
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


def shrunk(truth: GroundTruth, level: float, seed: int = 0) -> list[Ball]:
    """Every radius is smaller by the share ``level``; at 1 only points on the centre are left."""
    return [Ball(ball.centre, ball.radius * (1 - level)) for ball in truth.classes.balls]


def removed(truth: GroundTruth, level: float, seed: int = 0) -> list[Ball]:
    """The share ``level`` of the clusters, rounded, is missing; what a level misses, higher ones miss too."""
    balls = truth.classes.balls
    gone = set(np.random.default_rng(seed).permutation(len(balls))[: round(level * len(balls))].tolist())
    return [ball for number, ball in enumerate(balls) if number not in gone]


FLAWS: dict[str, Flaw] = {"join": joined, "radius": shrunk, "remove": removed}
"""The three error generators by name."""


def _gap(one: Ball, other: Ball) -> float:
    """Distance from border to border, negative where balls overlap."""
    return float(np.linalg.norm(one.centre - other.centre)) - one.radius - other.radius


def _around(truth: GroundTruth, classes: Sequence[int]) -> Ball:
    """The smallest ball around the points of some classes."""
    return smallest_enclosing_ball(truth.points[np.isin(truth.classes.class_of, classes)])

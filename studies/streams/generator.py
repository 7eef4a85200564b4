"""A synthetic stream: clusters that move through the unit cube, and noise.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
section 6, "Stream generator" and "Setup"."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components

from qc4.arrays import FloatArray
from qc4.problems import ProblemList
from qc4.streams.balls import Ball, smallest_enclosing_ball
from qc4.streams.measure import GroundTruth
from qc4.streams.stream import Stream

STEP = 0.01
"""Distance that every centre moves at each shift."""


@dataclass(frozen=True, slots=True)
class GeneratorSettings:
    """The settings of the generator. The defaults are the paper's.

    Attributes:
        points: length of the stream.
        clusters: number of moving clusters.
        dimensions: number of dimensions of the cube.
        radius: radius of every cluster, below 1/2.
        interval: number of points after which every centre moves by `STEP` in its direction.
        noise: fraction of points drawn from the whole cube, 0 to 1.
    """

    points: int = 200_000
    clusters: int = 6
    dimensions: int = 2
    radius: float = 0.075
    interval: int = 100
    noise: float = 0.1

    def __post_init__(self) -> None:
        problems = ProblemList()
        for name in ("points", "clusters", "dimensions", "interval"):
            if getattr(self, name) < 1:
                problems.error("out-of-range", name, str(getattr(self, name)), "1 or more")
        if not 0 < self.radius < 0.5:
            problems.error("out-of-range", "radius", str(self.radius), "more than 0 and less than 0.5")
        if not 0 <= self.noise <= 1:
            problems.error("out-of-range", "noise", str(self.noise), "a share from 0 to 1")
        problems.refuse_errors()


def moving_clusters(movement: GeneratorSettings | None = None, seed: int = 0) -> Stream:
    """Generate a stream of points drawn uniformly from moving balls. All classes are equally likely.

    Centres start at random positions, move in straight lines and bounce off when their ball touches the border of the
    cube. Point i arrives at time i.
    """
    settings = movement or GeneratorSettings()
    rng = np.random.default_rng(seed)
    n, d = settings.points, settings.dimensions
    classes = rng.integers(0, settings.clusters, n)
    shifts = (n - 1) // settings.interval + 1
    centres = _paths(rng, shifts, settings)[np.arange(n) // settings.interval, classes]
    points = centres + settings.radius * _in_unit_ball(rng, n, d)
    noise = rng.random(n) < settings.noise
    points[noise] = rng.random((int(noise.sum()), d))
    return Stream(points, np.where(noise, -1, classes), np.arange(n, dtype=np.float64))


def _paths(rng: np.random.Generator, shifts: int, settings: GeneratorSettings) -> FloatArray:
    """Return the centres, (shifts, clusters, dimensions): straight lines, folded back at the borders."""
    shape = settings.clusters, settings.dimensions
    room = 1 - 2 * settings.radius
    directions = rng.normal(size=shape)
    directions *= STEP / np.linalg.norm(directions, axis=1, keepdims=True)
    straight = rng.random(shape) * room + np.arange(shifts)[:, None, None] * directions
    folded = np.abs((straight + room) % (2 * room) - room)
    return settings.radius + folded


def _in_unit_ball(rng: np.random.Generator, n: int, dimensions: int) -> FloatArray:
    """Return (n, dimensions) points drawn uniformly from the unit ball."""
    directions = rng.normal(size=(n, dimensions))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    scattered: FloatArray = directions * rng.random((n, 1)) ** (1 / dimensions)
    return scattered


# Clusterings with known errors, made from the ground truth by joining, shrinking or removing clusters. Source: seed
# 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011), section 6,
# "Cluster generator". At error level 0, each function returns the clusters of the ground truth.

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

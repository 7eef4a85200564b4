"""A synthetic stream: clusters that move through the unit cube, and noise.

Source: seed 000 (Kremer et al., An Effective Evaluation Measure for Clustering on Evolving Data Streams, KDD 2011),
section 6, "Stream generator" and "Setup".
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray
from qc4.problems import ProblemList
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

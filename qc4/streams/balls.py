"""Smallest enclosing balls, and the points inside them.

The algorithm is that of K. Fischer, B. Gärtner and M. Kutz (Fast Smallest-Enclosing-Ball Computation in High
Dimensions, ESA 2003): a ball around all points shrinks while its centre moves towards the points on its surface, until
it lies between them. No existing package was suitable: see docs/decisions/smallest-enclosing-balls.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qc4.arrays import BoolArray, FloatArray

MARGIN = 1e-9
"""The tolerance, relative to the radius, within which a point outside counts as inside."""

_EPS = 1e-12
_BLOCK = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Ball:
    """A ball with its centre, (dimensions,), and radius."""

    centre: FloatArray
    radius: float

    def distances(self, points: FloatArray) -> FloatArray:
        """Return (points,) the distance of each point from the centre, computed in blocks to limit memory."""
        blocks = [np.linalg.norm(block - self.centre, axis=1) for block in _blocks(points)]
        return np.concatenate(blocks) if blocks else np.empty(0)

    def holds(self, points: FloatArray) -> BoolArray:
        """Return (points,) True for points inside the ball."""
        inside: BoolArray = self.distances(points) <= self.radius * (1 + MARGIN)
        return inside


def smallest_enclosing_ball(points: FloatArray) -> Ball:
    """Return the smallest ball that contains all points.

    Args:
        points: (points, dimensions), at least one point; they may be collinear, on a circle, or equal.

    Returns:
        A ball whose radius is the distance of its farthest point, so that `Ball.holds` is true for every point.
    """
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    spread = float(np.abs(points - middle).max())
    if spread == 0:
        return Ball(points[0].copy(), 0.0)
    scaled = (points - middle) / spread
    centre = _walk(scaled) * spread + middle
    ball = Ball(centre, 0.0)
    return Ball(centre, float(ball.distances(points).max()))


def _walk(points: FloatArray) -> FloatArray:
    """Return the centre of the smallest ball around points with coordinates from -1 to 1.

    The ball always contains every point, and the support points are on its surface.
    """
    centre: FloatArray = points.mean(axis=0)
    support = [int(np.linalg.norm(points - centre, axis=1).argmax())]
    for _ in range(50 * (points.shape[1] + 10)):
        weights, step = _step_to_affine_hull(points[support], centre)
        if np.abs(step).max() <= _EPS:
            least = int(weights.argmin())
            if weights[least] >= -_EPS:
                break
            del support[least]
            weights, step = _step_to_affine_hull(points[support], centre)
        stop, fraction = _first_stop(points, support, centre, step)
        centre = centre + fraction * step
        if stop is not None:
            support.append(stop)
    return centre


def _step_to_affine_hull(support: FloatArray, centre: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the point of the support's affine hull nearest to the centre: its affine weights, and the step to it."""
    origin, sides = support[0], support[1:] - support[0]
    weights = np.linalg.lstsq(sides.T, centre - origin, rcond=None)[0] if len(sides) else np.empty(0)
    step: FloatArray = origin + weights @ sides - centre
    return np.concatenate([[1 - weights.sum()], weights]), step


def _first_stop(
    points: FloatArray, support: list[int], centre: FloatArray, step: FloatArray
) -> tuple[int | None, float]:
    """Return the first point that the shrinking ball touches as the centre moves, and the fraction of the step by
    then."""
    held = points[support[0]]
    approach = (held - points) @ step
    slack = np.square(held - centre).sum() - np.square(points - centre).sum(axis=1)
    ahead = approach > _EPS * np.linalg.norm(step)
    ahead[support] = False
    shares = np.full(len(points), np.inf)
    shares[ahead] = np.maximum(slack[ahead], 0) / (2 * approach[ahead])
    first = int(shares.argmin())
    return (first, float(shares[first])) if shares[first] < 1 else (None, 1.0)


def _blocks(points: FloatArray) -> Iterator[FloatArray]:
    rows = max(1, _BLOCK // max(1, points.shape[1]))
    for start in range(0, len(points), rows):
        yield points[start : start + rows]

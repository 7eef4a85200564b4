"""Points as they arrive, with their classes: what a clustering of a stream is measured against."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qc4.arrays import FloatArray, IntArray
from qc4.streams.horizon import checked_times
from qc4.streams.inputs import Points, checked_classes, checked_points


@dataclass(frozen=True, eq=False)
class Stream:
    """Points as they arrive.

    Attributes:
        points: (points, dimensions).
        classes: (points,) class of each point, -1 for noise.
        times: (points,) arrival times, never going back.
    """

    points: FloatArray
    classes: IntArray
    times: FloatArray

    @classmethod
    def of(cls, points: Points, classes: Sequence[int] | IntArray, times: Sequence[float] | FloatArray) -> Stream:
        """A checked stream.

        Raises:
            InputError: rows that are missing, of the wrong length, not finite, or whose times are not ordered.
        """
        vectors = checked_points(points)
        return cls(vectors, checked_classes(classes, len(vectors)), checked_times(times, len(vectors)))

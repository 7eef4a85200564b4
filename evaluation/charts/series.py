"""Charts as data: two axes, and series of points, each with a mark and a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.charts.marks import Mark
from qc4.charts import ticks

Line = Literal["solid", "dashed", "dotted", ""]
"""Lines differ in dashes as well as in colour. An empty one draws only marks, side by side for several series."""


@dataclass(frozen=True, slots=True)
class Axis:
    """The range and ticks of an axis.

    Attributes:
        ticks: (value, label).
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str = ""

    @classmethod
    def round(cls, low: float, high: float, title: str = "", *, room: float = 0.0) -> Axis:
        """Make an axis with ticks at round numbers; ``room`` for marks at both ends is a share of its length."""
        beside = room * (high - low)
        return cls(low - beside, high + beside, tuple((tick, number(tick)) for tick in ticks(low, high)), title)

    @classmethod
    def shares(cls) -> Axis:
        """Make an axis from 0 to 100 per cent."""
        return cls(0.0, 1.0, tuple((quarter / 4, f"{quarter / 4:.0%}") for quarter in range(5)))

    @classmethod
    def labels(cls, labels: Sequence[str], title: str) -> Axis:
        """Make an axis with the positions 0, 1, .., each with its label, and half a step of room at both ends."""
        return cls(-0.5, max(len(labels), 1) - 0.5, tuple(enumerate(labels)), title)


@dataclass(frozen=True, slots=True)
class Point:
    """A mark and its tooltip. If ``y`` is None, there is no value and the line breaks."""

    x: float
    y: float | None
    words: str


@dataclass(frozen=True, slots=True)
class Series:
    """Marks of one kind, ordered by x, and the line through them."""

    name: str
    mark: Mark
    points: tuple[Point, ...]
    line: Line = "solid"


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything that a panel shows. ``about`` names the submission of a chart that shows only one."""

    title: str
    note: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    about: str = ""


def values(series: Iterable[Series]) -> list[float]:
    """Return all values of the series that are not missing."""
    return [point.y for one in series for point in one.points if point.y is not None]


def number(value: float) -> str:
    """Format a value on an axis."""
    text = f"{value:,.0f}" if abs(value) >= 1000 and float(value).is_integer() else f"{value:.6g}"
    return text.replace("-", "−")

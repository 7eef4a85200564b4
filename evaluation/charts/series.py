"""Charts as data: two axes, and series of points with a mark and a line."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.charts.marks import Mark
from qc4.charts import ticks

Line = Literal["solid", "dashed", "dotted", ""]
"""Lines differ by dashes as well as by colour; without one, marks of several series stand side by side."""


@dataclass(frozen=True, slots=True)
class Axis:
    """What a chart reaches from and to.

    Attributes:
        ticks: (value, what stands there).
    """

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    title: str = ""

    @classmethod
    def round(cls, low: float, high: float, title: str = "", *, room: float = 0.0) -> Axis:
        """Round numbers from low to high, with room at both ends for marks: a share of what lies between."""
        beside = room * (high - low)
        return cls(low - beside, high + beside, tuple((tick, number(tick)) for tick in ticks(low, high)), title)

    @classmethod
    def shares(cls) -> Axis:
        """From 0 to 1, in per cent."""
        return cls(0.0, 1.0, tuple((quarter / 4, f"{quarter / 4:.0%}") for quarter in range(5)))

    @classmethod
    def labels(cls, labels: Sequence[str], title: str) -> Axis:
        """Places 0, 1, .. evenly apart, each with its label, and half a step of room at both ends."""
        return cls(-0.5, max(len(labels), 1) - 0.5, tuple(enumerate(labels)), title)


@dataclass(frozen=True, slots=True)
class Point:
    """A mark and what it says when pointed at; where ``y`` is None there is no value, and the line breaks."""

    x: float
    y: float | None
    words: str


@dataclass(frozen=True, slots=True)
class Series:
    """Marks of one kind in the order of x, and the line through them."""

    name: str
    mark: Mark
    points: tuple[Point, ...]
    line: Line = "solid"


@dataclass(frozen=True, slots=True)
class Chart:
    """Everything a panel shows. ``about`` is whose, where it is one submission's."""

    title: str
    note: str
    x: Axis
    y: Axis
    series: tuple[Series, ...]
    about: str = ""


def values(series: Iterable[Series]) -> list[float]:
    """All values there are."""
    return [point.y for one in series for point in one.points if point.y is not None]


def number(value: float) -> str:
    """A value on an axis, for people."""
    text = f"{value:,.0f}" if abs(value) >= 1000 and float(value).is_integer() else f"{value:.6g}"
    return text.replace("-", "−")

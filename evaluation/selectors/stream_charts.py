"""Charts over the time of a stream: what `evaluation.templatetags.stream_curves` draws."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.selectors.marks import Mark
from evaluation.selectors.stream_measures import EXTERNAL_KEYS, INTERNAL_KEYS, LOSSES, MEASURES
from qc4.streams.series import Moment

LOWS = (0.9, 0.8, 0.5, 0.0, -0.5, -1.0)
"""Where an axis of shares may start: as high as all values allow, so that lines near 1 can be told apart."""
CMM_MARK = Mark(0, "circle", False)
_SHAPES = ("square", "triangle", "diamond", "cross", "hexagon", "kite")
_MARKS = tuple(Mark(hue, shape, False) for hue, shape in enumerate(_SHAPES, start=1))
_LINES = ("solid", "dashed", "dotted")


@dataclass(frozen=True, slots=True)
class TimeSeries:
    """One line: (time, value) in the order of time, None where there is no value."""

    name: str
    mark: Mark
    points: tuple[tuple[float, float | None], ...]
    line: str = "solid"


@dataclass(frozen=True, slots=True)
class TimeChart:
    """Lines over time, y from ``low`` to ``high``."""

    title: str
    note: str
    series: tuple[TimeSeries, ...]
    low: float
    high: float

    @property
    def span(self) -> tuple[float, float]:
        """First and last time; some width even for a single moment."""
        times = [time for line in self.series for time, _ in line.points]
        first, last = min(times, default=0.0), max(times, default=1.0)
        least = max(0.5, abs(first) * 1e-6)
        return (first, last) if last - first > least * 1e-6 else (first - least, first + least)


def of_measure(key: str, lines: Sequence[tuple[str, Mark, Sequence[Moment]]]) -> TimeChart:
    """One measure of several submissions, each given as (name, mark, moments)."""
    measure = MEASURES[key]
    series = tuple(TimeSeries(name, mark, _points(moments, key)) for name, mark, moments in lines)
    return _chart(f"{measure.title} over time", measure.meaning, series, up_to=None if key == "ssq" else 1.0)


def of_parts(moments: Sequence[Moment]) -> TimeChart:
    """What each kind of fault takes from CMM."""
    lost = tuple(
        TimeSeries(f"{key} points" if key != "noise" else "noise in clusters", mark, _lost(moments, key), line)
        for key, mark, line in zip(LOSSES, _MARKS, _LINES, strict=False)
    )
    values = [value for line in lost for _, value in line.points if value is not None]
    high = next((top for top in (0.05, 0.1, 0.2, 0.5) if max(values, default=0.0) <= top), 1.0)
    return TimeChart("What CMM loses, by fault", "losses add up to 1 − CMM", lost, 0.0, high)


def beside_cmm(moments: Sequence[Moment], internal: bool = False) -> TimeChart:
    """CMM and flat measures of the same clusterings (Fig. 6 of the paper); SSQ as a share of its largest value."""
    lines = [TimeSeries("CMM", CMM_MARK, _points(moments, "cmm"))]
    for number, key in enumerate(INTERNAL_KEYS if internal else EXTERNAL_KEYS):
        found, title = _points(moments, key), MEASURES[key].title
        if key == "ssq":
            top = max((value for _, value in found if value is not None), default=0.0)
            found = tuple((time, value / top if value is not None and top else value) for time, value in found)
            title = f"SSQ / {top:.4g}"
        lines.append(TimeSeries(title, _MARKS[number], found, _LINES[(number + 1) % len(_LINES)]))
    kind = "internal" if internal else "external"
    return _chart(f"CMM beside {kind} measures", "of the same points at the same times", tuple(lines), up_to=1.0)


def ticks(low: float, high: float, most: int = 6) -> list[float]:
    """Round numbers from low to high, at most so many."""
    raw = (high - low) / max(1, most - 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= raw * (1 - 1e-9))
    first = math.ceil(low / step - 1e-9)
    last = math.floor(high / step + 1e-9)
    return [number * step for number in range(first, last + 1)]


def _chart(title: str, note: str, series: tuple[TimeSeries, ...], up_to: float | None) -> TimeChart:
    values = [value for line in series for _, value in line.points if value is not None]
    if up_to is None:
        return TimeChart(title, note, series, 0.0, max(values, default=0.0) * 1.05 or 1.0)
    least = min(values, default=0.0)
    low = next((low for low in LOWS if low <= least), -1.0)
    return TimeChart(title, note, series, low, up_to)


def _points(moments: Sequence[Moment], key: str) -> tuple[tuple[float, float | None], ...]:
    return tuple((moment.time, moment.values.get(key)) for moment in moments)


def _lost(moments: Sequence[Moment], key: str) -> tuple[tuple[float, float | None], ...]:
    return tuple((time, None if value is None else 1 - value) for time, value in _points(moments, key))


def charts(
    key: str, lines: Sequence[tuple[str, Mark, Sequence[Moment]]], one: Sequence[Moment]
) -> Mapping[str, TimeChart]:
    """All charts of a stream's page."""
    return {
        "measure": of_measure(key, lines),
        "parts": of_parts(one),
        "external": beside_cmm(one),
        "internal": beside_cmm(one, internal=True),
    }

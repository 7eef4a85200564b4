"""The charts of a stream's page, over its time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from evaluation.selectors.charts import Axis, Chart, Line, Point, Series, number, values
from evaluation.selectors.marks import SHAPES, Mark
from evaluation.selectors.stream_measures import EXTERNAL_KEYS, INTERNAL_KEYS, LOSSES, MEASURES
from qc4.streams.series import Moment

LOWS = (0.9, 0.8, 0.5, 0.0, -0.5, -1.0)
"""Where an axis of shares may start: as high as all values allow, so that lines near 1 can be told apart."""
CMM_MARK = Mark(0, "circle", False)
ROOM = 1 / 60
"""Beside the first and the last moment."""
_MARKS = tuple(Mark(hue, shape, False) for hue, shape in enumerate(SHAPES[1:], start=1))
_LINES: tuple[Line, ...] = ("solid", "dashed", "dotted")


def charts(
    key: str, lines: Sequence[tuple[str, Mark, Sequence[Moment]]], one: Sequence[Moment], whose: str
) -> tuple[Chart, ...]:
    """All of them: a measure of several submissions, each given as (name, mark, moments), and more of one."""
    return of_measure(key, lines), of_parts(one, whose), beside_cmm(one, whose), beside_cmm(one, whose, internal=True)


def of_measure(key: str, lines: Sequence[tuple[str, Mark, Sequence[Moment]]]) -> Chart:
    """One measure of several submissions."""
    measure = MEASURES[key]
    series = tuple(_series(name, mark, moments, key) for name, mark, moments in lines)
    return _chart(f"{measure.title} over time", measure.meaning, series, up_to=None if key == "ssq" else 1.0)


def of_parts(moments: Sequence[Moment], whose: str = "") -> Chart:
    """What each kind of fault takes from CMM."""
    lost = tuple(
        _series("noise in clusters" if key == "noise" else f"{key} points", mark, moments, key, line, _lost)
        for key, mark, line in zip(LOSSES, _MARKS, _LINES, strict=False)
    )
    high = next((top for top in (0.05, 0.1, 0.2, 0.5) if max(values(lost), default=0.0) <= top), 1.0)
    axis = Axis.round(0.0, high)
    return Chart("What CMM loses, by fault", "losses add up to 1 − CMM", _time(lost), axis, lost, whose)


def beside_cmm(moments: Sequence[Moment], whose: str = "", *, internal: bool = False) -> Chart:
    """CMM and flat measures of the same clusterings (Fig. 6 of the paper); SSQ as a share of its largest value."""
    lines = [_series("CMM", CMM_MARK, moments, "cmm")]
    for place, key in enumerate(INTERNAL_KEYS if internal else EXTERNAL_KEYS):
        title, top = MEASURES[key].title, 1.0
        if key == "ssq":
            top = max((moment.values[key] for moment in moments if key in moment.values), default=0.0)
            title, top = f"SSQ / {top:.4g}", top or 1.0
        line = _LINES[(place + 1) % len(_LINES)]
        lines.append(_series(title, _MARKS[place], moments, key, line, partial(_share_of, top)))
    kind = "internal" if internal else "external"
    title, note = f"CMM beside {kind} measures", "of the same points at the same times"
    return _chart(title, note, tuple(lines), up_to=1.0, whose=whose)


def _chart(title: str, note: str, series: tuple[Series, ...], up_to: float | None, whose: str = "") -> Chart:
    found = values(series)
    if up_to is None:
        y = Axis.round(0.0, max(found, default=0.0) * 1.05 or 1.0)
    else:
        y = Axis.round(next((low for low in LOWS if low <= min(found, default=0.0)), -1.0), up_to)
    return Chart(title, note, _time(series), y, series, whose)


def _time(series: Sequence[Series]) -> Axis:
    """From the first to the last time; some width even for a single moment."""
    times = [point.x for one in series for point in one.points]
    first, last = min(times, default=0.0), max(times, default=1.0)
    least = max(0.5, abs(first) * 1e-6)
    if last - first <= least * 1e-6:
        first, last = first - least, first + least
    return Axis.round(first, last, "time", room=ROOM)


def _lost(kept: float) -> float:
    return 1 - kept


def _share_of(top: float, value: float) -> float:
    return value / top


def _series(
    name: str,
    mark: Mark,
    moments: Sequence[Moment],
    key: str,
    line: Line = "solid",
    turned: Callable[[float], float] = lambda value: value,
) -> Series:
    points = []
    for moment in moments:
        value = turned(moment.values[key]) if key in moment.values else None
        words = "" if value is None else f"{name}, time {number(moment.time)}: {value:.4g}"
        points.append(Point(moment.time, value, words))
    return Series(name, mark, tuple(points), line)

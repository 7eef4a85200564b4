"""The page of a stream: a table of submissions, and charts of their measures over time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from django.http import QueryDict

from accounts.person import Person
from annotations.models import Stream
from common.parameters import parse_number
from evaluation.charts.marks import SHAPES, Mark, marks
from evaluation.charts.series import Axis, Chart, Line, Point, Series, number, values
from evaluation.limits import CHART_SUBMISSIONS, CHART_TIME_STEPS
from evaluation.stream_settings import StreamSettings
from evaluation.streams.measures import EXTERNAL_KEYS, INTERNAL_KEYS, LOSSES, MEASURES
from evaluation.streams.selectors import (
    SHORT_HASH,
    TRUE_CLUSTERS,
    StreamRow,
    chosen_settings,
    known_settings,
    moments_of,
    rows_of,
    submissions_of,
)
from qc4.problems import InputError, Problem
from qc4.streams.series import TimeStep

DRAWN = 6
"""Number of submissions drawn unless the query string lists them."""


@dataclass(frozen=True, slots=True)
class Choices:
    """The choices in a query string.

    Attributes:
        measure: a key of `MEASURES`, drawn over time.
        settings: the first digits of the settings' SHA-256; empty for the settings used by most submissions.
        show: the submissions to draw; empty for the first `DRAWN` of the table.
        one: the submission whose components are drawn; 0 for the first of the table.
    """

    measure: str = "cmm"
    settings: str = ""
    show: tuple[int, ...] = ()
    one: int = 0


@dataclass(frozen=True, slots=True)
class StreamView:
    """A stream as one person sees it, with one set of settings.

    Attributes:
        known: the settings that have results, as (hash, words), the most used first.
        rows: the rows by falling CMM, followed by those without a result.
        one: the row whose components are drawn.
        lines: (row, time steps) of the submissions drawn, every ``step``-th time step.
    """

    stream: Stream
    choices: Choices
    settings: StreamSettings
    known: tuple[tuple[str, str], ...]
    rows: tuple[StreamRow, ...]
    one: StreamRow | None
    lines: tuple[tuple[StreamRow, Sequence[TimeStep]], ...]
    one_moments: Sequence[TimeStep]
    step: int
    charts: tuple[Chart, ...]

    @property
    def settings_key(self) -> str:
        """The chosen key of `known`."""
        return self.settings.sha256[:SHORT_HASH]

    @property
    def measured(self) -> list[StreamRow]:
        return [row for row in self.rows if row.result is not None]

    @property
    def table(self) -> list[tuple[float, list[TimeStep | None]]]:
        """Each time, with the values of each drawn submission at that time."""
        times = sorted({moment.time for _, moments in self.lines for moment in moments})
        at = [{moment.time: moment for moment in moments} for _, moments in self.lines]
        return [(time, [moments.get(time) for moments in at]) for time in times]


def read_choices(given: QueryDict) -> Choices:
    """Read the choices of a query string; missing ones keep their defaults.

    Raises:
        InputError: every choice that does not exist.
    """
    problems = []
    measure = given.get("measure") or "cmm"
    if measure not in MEASURES:
        problems.append(Problem("unknown-choice", "measure", repr(measure), f"one of {', '.join(MEASURES)}"))
    numbers: dict[str, list[str]] = {"show": given.getlist("show"), "one": [one] if (one := given.get("one")) else []}
    problems += [
        Problem("unknown-choice", name, repr(value), "the number of a submission")
        for name, values in numbers.items()
        for value in values
        if parse_number(value) is None
    ]
    if len(numbers["show"]) > CHART_SUBMISSIONS:
        found, fix = f"{len(numbers['show'])} submissions", "Choose fewer, or use the CSV."
        problems.append(Problem("too-many", "show", found, f"at most {CHART_SUBMISSIONS} at once", fix))
    if problems:
        raise InputError(problems)
    show = tuple(dict.fromkeys(int(value) for value in numbers["show"]))
    return Choices(measure, given.get("settings", ""), show, int((numbers["one"] or ["0"])[0]))


def stream_view(stream: Stream, person: Person, choices: Choices) -> StreamView:
    """Return the page of a stream (already checked).

    Raises:
        InputError: no submission is measured with these settings, or a submission does not exist.
    """
    submissions = submissions_of(stream, person)
    known = known_settings(submissions)
    settings = chosen_settings(known, choices.settings)
    rows = rows_of(submissions, settings)
    _check_numbers(rows, choices)
    measured = [row for row in rows if row.result is not None]
    drawn = [row for row in measured if row.submission.pk in choices.show] if choices.show else measured[:DRAWN]
    for row in drawn:
        row.is_drawn = True
    one = _one(measured, choices.one)
    step = -(-max((row.moments for row in [*drawn, *([one] if one else [])]), default=0) // CHART_TIME_STEPS) or 1
    found = moments_of([row.result for row in (*drawn, one) if row and row.result], step)
    lines = tuple((row, found[row.result.pk]) for row in drawn if row.result)
    one_moments = found[one.result.pk] if one and one.result else []
    named = marks(stream.collection)
    drawings = [(str(row.submission), named[row.submission.algorithm_id], moments) for row, moments in lines]
    pictures = charts(choices.measure, drawings, one_moments, one.submission.algorithm.name if one else "")
    sha256s = tuple((sha256, words.words) for sha256, words in known.items())
    return StreamView(
        stream, choices, settings, sha256s, tuple(rows), one, lines, one_moments, step, pictures if lines else ()
    )


def _one(measured: Sequence[StreamRow], wanted: int) -> StreamRow | None:
    """The requested row; by default the first that is not the true clusters, because those have no faults."""
    interesting = [row for row in measured if row.submission.algorithm.baseline != TRUE_CLUSTERS] or measured
    return next((row for row in measured if row.submission.pk == wanted), interesting[0] if interesting else None)


def _check_numbers(rows: Sequence[StreamRow], choices: Choices) -> None:
    there = {row.submission.pk for row in rows}
    asked = [("show", pk) for pk in choices.show] + ([("one", choices.one)] if choices.one else [])
    problems = [
        Problem("unknown-choice", name, str(pk), "the number of a submission of this stream")
        for name, pk in asked
        if pk not in there
    ]
    if problems:
        raise InputError(problems)


# --- The charts of a stream's page, over its time ---

LOWS = (0.9, 0.8, 0.5, 0.0, -0.5, -1.0)
"""Possible lower ends of an axis of shares. The highest that fits all values is used, so that lines near 1 are
distinct.
"""
CMM_MARK = Mark(0, "circle", False)
ROOM = 1 / 60
"""Margin beside the first and the last time step, as a share of the axis."""
_MARKS = tuple(Mark(hue, shape, False) for hue, shape in enumerate(SHAPES[1:], start=1))
_LINES: tuple[Line, ...] = ("solid", "dashed", "dotted")


def charts(
    key: str, lines: Sequence[tuple[str, Mark, Sequence[TimeStep]]], one: Sequence[TimeStep], whose: str
) -> tuple[Chart, ...]:
    """All charts: one measure of several submissions (each a name, mark and time steps), and the details of one
    submission.
    """
    return of_measure(key, lines), of_parts(one, whose), beside_cmm(one, whose), beside_cmm(one, whose, internal=True)


def of_measure(key: str, lines: Sequence[tuple[str, Mark, Sequence[TimeStep]]]) -> Chart:
    """The chart of one measure of several submissions."""
    measure = MEASURES[key]
    series = tuple(_series(name, mark, moments, key) for name, mark, moments in lines)
    return _chart(f"{measure.title} over time", measure.meaning, series, up_to=None if key == "ssq" else 1.0)


def of_parts(moments: Sequence[TimeStep], whose: str = "") -> Chart:
    """The chart of the CMM loss by type of fault."""
    lost = tuple(
        _series("noise in clusters" if key == "noise" else f"{key} points", mark, moments, key, line, _lost)
        for key, mark, line in zip(LOSSES, _MARKS, _LINES, strict=False)
    )
    high = next((top for top in (0.05, 0.1, 0.2, 0.5) if max(values(lost), default=0.0) <= top), 1.0)
    axis = Axis.round(0.0, high)
    return Chart("CMM loss by type of fault", "losses add up to 1 − CMM", _time(lost), axis, lost, whose)


def beside_cmm(moments: Sequence[TimeStep], whose: str = "", *, internal: bool = False) -> Chart:
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
    """The axis from the first to the last time, with some width even for a single time step."""
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
    moments: Sequence[TimeStep],
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

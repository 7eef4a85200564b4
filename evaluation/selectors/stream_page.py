"""The page of a stream: submissions side by side, and their measures over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict

from accounts.person import Person
from annotations.models import Stream
from common.numbers import parse_number
from evaluation.limits import DRAWN_MOMENTS, DRAWN_SUBMISSIONS
from evaluation.selectors.charts import Chart
from evaluation.selectors.marks import marks
from evaluation.selectors.stream_charts import charts
from evaluation.selectors.stream_measures import MEASURES
from evaluation.selectors.stream_results import TRUE_CLUSTERS, StreamRow, moments_of, rows_of
from evaluation.selectors.streams import SHORT_HASH, chosen_settings, known_settings, submissions_of
from evaluation.stream_settings import StreamSettings
from qc4.problems import InputError, Problem
from qc4.streams.series import Moment

DRAWN = 6
"""So many submissions are drawn unless the address says which."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What an address asks for.

    Attributes:
        measure: a key of `MEASURES`, drawn over time.
        settings: the beginning of the settings' SHA-256; empty for those most submissions are measured with.
        show: the submissions drawn; empty for the first `DRAWN` of the table.
        one: the submission whose parts are drawn; 0 for the first of the table.
    """

    measure: str = "cmm"
    settings: str = ""
    show: tuple[int, ...] = ()
    one: int = 0


@dataclass(frozen=True, slots=True)
class StreamView:
    """A stream as one person sees it, with one choice of settings.

    Attributes:
        known: the settings there are results of, as (hash, words), the most used first.
        rows: the best CMM first, then those without a result.
        one: the row whose parts are drawn.
        lines: (row, moments) of the submissions drawn, every ``step``-th moment.
    """

    stream: Stream
    choices: Choices
    settings: StreamSettings
    known: tuple[tuple[str, str], ...]
    rows: tuple[StreamRow, ...]
    one: StreamRow | None
    lines: tuple[tuple[StreamRow, Sequence[Moment]], ...]
    one_moments: Sequence[Moment]
    step: int
    charts: tuple[Chart, ...]

    @property
    def settings_key(self) -> str:
        """The chosen one of `known`."""
        return self.settings.sha256[:SHORT_HASH]

    @property
    def measured(self) -> list[StreamRow]:
        return [row for row in self.rows if row.result is not None]

    @property
    def table(self) -> list[tuple[float, list[Moment | None]]]:
        """Time, and the moment of each drawn submission at that time."""
        times = sorted({moment.time for _, moments in self.lines for moment in moments})
        at = [{moment.time: moment for moment in moments} for _, moments in self.lines]
        return [(time, [moments.get(time) for moments in at]) for time in times]


def read_choices(given: QueryDict) -> Choices:
    """The choices of an address; what it leaves out keeps its default.

    Raises:
        InputError: every value that does not exist.
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
    if len(numbers["show"]) > DRAWN_SUBMISSIONS:
        found, fix = f"{len(numbers['show'])} submissions", "Choose fewer, or take the CSV."
        problems.append(Problem("too-many", "show", found, f"at most {DRAWN_SUBMISSIONS} at once", fix))
    if problems:
        raise InputError(problems)
    show = tuple(dict.fromkeys(int(value) for value in numbers["show"]))
    return Choices(measure, given.get("settings", ""), show, int((numbers["one"] or ["0"])[0]))


def stream_view(stream: Stream, person: Person, choices: Choices) -> StreamView:
    """The page of a stream (already checked).

    Raises:
        InputError: settings nothing is measured with, submissions that are not there.
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
    step = -(-max((row.moments for row in [*drawn, *([one] if one else [])]), default=0) // DRAWN_MOMENTS) or 1
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
    """The row asked for; else the first that may have faults at all, which the true clusters have not."""
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

"""Streams of a collection, and the page of one: submissions side by side, and their measures over time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, FloatField, Min, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast
from django.http import QueryDict

from accounts.person import Person
from annotations.models import Collection, Stream
from evaluation.access import visible_stream_submissions
from evaluation.limits import DRAWN_MOMENTS, DRAWN_SUBMISSIONS
from evaluation.models import Run, StreamMoment, StreamResult, StreamSubmission
from evaluation.runs.admission import UNFINISHED
from evaluation.selectors.marks import Mark, marks
from evaluation.selectors.stream_charts import TimeChart, charts
from evaluation.selectors.stream_measures import MEASURES
from evaluation.stream_settings import StreamSettings
from qc4.problems import InputError, Problem
from qc4.streams.series import Moment
from qc4.version import ENGINE_VERSION

DRAWN = 6
"""So many submissions are drawn unless the address says which."""
SHORT_HASH = 12
TRUE_CLUSTERS = "true_clusters"
"""The baseline that makes no mistake."""


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


@dataclass(slots=True)
class StreamRow:
    """A submission in the table.

    Attributes:
        result: None while it is not measured with these settings.
        lowest: the smallest CMM of all moments; None where no moment has one.
    """

    submission: StreamSubmission
    result: StreamResult | None
    moments: int = 0
    undefined: int = 0
    lowest: float | None = None
    best: set[str] = field(default_factory=set)
    run: Run | None = None
    is_drawn: bool = False

    @property
    def medians(self) -> Mapping[str, float]:
        return (self.result.medians or {}) if self.result else {}

    @property
    def defined(self) -> int:
        return self.moments - self.undefined

    @property
    def outdated(self) -> bool:
        return self.result is not None and self.result.engine != ENGINE_VERSION


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
    lines: tuple[tuple[StreamRow, tuple[Moment, ...]], ...]
    one_moments: tuple[Moment, ...]
    step: int
    charts: Mapping[str, TimeChart]

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


def stream_lines(collection: Collection, person: Person) -> list[tuple[Stream, int]]:
    """The streams of a collection (already checked), each with how many submissions this person sees."""
    streams = collection.streams.select_related("collection")
    return [(stream, visible_stream_submissions(person, stream).count()) for stream in streams]


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
        if not (value.isascii() and value.isdigit() and len(value) < 19)
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
    submissions = _submissions(stream, person)
    known = known_settings(submissions)
    settings = _chosen_settings(known, choices.settings)
    rows = _rows(submissions, settings)
    _check_numbers(rows, choices)
    measured = [row for row in rows if row.result is not None]
    drawn = [row for row in measured if row.submission.pk in choices.show] if choices.show else measured[:DRAWN]
    for row in drawn:
        row.is_drawn = True
    one = _one(measured, choices.one)
    step = -(-max((row.moments for row in [*drawn, *([one] if one else [])]), default=0) // DRAWN_MOMENTS) or 1
    lines = tuple((row, _moments(row, step)) for row in drawn)
    one_moments = next((found for row, found in lines if row is one), None)
    if one_moments is None:
        one_moments = _moments(one, step) if one else ()
    named = marks(stream.collection)
    pictures = charts(choices.measure, [(_name(row), _mark(row, named), found) for row, found in lines], one_moments)
    sha256s = tuple((sha256, words.words) for sha256, words in known.items())
    return StreamView(
        stream, choices, settings, sha256s, tuple(rows), one, lines, one_moments, step, pictures if lines else {}
    )


def known_settings(submissions: Sequence[StreamSubmission]) -> dict[str, StreamSettings]:
    """Short hash -> settings that some of these are measured with; those of most submissions first, then the latest."""
    found = StreamResult.objects.filter(submission__in=[row.pk for row in submissions], medians__isnull=False)
    used: dict[str, tuple[set[int], int, StreamSettings]] = {}
    for pk, submission, sha256, stored in found.values_list("pk", "submission_id", "settings_sha256", "settings"):
        who, latest, settings = used.get(sha256, (set(), 0, None))
        used[sha256] = (who | {submission}, max(latest, pk), settings or StreamSettings.parse(stored))
    ordered = sorted(used.items(), key=lambda item: (-len(item[1][0]), -item[1][1]))
    return {sha256[:SHORT_HASH]: settings for sha256, (_, _, settings) in ordered}


def usual_settings(stream: Stream, person: Person) -> StreamSettings:
    """What most submissions this person sees are measured with; the default where there are none."""
    return _chosen_settings(known_settings(_submissions(stream, person)), "")


def series_rows(
    stream: Stream, person: Person, wanted: str
) -> tuple[StreamSettings, list[tuple[StreamSubmission, StreamResult]]]:
    """Everything measured with the chosen settings (as `Choices.settings`), the best CMM first.

    Raises:
        InputError: settings nothing is measured with.
    """
    submissions = _submissions(stream, person)
    settings = _chosen_settings(known_settings(submissions), wanted)
    rows = _rows(submissions, settings)
    return settings, [(row.submission, row.result) for row in rows if row.result is not None]


def moments_of(result: StreamResult) -> Iterator[Moment]:
    """All moments of a result, in the order of time."""
    rows = result.moments.order_by("number").values_list("time", "points", "values", "undefined")
    for time, points, values, undefined in rows.iterator(chunk_size=2_000):
        yield Moment(time, points, values, undefined)


def to_dict(stream: Stream, person: Person, wanted: str = "") -> dict[str, Any]:
    """The series of a stream as JSON; raises as `series_rows`."""
    settings, found = series_rows(stream, person, wanted)
    return {
        "stream": stream.key,
        "sha256": stream.sha256,
        "settings": settings.to_dict(),
        "series": [
            {
                "submission": submission.pk,
                "algorithm": submission.algorithm.name,
                "baseline": submission.algorithm.baseline,
                "engine": result.engine,
                "medians": result.medians,
                "moments": [moment.to_dict() for moment in moments_of(result)],
            }
            for submission, result in found
        ],
    }


def _one(measured: Sequence[StreamRow], wanted: int) -> StreamRow | None:
    """The row asked for; else the first that may have faults at all, which the true clusters have not."""
    interesting = [row for row in measured if row.submission.algorithm.baseline != TRUE_CLUSTERS] or measured
    return next((row for row in measured if row.submission.pk == wanted), interesting[0] if interesting else None)


def _submissions(stream: Stream, person: Person) -> list[StreamSubmission]:
    rows: QuerySet[StreamSubmission] = visible_stream_submissions(person, stream)
    return list(rows.select_related("algorithm", "created_by").order_by("-pk"))


def _chosen_settings(known: Mapping[str, StreamSettings], wanted: str) -> StreamSettings:
    if not wanted:
        return next(iter(known.values()), StreamSettings())
    if wanted not in known:
        expected = f"one of {', '.join(known)}" if known else "nothing: no submission is measured yet"
        raise InputError([Problem("unknown-choice", "settings", repr(wanted), expected)])
    return known[wanted]


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


def _rows(submissions: Sequence[StreamSubmission], settings: StreamSettings) -> list[StreamRow]:
    by_pk = [submission.pk for submission in submissions]
    results = StreamResult.objects.filter(
        submission__in=by_pk, settings_sha256=settings.sha256, medians__isnull=False
    ).annotate(
        n=Count("moments"),
        without=Count("moments", filter=~Q(moments__undefined="")),
        lowest=Min(Cast(KeyTextTransform("cmm", "moments__values"), FloatField())),
    )
    latest = {result.submission_id: result for result in results.order_by("pk")}
    runs = _runs(by_pk, settings)
    rows = [
        StreamRow(
            submission,
            latest.get(submission.pk),
            getattr(latest.get(submission.pk), "n", 0),
            getattr(latest.get(submission.pk), "without", 0),
            getattr(latest.get(submission.pk), "lowest", None),
            run=runs.get(submission.pk),
        )
        for submission in submissions
    ]
    _mark_best(rows)
    return sorted(rows, key=lambda row: (row.result is None, -row.medians.get("cmm", -1.0)))


def _runs(submissions: Sequence[int], settings: StreamSettings) -> dict[int, Run]:
    """Submission -> its latest run with these settings, if it is unfinished or failed."""
    rows = Run.objects.filter(kind=Run.Kind.STREAM, stream_submission__in=submissions).order_by("pk")
    found: dict[int, Run] = {}
    for run in rows.filter(Q(state__in=UNFINISHED) | Q(state=Run.State.FAILED)):
        if run.stream_submission_id and StreamSettings.parse(run.options) == settings:
            found[run.stream_submission_id] = run
    return found


def _mark_best(rows: Sequence[StreamRow]) -> None:
    """Underline the best of the people's and the baselines' submissions; the true clusters are no contestant."""
    contestants = [row for row in rows if row.submission.algorithm.baseline != TRUE_CLUSTERS]
    for key, measure in MEASURES.items():
        values = [row.medians[key] for row in contestants if key in row.medians]
        if not measure.best or not values:
            continue
        top = max(values) if measure.best == "high" else min(values)
        for row in contestants:
            if row.medians.get(key) == top:
                row.best.add(key)


def _moments(row: StreamRow, step: int) -> tuple[Moment, ...]:
    if row.result is None:
        return ()
    if step == 1:
        return tuple(moments_of(row.result))
    some = StreamMoment.objects.filter(result=row.result, number__in=range(0, row.moments, step)).order_by("number")
    rows = some.values_list("time", "points", "values", "undefined")
    return tuple(Moment(time, points, values, undefined) for time, points, values, undefined in rows)


def _name(row: StreamRow) -> str:
    return f"{row.submission.algorithm.name} #{row.submission.pk}"


def _mark(row: StreamRow, named: Mapping[int, Mark]) -> Mark:
    return named[row.submission.algorithm_id]

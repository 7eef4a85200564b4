"""The streams of a collection, the results of their submissions, and each series as records."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, FloatField, Min, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from accounts.person import Person
from annotations.models import Stream
from evaluation.access import visible_stream_submissions
from evaluation.models import Algorithm, Run, StreamMoment, StreamResult, StreamSubmission
from evaluation.runs.scheduling import UNFINISHED
from evaluation.scoring.effective import last_by_key
from evaluation.stream_settings import StreamSettings
from evaluation.streams.measures import MEASURES
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.streams.series import TimeStep
from qc4.version import ENGINE_VERSION

SHORT_HASH = 12
STREAMS_PER_PAGE = 50


def with_submissions(streams: Sequence[Stream], person: Person) -> list[tuple[Stream, int]]:
    """Pair each of these streams (already checked) with the number of submissions that this person can see."""
    seen = visible_stream_submissions(person, *streams).order_by()
    number_of = dict(seen.values_list("stream").annotate(Count("pk")))
    return [(stream, number_of.get(stream.pk, 0)) for stream in streams]


def submissions_of(stream: Stream, person: Person) -> list[StreamSubmission]:
    """The submissions of a stream (already checked) that this person can see, the latest first."""
    rows: QuerySet[StreamSubmission] = visible_stream_submissions(person, stream)
    about = (f"algorithm__{name}" for name in (*Algorithm.ABOUT, "look"))
    return list(rows.select_related("algorithm").defer("parameters", *about).order_by("-pk"))


def known_settings(submissions: Sequence[StreamSubmission]) -> dict[str, StreamSettings]:
    """The settings that these submissions are measured with, by short hash: the most used first, then the latest."""
    found = StreamResult.objects.filter(submission__in=[row.pk for row in submissions], medians__isnull=False)
    used: dict[str, tuple[set[int], int, StreamSettings]] = {}
    for pk, submission, sha256, stored in found.values_list("pk", "submission_id", "settings_sha256", "settings"):
        who, latest, settings = used.get(sha256, (set(), 0, None))
        used[sha256] = (who | {submission}, max(latest, pk), settings or StreamSettings.parse(stored))
    ordered = sorted(used.items(), key=lambda item: (-len(item[1][0]), -item[1][1]))
    return {sha256[:SHORT_HASH]: settings for sha256, (_, _, settings) in ordered}


def usual_settings(stream: Stream, person: Person) -> StreamSettings:
    """The settings that most submissions this person can see are measured with; the default if there are none."""
    return chosen_settings(known_settings(submissions_of(stream, person)), "")


def chosen_settings(known: Mapping[str, StreamSettings], wanted: str) -> StreamSettings:
    """The known settings with the wanted short hash; the most used ones if ``wanted`` is empty.

    Raises:
        InputError: no submission is measured with the wanted settings.
    """
    if not wanted:
        return next(iter(known.values()), StreamSettings())
    if wanted not in known:
        expected = f"one of {', '.join(known)}" if known else "nothing: no submission is measured yet"
        raise InputError([Problem("unknown-choice", "settings", repr(wanted), expected)])
    return known[wanted]


# --- Results of the submissions of a stream: a row and the time steps of each, and all series ---

Series = tuple[StreamSubmission, StreamResult, list[TimeStep]]
TRUE_CLUSTERS = "true_clusters"
"""The baseline that makes no faults."""


@dataclass(slots=True)
class StreamRow:
    """A submission in the table.

    Attributes:
        result: None while it is not measured with these settings.
        lowest: the smallest CMM of all time steps; None if no time step has one.
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


def rows_of(submissions: Sequence[StreamSubmission], settings: StreamSettings) -> list[StreamRow]:
    """A row per submission with its last result with these settings: by falling CMM, then those without a result."""
    by_pk = [submission.pk for submission in submissions]
    of_settings = StreamResult.objects.filter(submission__in=by_pk, settings_sha256=settings.sha256)
    results = with_medians(of_settings).annotate(
        lowest=Min(Cast(KeyTextTransform("cmm", "moments__values"), FloatField()))
    )
    latest = last_by_key(results.order_by("pk"), lambda result: result.submission_id)
    runs = _runs(by_pk, settings)
    rows = []
    for submission in submissions:
        row = StreamRow(submission, latest.get(submission.pk), run=runs.get(submission.pk))
        if row.result is not None:
            found = latest[submission.pk]
            row.moments, row.undefined, row.lowest = found.total, found.total - found.counted, found.lowest
        rows.append(row)
    _mark_best(rows)
    return sorted(rows, key=lambda row: (row.result is None, -row.medians.get("cmm", -1.0)))


def with_medians(results: QuerySet[StreamResult]) -> QuerySet[Any]:
    """The results that have medians, with numbers of time steps: all (``total``) and those with CMM (``counted``)."""
    known = results.filter(medians__isnull=False)
    return known.annotate(total=Count("moments"), counted=Count("moments", filter=Q(moments__undefined="")))


def series_of(stream: Stream, person: Person, wanted: str) -> tuple[StreamSettings, list[Series]]:
    """All results with the chosen settings (as `Choices.settings`), by falling CMM.

    Raises:
        InputError: no submission is measured with these settings.
    """
    submissions = submissions_of(stream, person)
    settings = chosen_settings(known_settings(submissions), wanted)
    measured = [(row.submission, row.result) for row in rows_of(submissions, settings) if row.result is not None]
    moments = moments_of(result for _, result in measured)
    return settings, [(submission, result, moments[result.pk]) for submission, result in measured]


def moments_of(results: Iterable[StreamResult], step: int = 1) -> dict[int, list[TimeStep]]:
    """The time steps of each result id in order, every ``step``-th of them. One query for any number of results."""
    found: dict[int, list[TimeStep]] = {result.pk: [] for result in results}
    rows = StreamMoment.objects.filter(result__in=found).order_by("result", "number")
    some = rows.annotate(beside=F("number") % step).filter(beside=0)
    for result, *moment in some.values_list("result_id", "time", "points", "values", "undefined", "reasons"):
        found[result].append(TimeStep(*moment))
    return found


def _runs(submissions: Sequence[int], settings: StreamSettings) -> dict[int | None, Run]:
    """The latest run of each submission with these settings, if it is unfinished or failed."""
    rows = Run.objects.filter(kind=Run.Kind.STREAM, stream_submission__in=submissions).order_by("pk")
    asked = rows.filter(Q(state__in=UNFINISHED) | Q(state=Run.State.FAILED))
    same = [run for run in asked if StreamSettings.parse(run.options) == settings]
    return last_by_key(same, lambda run: run.stream_submission_id)


def _mark_best(rows: Sequence[StreamRow]) -> None:
    """Mark the best values among submissions and baselines; the true clusters are excluded."""
    contestants = [row for row in rows if row.submission.algorithm.baseline != TRUE_CLUSTERS]
    for key, measure in MEASURES.items():
        values = [row.medians[key] for row in contestants if key in row.medians]
        if not measure.best or not values:
            continue
        top = max(values) if measure.best == "high" else min(values)
        for row in contestants:
            if row.medians.get(key) == top:
                row.best.add(key)


# --- The series of a stream as records, for files and the API ---


@dataclass(frozen=True, slots=True)
class SubmissionSeries(Record):
    """The results of one submission over time."""

    KEYS = (
        "submission=submission.pk algorithm=submission.algorithm.name baseline=submission.algorithm.baseline "
        "engine=result.engine medians moments"
    )

    submission: StreamSubmission
    result: StreamResult
    moments: list[TimeStep]

    @property
    def medians(self) -> dict[str, float]:
        return self.result.medians or {}


@dataclass(frozen=True, slots=True)
class StreamSeries(Record):
    """All results with one set of settings, by falling CMM."""

    stream: str
    sha256: str
    settings: dict[str, float]
    series: list[SubmissionSeries]


def stream_series(stream: Stream, person: Person, wanted: str = "") -> StreamSeries:
    """The series of a stream. Raises as `series_of` does."""
    settings, found = series_of(stream, person, wanted)
    return StreamSeries(stream.key, stream.sha256, settings.to_dict(), [SubmissionSeries(*each) for each in found])

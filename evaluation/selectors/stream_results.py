"""What submissions of a stream were measured to: a row per submission, its moments, and every series."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Count, F, FloatField, Min, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from accounts.person import Person
from annotations.models import Stream
from evaluation.models import Run, StreamMoment, StreamResult, StreamSubmission
from evaluation.runs.admission import UNFINISHED
from evaluation.selectors.latest import last_by
from evaluation.selectors.stream_measures import MEASURES
from evaluation.selectors.streams import chosen_settings, known_settings, submissions_of
from evaluation.stream_settings import StreamSettings
from qc4.streams.series import Moment
from qc4.version import ENGINE_VERSION

Series = tuple[StreamSubmission, StreamResult, list[Moment]]
TRUE_CLUSTERS = "true_clusters"
"""The baseline that makes no mistake."""


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


def rows_of(submissions: Sequence[StreamSubmission], settings: StreamSettings) -> list[StreamRow]:
    """A row per submission with its last result with these settings: the best CMM first, then those without one."""
    by_pk = [submission.pk for submission in submissions]
    of_settings = StreamResult.objects.filter(submission__in=by_pk, settings_sha256=settings.sha256)
    results = with_medians(of_settings).annotate(
        lowest=Min(Cast(KeyTextTransform("cmm", "moments__values"), FloatField()))
    )
    latest = last_by(results.order_by("pk"), lambda result: result.submission_id)
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
    """Those that have medians, each with ``total`` moments and those ``counted``, which have a value of CMM."""
    known = results.filter(medians__isnull=False)
    return known.annotate(total=Count("moments"), counted=Count("moments", filter=Q(moments__undefined="")))


def series_of(stream: Stream, person: Person, wanted: str) -> tuple[StreamSettings, list[Series]]:
    """Everything measured with the chosen settings (as `Choices.settings`), the best CMM first.

    Raises:
        InputError: settings nothing is measured with.
    """
    submissions = submissions_of(stream, person)
    settings = chosen_settings(known_settings(submissions), wanted)
    measured = [(row.submission, row.result) for row in rows_of(submissions, settings) if row.result is not None]
    moments = moments_of(result for _, result in measured)
    return settings, [(submission, result, moments[result.pk]) for submission, result in measured]


def moments_of(results: Iterable[StreamResult], step: int = 1) -> dict[int, list[Moment]]:
    """Result id -> its moments in the order of time, every ``step``-th of them. One query, however many there are."""
    found: dict[int, list[Moment]] = {result.pk: [] for result in results}
    rows = StreamMoment.objects.filter(result__in=found).order_by("result", "number")
    some = rows.annotate(beside=F("number") % step).filter(beside=0)
    for result, *moment in some.values_list("result_id", "time", "points", "values", "undefined", "reasons"):
        found[result].append(Moment(*moment))
    return found


def _runs(submissions: Sequence[int], settings: StreamSettings) -> dict[int | None, Run]:
    """Submission -> its latest run with these settings, if it is unfinished or failed."""
    rows = Run.objects.filter(kind=Run.Kind.STREAM, stream_submission__in=submissions).order_by("pk")
    asked = rows.filter(Q(state__in=UNFINISHED) | Q(state=Run.State.FAILED))
    same = [run for run in asked if StreamSettings.parse(run.options) == settings]
    return last_by(same, lambda run: run.stream_submission_id)


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

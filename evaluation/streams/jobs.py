"""Measure clusterings of a stream time step by time step, and run the baselines on a stream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, replace
from operator import attrgetter

from annotations.collections import streams as stored
from evaluation.baseline_runs.services import algorithm_name
from evaluation.baselines.streams import STREAM_BASELINES, StreamBaseline, moments, run_stream_baseline
from evaluation.models import Run, StreamMoment, StreamResult, StreamSubmission
from evaluation.runs.context import JobContext, make_submissions, resumable
from evaluation.scoring.cases import stream_clustering
from evaluation.stream_settings import StreamSettings
from evaluation.streams import services as streams
from evaluation.submissions.services import Provenance
from qc4.problems import InputError
from qc4.streams.documents import StreamClustering
from qc4.streams.series import Series, Snapshot, TimeStep, check_run, measure_stream
from qc4.streams.stream import Stream
from qc4.version import ENGINE_VERSION
from qc4.wording import counted

COMMIT_SECONDS = 0.5
"""Time steps that are measured faster than this are committed together."""


def execute(context: JobContext) -> None:
    """Measure the remaining time steps. One transaction stores the medians and sets the run to DONE.

    Raises:
        InputError: the engine rejects a snapshot; the message names it.
    """
    submission = context.run.stream_submission
    if submission is None:
        raise ValueError("a stream run has a submission")
    settings = StreamSettings.parse(context.run.options)
    result = context.commit(lambda: _result(submission, settings), step="reading")
    document = stored.load_stream(submission.stream)
    snapshots = stream_clustering(submission, document).snapshots
    check_run(document.stream, [snapshot.time for snapshot in snapshots], settings.horizon)
    rows = result.moments.all()
    known = {row.number: TimeStep(row.time, row.points, row.values, row.undefined, row.reasons) for row in rows}
    left = [(number, snapshot) for number, snapshot in enumerate(snapshots) if number not in known]

    def measured(place: tuple[int, Snapshot]) -> TimeStep:
        number, snapshot = place
        known[number] = _measured(document.stream, snapshot, settings, number)
        return known[number]

    resumable(
        context,
        left,
        lambda place: f"snapshot at time {place[1].time:g}",
        measured,
        lambda found: _keep(
            StreamMoment(result=result, number=number, **asdict(moment)) for (number, _), moment in found
        ),
        total=len(snapshots),
        seconds=COMMIT_SECONDS,
    )
    series = Series(tuple(known[number] for number in range(len(snapshots))))
    undefined = sum(bool(moment.undefined) for moment in series.moments)
    words = f"{counted(len(snapshots) - undefined, 'time step')} measured"
    context.commit(
        lambda: StreamResult.objects.filter(pk=result.pk).update(medians=series.medians),
        done=len(snapshots),
        total=len(snapshots),
        finish=f"{words}, {undefined:,} undefined." if undefined else f"{words}.",
    )


def _measured(stream: Stream, snapshot: Snapshot, settings: StreamSettings, number: int) -> TimeStep:
    """Measure one time step; problems name the snapshot's row in the whole file."""
    try:
        return measure_stream(stream, [snapshot], settings.horizon, settings.k, settings.tau).moments[0]
    except InputError as error:
        alone, place = "snapshots: row 1", f"snapshots: row {number + 1}"
        raise InputError(
            replace(problem, where=problem.where.replace(alone, place, 1)) for problem in error.problems
        ) from None


def _result(submission: StreamSubmission, settings: StreamSettings) -> StreamResult:
    return StreamResult.objects.get_or_create(
        submission=submission,
        settings_sha256=settings.sha256,
        engine=ENGINE_VERSION,
        defaults={"settings": settings.to_dict()},
    )[0]


def _keep(rows: Iterable[StreamMoment]) -> None:
    # Existing rows were written by another run with the same settings, so they hold the same values.
    StreamMoment.objects.bulk_create(rows, ignore_conflicts=True)


# --- Run the baselines on a stream; each becomes a submission that is measured like any other ---


def execute_baselines(context: JobContext) -> None:
    """Run one baseline at a time, each committed together with its queued measuring run.

    Raises:
        InputError: the engine rejects the input.
    """
    run, stream = context.run, context.run.stream
    if stream is None:
        raise ValueError("a run of stream baselines has a stream")
    settings, document = StreamSettings.parse(run.options), stored.load_stream(stream)

    def make(baseline: StreamBaseline) -> StreamClustering:
        before = run.done

        def tell(done: int, total: int) -> None:
            context.checkpoint(before + done + 1, step=f"{baseline.title}: time step {done + 1} of {total}")

        found = run_stream_baseline(baseline.key, document, settings, run.options["seed"], tell)
        return replace(found, algorithm=algorithm_name(stream.collection, baseline.key, "", baseline.title))

    def keep_measured(baseline: StreamBaseline, found: StreamClustering) -> StreamSubmission:
        same = stream.submissions.filter(algorithm__baseline=baseline.key, sha256=streams.sha256_of(found))
        submission = same.order_by("-pk").first()
        if submission is None:
            provenance = Provenance.of_baseline(baseline.key, run)
            return streams.submit(stream, document, found, provenance, settings=settings)[0]
        if not _is_measured(submission, settings):
            streams.measure(submission, settings, run.created_by, queue=run.queue, limited=False)
        return submission

    asked = {key: STREAM_BASELINES[key] for key in run.options["keys"]}
    units = len(moments(document, settings))
    make_submissions(context, asked, attrgetter("title"), make, keep_measured, units=units)
    context.finish(f"{len(asked)} baselines clustered the stream.")


def _is_measured(submission: StreamSubmission, settings: StreamSettings) -> bool:
    """True if it is measured with these settings, or a run that does it is queued."""
    results = StreamResult.objects.filter(submission=submission, settings_sha256=settings.sha256)
    waiting = submission.runs.exclude(state__in=Run.ENDED).values_list("options", flat=True)
    is_measured = results.filter(engine=ENGINE_VERSION, medians__isnull=False).exists()
    return is_measured or any(StreamSettings.parse(options) == settings for options in waiting)

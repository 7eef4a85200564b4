"""Run the baselines on a stream; each becomes a submission that is measured like any other."""

from __future__ import annotations

from dataclasses import replace

from annotations.models import Stream
from annotations.selectors import streams as stored
from evaluation.baselines.streams import STREAM_BASELINES, StreamBaseline, run_stream_baseline
from evaluation.jobs.context import JobContext
from evaluation.models import Run, StreamResult, StreamSubmission
from evaluation.services import streams
from evaluation.services.baselines import algorithm_name
from evaluation.stream_settings import StreamSettings
from qc4.streams.documents import StreamClustering, StreamDocument
from qc4.version import ENGINE_VERSION


def execute(context: JobContext) -> None:
    """One baseline after the other, each committed with its queued measuring; started again, it goes on after the last.

    Raises:
        InputError: what the engine refuses.
    """
    run = context.run
    if run.stream is None:
        raise ValueError("a run of stream baselines has a stream")
    if run.options.get("made", {}).get("run") != run.pk:  # the options of a repeated run come with its forerunner's
        run.options["made"] = {"run": run.pk, "submissions": {}}
    settings, document = StreamSettings.parse(run.options), stored.read(run.stream)
    keys: list[str] = run.options["keys"]
    for number, key in enumerate(keys):
        if key in run.options["made"]["submissions"]:
            continue
        found = _clusterings(context, key, document, settings, (number, len(keys)))
        context.commit(lambda: _keep(run, STREAM_BASELINES[key], document, found, settings))  # noqa: B023  # called at once
    context.finish(f"{len(keys)} baselines clustered the stream.")


def _clusterings(
    context: JobContext, key: str, document: StreamDocument, settings: StreamSettings, place: tuple[int, int]
) -> StreamClustering:
    title, (number, many) = STREAM_BASELINES[key].title, place

    def tell(done: int, total: int) -> None:
        context.checkpoint(number * total + done + 1, many * total, f"{title}: moment {done + 1} of {total}")

    return run_stream_baseline(key, document, settings, context.run.options["seed"], tell)


def _keep(
    run: Run, baseline: StreamBaseline, document: StreamDocument, found: StreamClustering, settings: StreamSettings
) -> None:
    """Store the clusterings, unless an earlier run gave the same, and have them measured."""
    assert run.stream is not None  # seen to by execute
    named = replace(found, algorithm=algorithm_name(run.stream.collection, baseline))
    submission = _unchanged(run.stream, baseline, named)
    if submission is None:
        submission = streams.submit(
            stream=run.stream,
            document=document,
            clustering=named,
            user=run.created_by,
            origin=StreamSubmission.Origin.BASELINE,
            published=True,
            settings=settings,
            baseline=baseline.key,
            queue=run.queue,
            limited=False,
        )[0]
    elif not _is_measured(submission, settings):
        streams.measure(submission, settings, run.created_by, queue=run.queue, limited=False)
    run.options["made"]["submissions"][baseline.key] = submission.pk
    Run.objects.filter(pk=run.pk).update(options=run.options)


def _unchanged(stream: Stream, baseline: StreamBaseline, found: StreamClustering) -> StreamSubmission | None:
    """A submission of the baseline that says the same."""
    sha256 = streams.sha256_of(found)
    same = StreamSubmission.objects.filter(stream=stream, algorithm__baseline=baseline.key, sha256=sha256)
    return same.order_by("-pk").first()


def _is_measured(submission: StreamSubmission, settings: StreamSettings) -> bool:
    """Whether it is, or is about to be."""
    results = StreamResult.objects.filter(submission=submission, settings_sha256=settings.sha256)
    waiting = submission.runs.exclude(state__in=Run.ENDED).values_list("options", flat=True)
    is_measured = results.filter(engine=ENGINE_VERSION, medians__isnull=False).exists()
    return is_measured or any(StreamSettings.parse(options) == settings for options in waiting)

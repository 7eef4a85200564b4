"""Run the baselines on a stream; each becomes a submission that is measured like any other."""

from __future__ import annotations

from dataclasses import replace
from operator import attrgetter

from annotations.collections import streams as stored
from evaluation.baselines.streams import STREAM_BASELINES, StreamBaseline, moments, run_stream_baseline
from evaluation.jobs.context import JobContext
from evaluation.jobs.resumable import make_submissions
from evaluation.models import Run, StreamResult, StreamSubmission
from evaluation.services import streams
from evaluation.services.baselines import algorithm_name
from evaluation.services.provenance import Provenance
from evaluation.stream_settings import StreamSettings
from qc4.streams.documents import StreamClustering
from qc4.version import ENGINE_VERSION


def execute(context: JobContext) -> None:
    """One baseline after the other, each committed with its queued measuring.

    Raises:
        InputError: what the engine refuses.
    """
    run, stream = context.run, context.run.stream
    if stream is None:
        raise ValueError("a run of stream baselines has a stream")
    settings, document = StreamSettings.parse(run.options), stored.read(stream)

    def make(baseline: StreamBaseline) -> StreamClustering:
        before = run.done

        def tell(done: int, total: int) -> None:
            context.checkpoint(before + done + 1, step=f"{baseline.title}: moment {done + 1} of {total}")

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
    """Whether it is, or is about to be."""
    results = StreamResult.objects.filter(submission=submission, settings_sha256=settings.sha256)
    waiting = submission.runs.exclude(state__in=Run.ENDED).values_list("options", flat=True)
    is_measured = results.filter(engine=ENGINE_VERSION, medians__isnull=False).exists()
    return is_measured or any(StreamSettings.parse(options) == settings for options in waiting)

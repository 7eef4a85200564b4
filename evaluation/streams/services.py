"""Store clusterings of streams, measure them, and run the baselines on a stream."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from django.db import transaction

from accounts.models import User
from annotations.collections import storage, streams
from annotations.models import Stream
from common.file_reading import read_sent
from common.limits import STREAM_LIMITS
from evaluation import audit
from evaluation.algorithms.services import name_problems
from evaluation.baseline_runs.services import key_problems, seed_problems
from evaluation.baselines.streams import STREAM_BASELINES
from evaluation.challenges import services as challenges
from evaluation.models import Run, StreamSubmission, StreamSubmissionFile
from evaluation.runs import services as runs
from evaluation.stream_settings import StreamSettings
from evaluation.submissions.reports import description_problems
from evaluation.submissions.services import Provenance
from qc4.io.streams import read_stream_clustering, write_stream_clustering
from qc4.problems import InputError, Problem
from qc4.streams.documents import StreamClustering, StreamDocument
from qc4.streams.series import check_run


def check(
    stream: Stream, source: Path | bytes, name: str, algorithm: str = "", user: User | None = None
) -> tuple[StreamDocument, StreamClustering]:
    """Read clusterings of a stream in any format, and return the stream with them. Writes nothing.

    Args:
        name: the name of the file in messages.
        algorithm: the algorithm's name; by default the name in the file.
        user: the person who would submit, or None for the site's operator; the name may belong to another person.

    Raises:
        InputError: every problem of the file.
    """
    document = streams.load_stream(stream)
    found = read_sent(read_stream_clustering, source, document, name=name, limits=STREAM_LIMITS)
    found = replace(found, algorithm=(algorithm or found.algorithm).strip())
    problems: list[Problem] = description_problems(found.algorithm, found.parameters)
    if not found.snapshots:
        problems.append(Problem("no-snapshots", name, "no snapshot", "at least one"))
    if problems := problems or name_problems(stream.collection, found.algorithm, user):
        raise InputError(problems)
    return document, found


def submit(
    stream: Stream,
    document: StreamDocument,
    clustering: StreamClustering,
    provenance: Provenance,
    *,
    settings: StreamSettings | None = None,
    filename: str = "",
) -> tuple[StreamSubmission, Run]:
    """Store a clustering accepted by `check` and queue the run that measures it, both in one transaction.

    Args:
        settings: the settings to measure it with; by default the last 1,000 points count.

    Raises:
        InputError: the algorithm's name belongs to a baseline or to another person; the run would exceed its work
            limits; or the collection's challenge accepts no submissions now, or no more from this person.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    settings = settings or StreamSettings()
    check_run(document.stream, [snapshot.time for snapshot in clustering.snapshots], settings.horizon)
    content = write_stream_clustering(clustering)
    packed = zlib.compress(content, 6)
    with transaction.atomic():
        admitted = challenges.admit(stream.collection, provenance.user)
        storage.check_quota(provenance.user, stream.collection, len(packed))
        submission = StreamSubmission.objects.create(
            stream=stream,
            filename=filename,
            sha256=hashlib.sha256(content).hexdigest(),
            n_snapshots=clustering.n_snapshots,
            n_clusters=sum(len(snapshot.clusters) for snapshot in clustering.snapshots),
            stored_bytes=len(packed),
            stored_rows=1,
            **provenance.columns(stream.collection, clustering.algorithm, clustering.parameters),
        )
        StreamSubmissionFile.objects.create(submission=submission, packed=packed)
        challenges.count(admitted, submission)
        if submission.published:
            audit.log_publication(submission)
        run = measure(submission, settings, provenance.user, queue=provenance.queue, limited=provenance.limited)
    return submission, run


def measure(
    submission: StreamSubmission,
    settings: StreamSettings,
    user: User | None,
    *,
    queue: str = "interactive",
    limited: bool = True,
) -> Run:
    """Queue measuring of a submission; time steps already measured with these settings are not measured again.

    Raises:
        TooManyRuns: a limit on unfinished runs is reached.
    """
    run = Run(
        kind=Run.Kind.STREAM,
        queue=queue,
        collection=submission.collection,
        stream=submission.stream,
        stream_submission=submission,
        options=settings.to_dict(),
    )
    return runs.enqueue(run, user, limited=limited)


def sha256_of(clustering: StreamClustering) -> str:
    """The SHA-256 that a submission of this clustering would have."""
    return hashlib.sha256(write_stream_clustering(clustering)).hexdigest()


# --- Run the baselines on a stream, so that a new stream has something to compare with ---


def enqueue_baselines(
    *,
    stream: Stream,
    keys: Sequence[str] | None = None,
    settings: StreamSettings | None = None,
    seed: int = 0,
    user: User | None = None,
    queue: str = "interactive",
    limited: bool = True,
) -> Run:
    """Queue baselines on a stream.

    Args:
        keys: keys of `evaluation.baselines.streams.STREAM_BASELINES`; None for all.
        settings: the points that a baseline clusters at each time step, and the settings to measure it with.

    Raises:
        InputError: unknown baselines, a seed out of range.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    problems = key_problems(keys or (), STREAM_BASELINES)
    problems.extend(seed_problems(seed))
    problems.refuse_errors()
    chosen = {"keys": list(dict.fromkeys(keys or STREAM_BASELINES)), "seed": seed}
    run = Run(
        kind=Run.Kind.STREAM_BASELINES,
        queue=queue,
        collection=stream.collection,
        stream=stream,
        options={**chosen, **(settings or StreamSettings()).to_dict()},
    )
    return runs.enqueue(run, user, limited=limited)

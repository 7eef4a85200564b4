"""Ask for work by its kind: queue, cancel and repeat runs. `evaluation.jobs` carries them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django.conf import settings
from django.db import transaction

from accounts.models import User
from annotations.models import Collection, GoldVersion, Stream, VectorSet
from evaluation.models import Run, StreamSubmission, Submission, Upload
from evaluation.runs.admission import admit
from evaluation.runs.transitions import State, record, transition
from evaluation.runs.wakeups import wake_on_commit
from qc4.measures.registry import REGISTRY
from qc4.measures.scoring import FROM_FILES, WITH_VECTORS
from qc4.version import ENGINE_VERSION
from qc4.views.policies import Policies


def enqueue(
    *,
    kind: str,
    queue: str = "interactive",
    collection: Collection | None = None,
    submission: Submission | None = None,
    gold_version: GoldVersion | None = None,
    upload: Upload | None = None,
    stream: Stream | None = None,
    stream_submission: StreamSubmission | None = None,
    options: Mapping[str, Any] | None = None,
    measures: Mapping[str, int] | None = None,
    policies: Mapping[str, str] | None = None,
    user: User | None = None,
    rerun_of: Run | None = None,
    limited: bool = True,
) -> Run:
    """Queue a run and call a worker once the transaction around it is committed.

    Args:
        queue: one of ``settings.JOB_QUEUES``.
        limited: False for work that follows from work already admitted (evaluations of a new gold version).

    Raises:
        TooManyRuns: a limit on unfinished work is reached.
        ValueError: there is no such queue (a programming error).
    """
    if queue not in settings.JOB_QUEUES:
        raise ValueError(f"no queue {queue!r}, expected one of {settings.JOB_QUEUES}")
    with transaction.atomic():
        if limited:
            admit(user, queue)
        run = Run.objects.create(
            kind=kind,
            queue=queue,
            collection=collection,
            submission=submission,
            gold_version=gold_version,
            upload=upload,
            stream=stream,
            stream_submission=stream_submission,
            options=dict(options or {}),
            measures=dict(measures or {}),
            policies=dict(policies or {}),
            engine=ENGINE_VERSION,
            created_by=user,
            rerun_of=rerun_of,
        )
        why = f"Queued again, after run {rerun_of.pk}." if rerun_of else "Queued."
        record(run.pk, actor=_name(user), why=why, to_state=State.QUEUED)
        wake_on_commit(run)
    return run


def enqueue_evaluation(
    *,
    submission: Submission,
    gold_version: GoldVersion,
    user: User | None,
    measures: Iterable[str] | None = None,
    policies: Policies | Mapping[str, str] | None = None,
    queue: str = "interactive",
    limited: bool = True,
    rerun_of: Run | None = None,
) -> Run:
    """Queue the evaluation of a submission against a gold version.

    Args:
        measures: keys; None for every measure that needs nothing but a gold standard and a clustering, and where the
            collection has vectors also for those on vectors.
        policies: choices of `qc4.views.policies.Policies`; what is left out keeps its default.

    Raises:
        InputError: unknown measures or policies.
        TooManyRuns: as `enqueue`.
    """
    if measures is None:
        has_vectors = VectorSet.objects.filter(query__collection=submission.collection_id).exists()
        given = WITH_VECTORS if has_vectors else FROM_FILES
        chosen = [measure for measure in REGISTRY.all() if given.issuperset(measure.needs)]
    else:
        chosen = list(REGISTRY.select(measures))
    return enqueue(
        kind=Run.Kind.EVALUATION,
        queue=queue,
        collection=submission.collection,
        submission=submission,
        gold_version=gold_version,
        measures={measure.key: measure.version for measure in chosen},
        policies=Policies.parse(policies).to_dict(),
        user=user,
        rerun_of=rerun_of,
        limited=limited,
    )


def cancel(run: Run, user: User | None) -> bool:
    """Cancel a queued or running run at once; whoever works on it is fenced off and stops at its next write.

    Returns:
        Whether this call cancelled it; False if it had ended already.
    """
    why = f"Cancelled by {_name(user)}."
    # A run may be claimed or handed back between two looks, so each state is tried until one holds.
    for state in (State.QUEUED, State.RUNNING, State.QUEUED):
        if transition(run.pk, state, State.CANCELLED, actor=_name(user), why=why, cancel_requested=True):
            break
    else:
        run.refresh_from_db()
        return False
    run.refresh_from_db()
    return True


def rerun(run: Run, user: User | None) -> Run:
    """Queue an ended run once more, as a new row with the engine of today.

    Raises:
        ValueError: the run has not ended.
        TooManyRuns: as `enqueue`.
    """
    if not run.has_ended:
        raise ValueError(f"run {run.pk} is still {run.state}")
    if run.submission is not None and run.gold_version is not None:
        return enqueue_evaluation(
            submission=run.submission,
            gold_version=run.gold_version,
            user=user,
            measures=run.measures,
            policies=run.policies,
            queue=run.queue,
            rerun_of=run,
        )
    return enqueue(
        kind=run.kind,
        queue=run.queue,
        collection=run.collection,
        submission=run.submission,
        gold_version=run.gold_version,
        upload=run.upload,
        stream=run.stream,
        stream_submission=run.stream_submission,
        options=run.options,
        user=user,
        rerun_of=run,
    )


def _name(user: User | None) -> str:
    return user.get_username() if user is not None else "system"

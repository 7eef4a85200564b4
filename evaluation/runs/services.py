"""Queue, cancel and repeat runs of every kind. The `jobs` module of each feature carries them out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from django.db import transaction

from accounts.models import User
from annotations.collections import storage
from annotations.models import GoldVersion, VectorSet
from evaluation.models import Run, Submission
from evaluation.runs.scheduling import admit
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.policies import Policies
from qc4.scoring.scoring import FROM_FILES, WITH_VECTORS
from qc4.version import ENGINE_VERSION
from work.leases import State, transition
from work.sources import QUEUES
from work.wakeups import wake_on_commit


def enqueue(run: Run, user: User | None, *, limited: bool = True) -> Run:
    """Queue a run (not saved yet) and wake a worker once the surrounding transaction is committed.

    Args:
        limited: False for runs that follow from admitted work (evaluations of a new gold version).

    Raises:
        TooManyRuns: a limit on unfinished runs is reached.
        InputError: a quota is reached, which scores would exceed further.
        ValueError: the queue does not exist (a programming error).
    """
    if run.queue not in QUEUES:
        raise ValueError(f"no queue {run.queue!r}, expected one of {QUEUES}")
    run.engine, run.created_by = ENGINE_VERSION, user
    with transaction.atomic():
        if limited:
            admit(user, run.queue)
            storage.check_quota(user, run.collection)
        run.save(force_insert=True)
        why = f"Queued again, after run {run.rerun_of_id}." if run.rerun_of_id else "Queued."
        Run.record(run.pk, actor=_name(user), why=why, to_state=State.QUEUED)
        wake_on_commit()
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
        measures: keys; None for every measure that needs only a gold standard and a clustering, and, if the
            collection has vectors, for those on vectors.
        policies: scoring options, see `qc4.model.policies.Policies`; omitted ones have their default.

    Raises:
        InputError: unknown measures or policies.
        TooManyRuns: as `enqueue`.
    """
    chosen = computable_in(submission.collection_id) if measures is None else REGISTRY.select(measures)
    run = Run(
        kind=Run.Kind.EVALUATION,
        queue=queue,
        collection=submission.collection,
        submission=submission,
        gold_version=gold_version,
        measures={measure.key: measure.version for measure in chosen},
        policies=Policies.parse(policies).to_dict(),
        rerun_of=rerun_of,
    )
    return enqueue(run, user, limited=limited)


def computable_in(collection: int) -> Sequence[Measure]:
    """Return the measures that can be computed in the collection of this id, which may have vectors."""
    has_vectors = VectorSet.objects.filter(query__collection=collection).exists()
    given = WITH_VECTORS if has_vectors else FROM_FILES
    return [measure for measure in REGISTRY.all() if given.issuperset(measure.needs)]


def cancel(run: Run, user: User | None) -> bool:
    """Cancel a queued or running run at once. A worker that holds it is fenced off and stops at its next write.

    Returns:
        True if this call cancelled it, False if it had already ended.
    """
    why = f"Cancelled by {_name(user)}."
    # A run can be claimed or handed back between two attempts, so each state is tried until one matches.
    for state in (State.QUEUED, State.RUNNING, State.QUEUED):
        if transition(Run, run.pk, state, State.CANCELLED, actor=_name(user), why=why):
            break
    else:
        run.refresh_from_db()
        return False
    run.refresh_from_db()
    return True


def rerun(run: Run, user: User | None) -> Run:
    """Queue an ended run again, as a new row with the current engine.

    Raises:
        ValueError: the run has not ended.
        TooManyRuns: as `enqueue`.
    """
    if not run.has_ended:
        raise ValueError(f"run {run.pk} is still {run.state}")
    if run.kind == Run.Kind.EVALUATION and run.submission is not None and run.gold_version is not None:
        return enqueue_evaluation(
            submission=run.submission,
            gold_version=run.gold_version,
            user=user,
            measures=run.measures,
            policies=run.policies,
            queue=run.queue,
            rerun_of=run,
        )
    again = {name: getattr(run, name) for name in ("kind", "queue", *Run.ABOUT, "options")}
    return enqueue(Run(**again, rerun_of=run), user)


def _name(user: User | None) -> str:
    return user.get_username() if user is not None else "system"

"""Delete collections and submissions, and whatever then belongs to nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from annotations.models import Collection, Stream
from evaluation.models import Algorithm, Evaluation, Run, RunQuery, StreamSubmission, Submission, Upload
from evaluation.runs.admission import UNFINISHED
from evaluation.services import challenges, runs, uploads

_AT_ONCE = 5_000


def delete_collection(collection: Collection) -> None:
    """Delete a collection with its gold versions, submissions, runs and scores. Work in progress on it stops."""

    def delete() -> None:
        evaluations = _evaluations(Run.objects.filter(collection=collection).values_list("pk", flat=True))
        held = Q(submissions__collection=collection) | Q(runs__collection=collection)
        files = list(Upload.objects.filter(held).distinct())
        collection.delete()
        _tidy(evaluations, files)

    _once_idle(collection, delete)


def delete_submission(submission: Submission | StreamSubmission) -> None:
    """Delete a submission with its runs and scores or results, and its algorithm if nothing else is left of it.

    Raises:
        InputError: its challenge has closed, and what counts in it is still being scored.
    """
    challenges.settle_first(submission.collection)

    def delete() -> None:
        evaluations = _evaluations(submission.runs.values_list("pk", flat=True))
        held = Q(runs__in=submission.runs.all())
        if isinstance(submission, Submission):
            held |= Q(submissions=submission)
        files = list(Upload.objects.filter(held).distinct())
        # Locked: whoever submits under this name now is waited for.
        algorithm = Algorithm.objects.select_for_update().get(pk=submission.algorithm_id)
        submission.delete()
        _forget_idle(algorithm)
        _tidy(evaluations, files)

    _once_idle(submission, delete)


def delete_stream(stream: Stream) -> None:
    """Delete a stream with its submissions, runs and results, and algorithms of which nothing else is left."""

    def delete() -> None:
        algorithms = list(Algorithm.objects.select_for_update().filter(pk__in=stream.submissions.values("algorithm")))
        stream.delete()
        for algorithm in algorithms:
            _forget_idle(algorithm)

    _once_idle(stream, delete)


def _forget_idle(algorithm: Algorithm) -> None:
    """Delete an algorithm (locked) that has no submission of either kind any more."""
    if not algorithm.submissions.exists() and not algorithm.streamsubmissions.exists():
        algorithm.delete()


def _once_idle(row: Collection | Submission | Stream | StreamSubmission, delete: Callable[[], None]) -> None:
    """Stop the row's runs, then delete in a transaction in which nobody can start another.

    The runs are cancelled and committed first: a worker that is in the middle of writing for one then finds that it
    is no longer its own, instead of leaving rows that refer to what is being deleted.
    """
    while True:
        for run in row.runs.filter(state__in=UNFINISHED):
            runs.cancel(run, None)
        with transaction.atomic():
            if not type(row)._default_manager.select_for_update().filter(pk=row.pk):  # deleted in this instant
                return
            if not row.runs.filter(state__in=UNFINISHED).exists():
                delete()
                return


def _evaluations(some: QuerySet[Run, int]) -> list[int]:
    """The evaluations these runs (by id) refer to."""
    return list(RunQuery.objects.filter(run__in=some).values_list("evaluation_id", flat=True).distinct())


def _tidy(evaluations: Sequence[int], files: Sequence[Upload]) -> None:
    """Remove evaluations and uploads nothing refers to any more.

    Evaluations are locked first: a worker that is about to refer to one (`services.cells.store`) is waited for.
    """
    for start in range(0, len(evaluations), _AT_ONCE):
        some = Evaluation.objects.filter(pk__in=evaluations[start : start + _AT_ONCE])
        locked = [evaluation.pk for evaluation in some.order_by("pk").select_for_update()]
        Evaluation.objects.filter(pk__in=locked, run_queries__isnull=True).delete()
    for upload in files:
        uploads.delete_unused(upload)

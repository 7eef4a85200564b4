"""Delete collections and submissions, and whatever then belongs to nobody."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from annotations.models import Collection
from evaluation.models import Evaluation, Run, RunQuery, Submission, Upload
from evaluation.services import uploads

_AT_ONCE = 5_000


def delete_collection(collection: Collection) -> None:
    """Delete a collection with its gold versions, submissions, runs and scores. Work in progress on it stops."""
    with transaction.atomic():
        evaluations = _evaluations(Run.objects.filter(collection=collection).values_list("pk", flat=True))
        held = Q(submissions__collection=collection) | Q(runs__collection=collection)
        files = list(Upload.objects.filter(held).distinct())
        collection.delete()
        _tidy(evaluations, files)


def delete_submission(submission: Submission) -> None:
    """Delete a submission with its runs and scores, and its algorithm if nothing else is left of it."""
    with transaction.atomic():
        evaluations = _evaluations(submission.runs.values_list("pk", flat=True))
        files = list(Upload.objects.filter(Q(submissions=submission) | Q(runs__submission=submission)).distinct())
        algorithm = submission.algorithm
        submission.delete()
        if not algorithm.submissions.exists():
            algorithm.delete()
        _tidy(evaluations, files)


def _evaluations(runs: QuerySet[Run, int]) -> list[int]:
    """The evaluations these runs (by id) refer to."""
    return list(RunQuery.objects.filter(run__in=runs).values_list("evaluation_id", flat=True).distinct())


def _tidy(evaluations: Sequence[int], files: Sequence[Upload]) -> None:
    """Remove evaluations and uploads nothing refers to any more.

    Evaluations are locked first: a worker that is about to refer to one (`evaluation.jobs.cells.store`) is waited for.
    """
    for start in range(0, len(evaluations), _AT_ONCE):
        some = Evaluation.objects.filter(pk__in=evaluations[start : start + _AT_ONCE])
        locked = [evaluation.pk for evaluation in some.order_by("pk").select_for_update()]
        Evaluation.objects.filter(pk__in=locked, run_queries__isnull=True).delete()
    for upload in files:
        uploads.delete_unused(upload)

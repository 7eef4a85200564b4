"""Delete collections, submissions, algorithms and streams, and rows and files that nothing refers to any more."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.audit import Kind, log
from annotations.collections.removal import allow_removal
from annotations.models import Collection, Stream
from evaluation import audit
from evaluation.challenges import services as challenges
from evaluation.deletion.selectors import AnyOf, Deletion, plan_deletion
from evaluation.models import Algorithm, Evaluation, Run, RunQuery, StreamSubmission, Submission, Upload
from evaluation.runs import services as runs
from evaluation.runs.scheduling import UNFINISHED
from evaluation.scoring import services as scoring
from evaluation.uploads import services as uploads
from qc4.problems import InputError, Problem
from work.answers import delete_answers, source_name

_AT_ONCE = 5_000


def delete_collection(collection: Collection, *, first: Callable[[], None] = lambda: None) -> None:
    """Delete a collection with its gold versions, submissions, runs and scores. Unfinished runs of it are cancelled.

    Args:
        first: called in the same transaction, when nobody can join the collection any more; an exception prevents the
            deletion.
    """

    def delete() -> None:
        first()
        work = Run.objects.filter(collection=collection)
        evaluations = _evaluations(work.values_list("pk", flat=True))
        held = Q(submissions__collection=collection) | Q(runs__collection=collection)
        files = list(Upload.objects.filter(held).distinct())
        log(Kind.DELETED, collection=collection.pk, about=f"the collection {collection.slug}")
        delete_answers(f"collection {collection.pk}")
        collection.delete()
        _tidy(evaluations, files)

    _delete_when_idle(collection, delete)


def delete_submission(submission: Submission | StreamSubmission) -> None:
    """As `delete_submissions`, for one submission."""
    delete_submissions([submission])


def delete_submissions(some: Sequence[Submission | StreamSubmission]) -> None:
    """Delete submissions with their runs and scores, all or none, and algorithms without other submissions.

    If one is pinned, the latest submission of its algorithm becomes effective. Newly effective submissions are scored.

    Raises:
        InputError: their challenge has closed, and submissions that count in it are still being scored.
    """
    answers = [one for one in some if isinstance(one, Submission)]
    for collection in {one.collection for one in answers}:
        challenges.freeze_results_before_change(collection)
    of_streams = [one for one in some if isinstance(one, StreamSubmission)]

    def delete() -> None:
        work = Run.objects.filter(Q(submission__in=answers) | Q(stream_submission__in=of_streams))
        evaluations = _evaluations(work.values_list("pk", flat=True))
        files = list(Upload.objects.filter(Q(runs__in=work) | Q(submissions__in=answers)).distinct())
        # Locked, so that concurrent submissions under these names are finished first.
        ids = {one.algorithm_id for one in some}
        algorithms = list(Algorithm.objects.select_for_update().filter(pk__in=ids).order_by("pk"))
        for one in some:
            audit.log_deletion(one)
        for collection_id in {one.collection_id for one in algorithms}:
            own = {one.pk for one in algorithms if one.collection_id == collection_id}
            delete_answers(f"collection {collection_id}", [source_name(one) for one in some if one.algorithm_id in own])
        unpinned = Algorithm.objects.filter(pinned__in=answers)
        unpinned.update(counts=Algorithm.Counts.LATEST, pinned=None)
        Submission.objects.filter(pk__in=[one.pk for one in answers]).delete()
        StreamSubmission.objects.filter(pk__in=[one.pk for one in of_streams]).delete()
        for algorithm in algorithms:
            _delete_if_empty(algorithm)
        for collection in {one.collection for one in answers}:
            scoring.score_effective_submissions((one for one in algorithms if one.pk is not None), collection)
        _tidy(evaluations, files)

    _delete_all_when_idle(some, delete)


def delete_algorithm(algorithm: Algorithm) -> None:
    """Delete an algorithm with all its submissions, including those of sweeps."""
    delete_submissions([*algorithm.submissions.all(), *algorithm.streamsubmissions.all()])
    if not algorithm.submissions.exists() and not algorithm.streamsubmissions.exists():
        Algorithm.objects.filter(pk=algorithm.pk).delete()


def delete_stream(stream: Stream) -> None:
    """Delete a stream with its submissions, runs and results, and algorithms without other submissions."""

    def delete() -> None:
        algorithms = list(Algorithm.objects.select_for_update().filter(pk__in=stream.submissions.values("algorithm")))
        log(Kind.DELETED, collection=stream.collection_id, about=f"the stream {stream.key}")
        delete_answers(f"collection {stream.collection_id}", map(source_name, [stream, *stream.submissions.all()]))
        stream.delete()
        for algorithm in algorithms:
            _delete_if_empty(algorithm)

    _delete_when_idle(stream, delete)


def _delete_if_empty(algorithm: Algorithm) -> None:
    """Delete an algorithm (locked) without any submission."""
    if not algorithm.submissions.exists() and not algorithm.streamsubmissions.exists():
        algorithm.delete()


def _delete_all_when_idle(some: Sequence[Submission | StreamSubmission], delete: Callable[[], None]) -> None:
    """As `_once_idle`, for submissions."""
    answers = [one.pk for one in some if isinstance(one, Submission)]
    of_streams = [one.pk for one in some if isinstance(one, StreamSubmission)]
    about = Q(submission__in=answers) | Q(stream_submission__in=of_streams)
    while True:
        for run in Run.objects.filter(about, state__in=UNFINISHED):
            runs.cancel(run, None)
        with transaction.atomic():
            for model, pks in ((Submission, answers), (StreamSubmission, of_streams)):
                list(model._default_manager.select_for_update().filter(pk__in=pks).order_by("pk").values_list("pk"))
            if not Run.objects.filter(about, state__in=UNFINISHED).exists():
                with allow_removal("submissions are deleted"):
                    delete()
                return


def _delete_when_idle(row: Collection | Stream, delete: Callable[[], None]) -> None:
    """Cancel the row's runs, then delete in a transaction in which nobody can start another.

    The cancellation is committed first. A worker that is writing for a run then finds that it no longer holds the run,
    instead of leaving rows that refer to what is deleted.
    """
    while True:
        for run in row.runs.filter(state__in=UNFINISHED):
            runs.cancel(run, None)
        with transaction.atomic():
            if not type(row)._default_manager.select_for_update().filter(pk=row.pk):  # deleted at this moment
                return
            if not row.runs.filter(state__in=UNFINISHED).exists():
                with allow_removal(f"a {row._meta.verbose_name} is deleted"):
                    delete()
                return


def _evaluations(some: QuerySet[Run, int]) -> list[int]:
    """Return the evaluations to which these runs (by id) refer."""
    return list(RunQuery.objects.filter(run__in=some).values_list("evaluation_id", flat=True).distinct())


def _tidy(evaluations: Sequence[int], files: Sequence[Upload]) -> None:
    """Delete evaluations and uploads that nothing refers to any more.

    Evaluations are locked first: this waits for a worker that is about to refer to one (`scoring.cells.store`).
    """
    for start in range(0, len(evaluations), _AT_ONCE):
        some = Evaluation.objects.filter(pk__in=evaluations[start : start + _AT_ONCE])
        locked = [evaluation.pk for evaluation in some.order_by("pk").select_for_update()]
        Evaluation.objects.filter(pk__in=locked, run_queries__isnull=True).delete()
    for upload in files:
        uploads.delete_unused(upload)


# --- Delete chosen submissions, except those that cannot be deleted now ---


def delete_chosen(some: Sequence[AnyOf]) -> Deletion:
    """Delete these submissions (already checked) in one transaction, except those that cannot be deleted now.

    Returns:
        What was deleted and what was not.
    """
    going = plan_deletion(some)
    if going.all:
        delete_submissions(going.all)
    return going


def delete_one(submission: AnyOf) -> None:
    """Delete one submission.

    Raises:
        InputError: it cannot be deleted now.
    """
    require_deletable(plan_deletion([submission]))
    delete_submissions([submission])


def require_deletable(going: Deletion) -> None:
    """Raise InputError, with each reason, if something cannot be deleted now."""
    if going.held:
        expected = "a submission that no run is working on"
        raise InputError([Problem("held-back", f"{one.address} {one.pk}", why, expected) for one, why in going.held])

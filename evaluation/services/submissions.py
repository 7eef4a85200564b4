"""Take submissions in, publish them, take them back."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from django.db import transaction

from accounts.models import User
from annotations.models import Collection, GoldVersion
from annotations.selectors.page_lists import page_lists
from evaluation import cases
from evaluation.models import Clustering, ClusteringFile, Run, Submission, SubmissionReport, Upload
from evaluation.services import runs, uploads
from evaluation.services.algorithms import get_algorithm
from evaluation.services.checking import QueryReport, Report, check, report_on
from qc4.clustering.clustering import Clustering as Answer
from qc4.clustering.clustering import SubmissionDocument
from qc4.formats import write_clustering
from qc4.problems import InputError

__all__ = ["Report", "Taken", "check", "publish", "submit", "take_in", "unpublish"]


@dataclass(frozen=True, slots=True)
class Taken:
    """What became of an upload: its submission, whether it was made just now, and the run that was queued for it."""

    submission: Submission
    is_new: bool
    run: Run | None = None


def submit(
    *,
    collection: Collection,
    user: User | None,
    origin: str,
    published: bool,
    algorithm_name: str | None = None,
    path: Path | None = None,
    document: SubmissionDocument | None = None,
    report: Report | None = None,
    filename: str | None = None,
    upload: Upload | None = None,
    parameters: Mapping[str, Any] | None = None,
    seed: int | None = None,
    gold_version: GoldVersion | None = None,
    measures: Sequence[str] | None = None,
    baseline: str = "",
    queue: str = "interactive",
    limited: bool = True,
    sweep: Run | None = None,
) -> tuple[Submission, Run | None]:
    """Keep a submission and queue its evaluation, both or neither.

    Args:
        algorithm_name: by default the name the file gives.
        path: a file or folder to read; or ``document``, what a file says; or ``report``, what `check` said of it.
        published: whether everybody who sees the collection sees it.
        parameters: of the algorithm; by default those in the file.
        gold_version: to score against; by default the latest. Without any there is no run.
        measures: keys; None for all that apply.
        baseline: the key of the built-in baseline this is.
        limited: whether the limits on unfinished runs apply.
        sweep: the run that makes it as one of many; then it is not scored.

    Raises:
        InputError: every problem of the file, or the algorithm's name is a baseline's or somebody else's.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    if report is None:
        report = _report(collection, path, document, filename, algorithm_name)
    if report.document is None:
        raise InputError(report.errors)
    accepted = replace(report.document, algorithm=(algorithm_name or report.document.algorithm).strip())
    with transaction.atomic():
        submission = Submission.objects.create(
            collection=collection,
            algorithm=get_algorithm(collection, accepted.algorithm, user, baseline),
            created_by=user,
            published=published,
            origin=origin,
            upload=upload,
            sha256="",
            parameters=dict(parameters if parameters is not None else accepted.parameters),
            seed=seed,
            sweep=sweep,
        )
        SubmissionReport.objects.create(submission=submission, content=report.to_dict())
        submission.sha256 = _store_clusterings(submission, accepted.clusterings, report.queries)
        submission.save(update_fields=["sha256"])
        version = gold_version or collection.gold_versions.order_by("-number").first()
        run = None
        if version is not None and sweep is None:
            run = runs.enqueue_evaluation(
                submission=submission, gold_version=version, user=user, measures=measures, queue=queue, limited=limited
            )
    return submission, run


def take_in(
    *, upload: Upload, collection: Collection, user: User, origin: str, published: bool, algorithm_name: str | None
) -> Taken:
    """Submit a file that was kept when it was checked; the submission there is, if it was sent twice.

    Args:
        algorithm_name: by default the name the file gives.

    Raises:
        InputError, TooManyRuns: as `submit`; the file is checked again, because the collection may have changed.
    """
    path = uploads.path_of(upload)
    report = check(collection, path, filename=upload.name, algorithm=algorithm_name, user=user)
    with transaction.atomic():
        # Locked: a second click waits here and then finds what the first one made.
        made = Upload.objects.select_for_update().get(pk=upload.pk).submissions.first()
        if made is not None:
            return Taken(made, False)
        submission, run = submit(
            collection=collection,
            algorithm_name=algorithm_name,
            report=report,
            upload=upload,
            user=user,
            origin=origin,
            published=published,
        )
    return Taken(submission, True, run)


def publish(submission: Submission) -> None:
    """Let everybody who sees the collection see it."""
    Submission.objects.filter(pk=submission.pk).update(published=True)
    submission.published = True


def unpublish(submission: Submission) -> None:
    """Show it to its owner and the owners of the collection only."""
    Submission.objects.filter(pk=submission.pk).update(published=False)
    submission.published = False


def submission_sha256(answers: Mapping[str, str]) -> str:
    """SHA-256 over the lines ``<query key>\\t<clustering sha256>\\n`` in the order given."""
    return hashlib.sha256("".join(f"{key}\t{sha256}\n" for key, sha256 in answers.items()).encode()).hexdigest()


def _report(
    collection: Collection,
    path: Path | None,
    document: SubmissionDocument | None,
    filename: str | None,
    algorithm_name: str | None,
) -> Report:
    if document is not None:
        named = replace(document, algorithm=algorithm_name or document.algorithm)
        return report_on(named, page_lists(collection))
    if path is None:
        raise ValueError("a path, a document or a report is needed")
    return check(collection, path, filename=filename, algorithm=algorithm_name)


def _store_clusterings(submission: Submission, answers: Sequence[Answer], reports: Sequence[QueryReport]) -> str:
    """One row and its file per query; returns the submission's hash."""
    queries = {query.key: query for query in submission.collection.queries.all()}
    by_query = {answer.query: (answer, report) for answer, report in zip(answers, reports, strict=True)}
    files: dict[str, ClusteringFile] = {}
    for key in (key for key in queries if key in by_query):
        answer, report = by_query[key]
        row = Clustering(
            submission=submission,
            query=queries[key],
            sha256=cases.content_sha256(answer),
            n_clusters=report.clusters,
            n_memberships=report.memberships,
            n_pages_covered=report.covered,
        )
        files[key] = ClusteringFile(clustering=row, packed=zlib.compress(write_clustering(answer), 6))
    Clustering.objects.bulk_create([file.clustering for file in files.values()], batch_size=100)
    ClusteringFile.objects.bulk_create(files.values(), batch_size=100)
    return submission_sha256({key: file.clustering.sha256 for key, file in files.items()})

"""Which one counts where there are several: the last. Of an algorithm's submissions, and of a submission's runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from django.db.models import Max, QuerySet

from annotations.models import Collection
from evaluation.models import Run, Submission

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


def last_by(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, Row]:
    """Key -> the last of the rows that have it."""
    return {key(row): row for row in rows}


def last_by_algorithm(runs: Iterable[Run]) -> dict[int, Run]:
    """Algorithm id -> the last of its evaluations."""
    return {run.submission.algorithm_id: run for run in runs if run.submission is not None}


def finished(submissions: QuerySet[Submission]) -> QuerySet[Run]:
    """The finished evaluations of these submissions; what counts comes last: the latest gold version, then the latest
    submission, then the latest run."""
    done = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.DONE, submission__in=submissions)
    rows = done.select_related("submission__algorithm", "gold_version")
    return rows.order_by("gold_version__number", "submission_id", "pk")


def latest_submissions(collection: Collection) -> QuerySet[Submission]:
    """The latest submission of every algorithm, published and private ones apart: a private one hides no public one."""
    ordinary = Submission.objects.filter(collection=collection, sweep=None)
    groups = ordinary.order_by().values("algorithm", "published", "created_by")
    latest = groups.annotate(latest=Max("pk")).values("latest")
    return Submission.objects.filter(pk__in=latest).select_related("collection", "algorithm").order_by("pk")

"""Which one counts where there are several: the last. Of an algorithm's submissions, and of a submission's runs."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from typing import TypeVar

from django.db.models import Max, QuerySet

from annotations.models import Collection
from evaluation.models import Run, Submission
from qc4.views.policies import Policies

DEFAULT = Policies()

Row = TypeVar("Row")
Key = TypeVar("Key", bound=Hashable)


def last_by(rows: Iterable[Row], key: Callable[[Row], Key]) -> dict[Key, Row]:
    """Key -> the last of the rows that have it."""
    return {key(row): row for row in rows}


def repeats_by_algorithm(runs: Iterable[Run]) -> dict[int, tuple[Run, ...]]:
    """Algorithm id -> those of its evaluations that count together, the last submission's last.

    A submission that is marked as a repeat counts beside the other repeats and takes the place of an earlier one of the
    same mark. One without a mark takes the place of everything before it, and gives way to repeats.

    Args:
        runs: as `finished` orders them.
    """
    found: dict[int, dict[str, Run]] = {}
    for run in runs:
        if run.submission is None:
            continue
        of_algorithm, mark = found.setdefault(run.submission.algorithm_id, {}), run.submission.repeat
        for gone in [mark] if mark and "" not in of_algorithm else list(of_algorithm):
            of_algorithm.pop(gone, None)
        of_algorithm[mark] = run
    return {algorithm: tuple(of_one.values()) for algorithm, of_one in found.items()}


def finished(submissions: QuerySet[Submission], policies: Policies | None = DEFAULT) -> QuerySet[Run]:
    """The finished evaluations of these submissions; what counts comes last: the latest gold version, then the latest
    submission, then the latest run.

    Args:
        policies: under which they are; None for any.
    """
    done = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.DONE, submission__in=submissions)
    if policies is not None:
        done = done.filter(policies=policies.to_dict())
    rows = done.select_related("submission__algorithm", "gold_version")
    return rows.order_by("gold_version__number", "submission_id", "pk")


def latest_submissions(collection: Collection) -> QuerySet[Submission]:
    """Those of `latest_ids`, with their algorithms."""
    rows = Submission.objects.filter(pk__in=latest_ids(collection))
    return rows.select_related("collection", "algorithm").order_by("pk")


def latest_ids(collection: Collection) -> list[int]:
    """The latest submission of every algorithm, published and private ones apart: a private one hides no public one.

    Of an algorithm whose submissions are marked as repeats the latest of each mark, since the last one without. One
    query to the database.
    """
    ordinary = Submission.objects.filter(collection=collection, sweep=None).order_by()
    groups = ordinary.values_list("algorithm", "published", "created_by", "repeat").annotate(Max("pk"))
    found: dict[tuple[int, bool, int | None], dict[str, int]] = {}
    for algorithm, published, user, mark, pk in sorted(groups, key=lambda group: group[-1]):
        marks = found.setdefault((algorithm, published, user), {})
        if not mark or "" in marks:
            marks.clear()
        marks[mark] = pk
    return [pk for marks in found.values() for pk in marks.values()]

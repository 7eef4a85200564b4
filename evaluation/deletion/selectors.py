"""What deleting submissions would also delete, and which submissions cannot be deleted now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q

from evaluation.models import Algorithm, Clustering, Run, StreamSubmission, Submission

AnyOf = Submission | StreamSubmission


@dataclass(frozen=True, slots=True)
class Deletion:
    """The consequences of a deletion.

    Attributes:
        submissions, of_streams: what is deleted.
        held: submissions that cannot be deleted now, and why.
        clusterings, runs: numbers of clusterings and runs that are also deleted.
        algorithms: algorithms without any other submission, which are deleted with their descriptions.
        counting: algorithms that lose their pinned submission, so that another one becomes effective.
    """

    submissions: tuple[Submission, ...] = ()
    of_streams: tuple[StreamSubmission, ...] = ()
    held: tuple[tuple[AnyOf, str], ...] = ()
    clusterings: int = 0
    runs: int = 0
    algorithms: tuple[Algorithm, ...] = ()
    counting: tuple[Algorithm, ...] = ()

    @property
    def all(self) -> tuple[AnyOf, ...]:
        return (*self.submissions, *self.of_streams)


def blocked_deletions(some: Sequence[AnyOf]) -> dict[tuple[str, int], str]:
    """Return (kind, id) -> why a submission cannot be deleted now: a worker is writing for it. At most two queries.

    Add any further reason to keep a submission here.
    """
    found: dict[tuple[str, int], str] = {}
    for kind, column in ((Submission, "submission"), (StreamSubmission, "stream_submission")):
        ids = [one.pk for one in some if isinstance(one, kind)]
        if ids:
            at_work = Run.objects.filter(state=Run.State.RUNNING, **{f"{column}__in": ids}).order_by("pk")
            for about, run in at_work.values_list(f"{column}_id", "pk"):
                found[kind.address, about] = f"run {run} is working on it; cancel the run first, or wait"
    return found


def plan_deletion(some: Sequence[AnyOf]) -> Deletion:
    """Return what deleting these submissions (already checked) would do now; a constant number of database queries."""
    why = blocked_deletions(some)
    held = tuple((one, why[one.address, one.pk]) for one in some if (one.address, one.pk) in why)
    going = [one for one in some if (one.address, one.pk) not in why]
    answers = tuple(one for one in going if isinstance(one, Submission))
    of_streams = tuple(one for one in going if isinstance(one, StreamSubmission))
    runs = Run.objects.filter(Q(submission__in=answers) | Q(stream_submission__in=of_streams))
    algorithms = Algorithm.objects.filter(pk__in={one.algorithm_id for one in going}).order_by("name")
    rest = Submission.objects.filter(algorithm=OuterRef("pk")).exclude(pk__in=[one.pk for one in answers])
    series = StreamSubmission.objects.filter(algorithm=OuterRef("pk")).exclude(pk__in=[one.pk for one in of_streams])
    emptied = tuple(algorithms.exclude(Exists(rest) | Exists(series)))
    unpinned = algorithms.filter(pinned__in=answers).exclude(pk__in=[one.pk for one in emptied])
    return Deletion(
        answers,
        of_streams,
        held,
        Clustering.objects.filter(submission__in=answers).count(),
        runs.count(),
        emptied,
        tuple(unpinned),
    )


def plan_algorithm_deletion(algorithm: Algorithm) -> Deletion:
    """Return what deleting an algorithm would do now."""
    answers = algorithm.submissions.select_related("algorithm")
    return plan_deletion([*answers, *algorithm.streamsubmissions.select_related("algorithm")])

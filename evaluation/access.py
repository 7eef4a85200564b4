"""Access to algorithms, submissions and runs: fetch them only with these functions (see `annotations.access`).

Until a submission is published, only its owner and the collection's owners see it. A run is as visible as its
collection, submission and stream. A run without a collection yet (an import) is visible only to the person who started
it.
"""

from __future__ import annotations

from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.person import Person, prepared
from annotations.access import May, capabilities, get_collection, roles_with, visible_collections, with_key
from annotations.challenges.access import (
    ORGANISER_RIGHTS,
    are_streams_hidden,
    challenges_hiding_streams,
    challenges_hiding_submissions,
    hidden_gold,
)
from annotations.models import Challenge, Collection, Query, Stream
from evaluation.models import Algorithm, Clustering, FormerName, Run, StreamSubmission, Submission

Found = TypeVar("Found", bound=Submission | StreamSubmission)

STARTS_RUNS = frozenset({May.SUBMIT, May.PUBLISH})
"""The rights that let a person queue most kinds of runs, and repeat or cancel their own."""
STARTS = {
    Run.Kind.VECTORS: frozenset({May.CURATE}),
    Run.Kind.BASELINES: frozenset({May.COMPUTE, May.PUBLISH}),
    Run.Kind.STREAM_BASELINES: frozenset({May.COMPUTE, May.PUBLISH}),
    Run.Kind.SWEEP: frozenset({May.COMPUTE}),
    Run.Kind.ANNOUNCEMENT: frozenset({May.PUBLISH}),
}
"""The rights for runs of the other kinds."""


STREAMS_ARE_HIDDEN = (
    "The streams of this collection are hidden while its challenge hides gold standards, because their files "
    "contain the true classes. Submit clusterings of its queries instead: the final results use these."
)
ORGANISER_KINDS = frozenset({Run.Kind.BASELINES, Run.Kind.STREAM_BASELINES, Run.Kind.SWEEP})
"""Kinds of runs that only organisers may start in a challenge."""


def visible_submissions(person: Person, *collections: Collection, with_sweeps: bool = False) -> QuerySet[Submission]:
    """Return the submissions of collections (already checked) that this person may see.

    Args:
        with_sweeps: also the many submissions of parameter sweeps, which leaderboards, lists and exports omit.
    """
    submissions = Submission.objects.filter(collection__in=collections)
    return _visible_to(submissions if with_sweeps else submissions.filter(sweep=None), person)


def visible_evaluations(person: Person, *collections: Collection) -> QuerySet[Run]:
    """Return the evaluations of `visible_submissions`, without sweeps, in one query without a nested one."""
    answers = Run.objects.filter(kind=Run.Kind.EVALUATION, submission__collection__in=collections)
    seen = Q(submission__collection__in=visible_collections(person))
    return answers.filter(seen, _shown_to(person, "submission__", "submission__collection"), submission__sweep=None)


def visible_stream_submissions(person: Person, *streams: Stream) -> QuerySet[StreamSubmission]:
    """Return the submissions to streams (already checked) that this person may see."""
    return _to_visible_streams(person, StreamSubmission.objects.filter(stream__in=streams))


def get_submission(person: Person, pk: int) -> Submission:
    """Return a submission that this person may see; raise Http404 otherwise."""
    return _get(_visible_to(Submission.objects.select_related("collection"), person), pk)


def visible_clusterings(person: Person | None, submission: Submission) -> QuerySet[Clustering]:
    """Return the clusterings of a submission (already checked) that this person may see.

    For a query with a hidden gold standard, people see only their own clusterings: those of baselines may be made from
    the gold standard, and those of other people are what they compete with.
    """
    return submission.clusterings.exclude(query__in=queries_with_hidden_clusterings(person, submission))


def get_clustering(person: Person, submission: Submission, key: str) -> Clustering:
    """Return a submission's clustering of one query, with its query, algorithm and collection.

    The submission is already checked. Raise Http404 if it has no such clustering that this person may see.
    """
    rows = visible_clusterings(person, submission)
    row = with_key(rows.select_related("query", "submission__algorithm", "submission__collection"), key, "query__key")
    if row is None:
        raise Http404("This submission has no clustering of such a query.")
    return row


def queries_with_hidden_clusterings(person: Person | None, submission: Submission) -> QuerySet[Query]:
    """Return the queries for which this person may not see the clusterings of a submission (already checked).

    ``person`` None means the site itself.
    """
    if person is None:
        return hidden_gold(None)
    is_own = person.is_authenticated and submission.created_by_id == person.pk and not submission.algorithm.baseline
    return hidden_gold(None if is_own else person)


def get_stream_submission(person: Person, pk: int) -> StreamSubmission:
    """Return a stream submission that this person may see; raise Http404 otherwise."""
    return _get(_to_visible_streams(person, StreamSubmission.objects.select_related("stream__collection")), pk)


def may_change_submission(person: Person, submission: Submission | StreamSubmission) -> bool:
    """True for the submission's owner (while they may submit) and for the collection's owners."""
    return may_delete(person, submission, capabilities(person, submission.collection))


def may_delete(person: Person, submission: Submission | StreamSubmission, allowed: frozenset[May]) -> bool:
    """As `may_change_submission`, with this person's rights in the collection already known."""
    return May.MANAGE in allowed or (May.SUBMIT in allowed and submission.created_by_id == person.pk)


def own_submission(person: Person, submission: Found) -> Found:
    """Return the submission if this person may publish, score, re-run or delete it; else raise PermissionDenied."""
    if not may_change_submission(person, submission):
        raise PermissionDenied("Only the owner of a submission and the owners of its collection may change it.")
    return submission


def visible_algorithms(person: Person, *collections: Collection) -> QuerySet[Algorithm]:
    """Return the algorithms of collections (already checked) with a submission of either kind that this person sees."""
    answers = visible_submissions(person, *collections, with_sweeps=True)
    of_streams = _to_visible_streams(person, StreamSubmission.objects.filter(stream__collection__in=collections))
    seen = Q(pk__in=answers.order_by().values("algorithm")) | Q(pk__in=of_streams.order_by().values("algorithm"))
    return Algorithm.objects.filter(seen, collection__in=collections)


def get_algorithm(person: Person, pk: int) -> Algorithm:
    """Return an algorithm that this person may see, also by an id from before a merge; raise Http404 otherwise."""
    found = _algorithm(person, pk)
    if found is None:
        former = FormerName.objects.filter(former_id=pk).first()
        found = _algorithm(person, former.algorithm_id) if former else None
    if found is None:
        raise Http404("There is no such algorithm.")
    return found


def _algorithm(person: Person, pk: int) -> Algorithm | None:
    rows = Algorithm.objects.select_related("collection", "created_by").filter(pk=pk)
    found = rows.filter(collection__in=visible_collections(person)).first()
    return found if found and visible_algorithms(person, found.collection).filter(pk=pk).exists() else None


def may_change_algorithm(person: Person, algorithm: Algorithm) -> bool:
    """True for the algorithm's creator (while they may submit) and the collection's owners; False for baselines."""
    allowed = capabilities(person, algorithm.collection)
    is_theirs = person.is_authenticated and algorithm.created_by_id == person.pk
    return not algorithm.baseline and (May.MANAGE in allowed or (May.SUBMIT in allowed and is_theirs))


def changeable_algorithms(person: Person, collection: Collection) -> QuerySet[Algorithm]:
    """Return the algorithms of a collection (already checked) for which `may_change_algorithm` is true."""
    allowed, rows = capabilities(person, collection), collection.algorithms.filter(baseline="")
    if May.MANAGE in allowed:
        return rows
    return rows.filter(created_by=person.pk) if May.SUBMIT in allowed and person.is_authenticated else rows.none()


def own_algorithm(person: Person, algorithm: Algorithm) -> Algorithm:
    """Return the algorithm if this person may change it in any way; raise PermissionDenied otherwise."""
    if algorithm.baseline:
        raise PermissionDenied("The site describes built-in baselines, and their latest submission is effective.")
    if not may_change_algorithm(person, algorithm):
        raise PermissionDenied("Only the creator of an algorithm and the owners of the collection may change it.")
    return algorithm


def may_delete_algorithm(person: Person, algorithm: Algorithm) -> bool:
    """True for the collection's owners, and for the creator if all of the algorithm's submissions are theirs."""
    if May.MANAGE in capabilities(person, algorithm.collection):
        return True
    if not may_change_algorithm(person, algorithm):
        return False
    kinds = (algorithm.submissions, algorithm.streamsubmissions)
    return not any(rows.exclude(created_by=person.pk).exists() for rows in kinds)


def get_stream(person: Person, slug: str, key: str, may: May = May.VIEW) -> Stream:
    """Return a stream of a collection; raise the errors of `annotations.access.get_collection`."""
    collection = get_collection(person, slug, may)
    if are_streams_hidden(person, collection):
        raise PermissionDenied(STREAMS_ARE_HIDDEN)
    found = with_key(collection.streams.select_related("collection", "created_by"), key)
    if found is None:
        raise Http404("There is no such stream in this collection.")
    return found


def may_organise(person: Person, collection: Collection) -> bool:
    """True if a collection (already checked) is not a challenge, or if this person organises it."""
    is_challenge = Challenge.objects.filter(collection=collection).exists()
    return not is_challenge or bool(capabilities(person, collection) & ORGANISER_RIGHTS)


def require_organiser(person: Person, collection: Collection) -> None:
    """Raise PermissionDenied if the collection (already checked) is a challenge that this person does not organise.

    Baselines and sweeps of other people would fill the leaderboard of a challenge and avoid its limits.
    """
    if not may_organise(person, collection):
        raise PermissionDenied("This collection is a challenge: its organisers run baselines and sweeps.")


@prepared
def visible_runs(person: Person) -> QuerySet[Run]:
    """Return every run that this person may see, in all collections."""
    submission = Q(submission__isnull=True) | _shown_to(person, "submission__")
    stream_submission = Q(stream_submission__isnull=True) | _shown_to(person, "stream_submission__")
    about = Q(collection__in=visible_collections(person)) & submission & stream_submission
    about &= Q(stream__isnull=True) | ~Q(collection__in=challenges_hiding_streams(person).values("collection"))
    # The log of an import contains the number of topics and outliers.
    about &= ~Q(kind=Run.Kind.IMPORT) | ~Q(collection__in=hidden_gold(person).values("collection"))
    # The log of an announcement contains the number of people with an e-mail address.
    about &= ~Q(kind=Run.Kind.ANNOUNCEMENT) | Q(collection__in=roles_with(person, May.PUBLISH).values("collection"))
    own = Q(collection__isnull=True, created_by=person.pk) if person.is_authenticated else Q(pk__in=[])
    return Run.objects.filter(about | own)


def get_run(person: Person, pk: int) -> Run:
    """Return a run that this person may see; raise Http404 otherwise."""
    about = (*Run.ABOUT, "submission__algorithm", "stream_submission__algorithm")
    found = visible_runs(person).select_related(*about).filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such run.")
    return found


def get_own_run(person: Person, pk: int) -> Run:
    """Return a run that this person may cancel or repeat.

    These are its starter, while they may start such a run, and the owners of the collection.

    Raises:
        Http404: this person may not see the run.
        PermissionDenied: this person may see the run, but not change it.
    """
    return own_run(person, get_run(person, pk))


def own_run(person: Person, run: Run) -> Run:
    """Return a run (already checked) if this person may cancel or repeat it; raise PermissionDenied otherwise."""
    allowed = capabilities(person, run.collection) if run.collection is not None else frozenset(May)
    if run.collection is not None and run.kind in ORGANISER_KINDS:
        require_organiser(person, run.collection)
    is_mine = person.is_authenticated and run.created_by_id == person.pk
    if (run.collection is not None and May.MANAGE in allowed) or (is_mine and allowed & starts_of(run)):
        return run
    raise PermissionDenied("Only the starter of a run and the owners of the collection may cancel or repeat it.")


def starts_of(run: Run) -> frozenset[May]:
    """Return the rights of which the starter still needs one to cancel or repeat such a run."""
    return STARTS.get(Run.Kind(run.kind), STARTS_RUNS)


def _get(rows: QuerySet[Found], pk: int) -> Found:
    """Return one of the rows; raise the same Http404 for rows that are missing and rows that are not visible."""
    found = rows.select_related("algorithm", "created_by").filter(pk=pk).first()
    if found is None:
        raise Http404(f"There is no such {rows.model._meta.verbose_name}.")
    return found


def visible_streams(person: Person, collection: Collection) -> QuerySet[Stream]:
    """Return the streams of a collection (already checked) that this person may see: all of them, or none."""
    return collection.streams.exclude(collection__in=challenges_hiding_streams(person).values("collection"))


def _to_visible_streams(person: Person, rows: QuerySet[StreamSubmission]) -> QuerySet[StreamSubmission]:
    """Return the rows that this person may see, without submissions to hidden streams."""
    open_ones = rows.exclude(stream__collection__in=challenges_hiding_streams(person).values("collection"))
    return _visible_to(open_ones, person, "stream__collection")


def _visible_to(rows: QuerySet[Found], person: Person, collection: str = "collection") -> QuerySet[Found]:
    """Return the submissions (or stream submissions) that this person may see."""
    seen = Q(**{f"{collection}__in": visible_collections(person)})
    return rows.filter(seen, _shown_to(person, collection=collection))


def _shown_to(person: Person, submission: str = "", collection: str = "collection") -> Q:
    """Filter for submissions a person may see: published ones, their own, and all in collections they manage.

    Published submissions are hidden while a challenge hides its leaderboard (`hiding_boards`).

    Args:
        submission, collection: lookup prefix and path from the filtered model to its submission and its collection.
    """
    hidden = Q(**{f"{collection}__in": challenges_hiding_submissions(person).values("collection")})
    published = Q(**{f"{submission}published": True}) & ~hidden
    if not person.is_authenticated:
        return published
    own = Q(**{f"{submission}created_by": person.pk})
    return published | own | Q(**{f"{collection}__in": roles_with(person, May.MANAGE).values("collection")})

"""Who reaches which algorithm, submission, run: the only way to fetch one (see `annotations.access`).

A submission is its owner's (and the collection owners') until it is published. A run is as visible as what it is
about; a run without a collection yet (an import) is its starter's alone.
"""

from __future__ import annotations

from typing import TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.person import Person, prepared
from annotations.access import May, capabilities, get_collection, roles_with, visible_collections, with_key
from annotations.challenges.access import ORGANISES, hidden_gold, hides_streams, hiding_boards, hiding_streams
from annotations.models import Challenge, Collection, Query, Stream
from evaluation.models import Algorithm, Clustering, FormerName, Run, StreamSubmission, Submission

Found = TypeVar("Found", bound=Submission | StreamSubmission)

STARTS_RUNS = frozenset({May.SUBMIT, May.PUBLISH})
"""The rights whose use queues runs; who lost them repeats no earlier run either."""
STARTS = {
    Run.Kind.VECTORS: frozenset({May.CURATE}),
    Run.Kind.BASELINES: frozenset({May.COMPUTE, May.PUBLISH}),
    Run.Kind.STREAM_BASELINES: frozenset({May.COMPUTE, May.PUBLISH}),
    Run.Kind.SWEEP: frozenset({May.COMPUTE}),
    Run.Kind.ANNOUNCEMENT: frozenset({May.PUBLISH}),
}
"""The same for runs that other rights start."""


STREAMS_ARE_HIDDEN = (
    "The streams of this collection are hidden while its challenge hides gold standards, as their files hold the true "
    "classes. Submit clusterings of its queries: final results are over these."
)
OF_ORGANISERS = frozenset({Run.Kind.BASELINES, Run.Kind.STREAM_BASELINES, Run.Kind.SWEEP})
"""Runs that only organisers start where a collection is a challenge."""


def visible_submissions(person: Person, *collections: Collection, with_sweeps: bool = False) -> QuerySet[Submission]:
    """The submissions of collections (already checked) that this person may see.

    Args:
        with_sweeps: also the many that sweeps made; boards, lists and exports do without them.
    """
    submissions = Submission.objects.filter(collection__in=collections)
    return _in_sight(submissions if with_sweeps else submissions.filter(sweep=None), person)


def visible_evaluations(person: Person, *collections: Collection) -> QuerySet[Run]:
    """The evaluations of `visible_submissions`, without sweeps: as one question, not as one within another."""
    answers = Run.objects.filter(kind=Run.Kind.EVALUATION, submission__collection__in=collections)
    seen = Q(submission__collection__in=visible_collections(person))
    return answers.filter(seen, _shown_to(person, "submission__", "submission__collection"), submission__sweep=None)


def visible_stream_submissions(person: Person, *streams: Stream) -> QuerySet[StreamSubmission]:
    """The submissions of streams (already checked) that this person may see."""
    return _of_open_streams(person, StreamSubmission.objects.filter(stream__in=streams))


def get_submission(person: Person, pk: int) -> Submission:
    """A submission this person may see; Http404 otherwise."""
    return _get(_in_sight(Submission.objects.select_related("collection"), person), pk)


def visible_clusterings(person: Person | None, submission: Submission) -> QuerySet[Clustering]:
    """The answers of a submission (already checked) that this person may see.

    To a query whose gold standard is hidden one sees one's own answers alone: those of baselines may be made from it,
    and others' are what they compete with.
    """
    return submission.clusterings.exclude(query__in=hidden_answers(person, submission))


def get_clustering(person: Person, submission: Submission, key: str) -> Clustering:
    """A submission's (already checked) answer to a query, with its query, algorithm and collection; Http404 where it
    has none that this person may see."""
    rows = visible_clusterings(person, submission)
    row = with_key(rows.select_related("query", "submission__algorithm", "submission__collection"), key, "query__key")
    if row is None:
        raise Http404("This submission has no clustering of such a query.")
    return row


def hidden_answers(person: Person | None, submission: Submission) -> QuerySet[Query]:
    """The queries to which this person (None: the site itself) may not see the answers of a submission (already
    checked)."""
    if person is None:
        return hidden_gold(None)
    is_own = person.is_authenticated and submission.created_by_id == person.pk and not submission.algorithm.baseline
    return hidden_gold(None if is_own else person)


def get_stream_submission(person: Person, pk: int) -> StreamSubmission:
    """A stream submission this person may see; Http404 otherwise."""
    return _get(_of_open_streams(person, StreamSubmission.objects.select_related("stream__collection")), pk)


def may_change_submission(person: Person, submission: Submission | StreamSubmission) -> bool:
    """Its owner may (while a submitter), and the collection's owners."""
    return may_delete(person, submission, capabilities(person, submission.collection))


def may_delete(person: Person, submission: Submission | StreamSubmission, allowed: frozenset[May]) -> bool:
    """As `may_change_submission`, where it is known what this person may do in the collection."""
    return May.MANAGE in allowed or (May.SUBMIT in allowed and submission.created_by_id == person.pk)


def own_submission(person: Person, submission: Found) -> Found:
    """The submission, if this person may publish, measure, re-run or delete it; PermissionDenied otherwise."""
    if not may_change_submission(person, submission):
        raise PermissionDenied("Only its owner and the owners of the collection may change a submission.")
    return submission


def visible_algorithms(person: Person, *collections: Collection) -> QuerySet[Algorithm]:
    """The algorithms of collections (already checked) of which this person sees a submission of either kind."""
    answers = visible_submissions(person, *collections, with_sweeps=True)
    of_streams = _of_open_streams(person, StreamSubmission.objects.filter(stream__collection__in=collections))
    seen = Q(pk__in=answers.order_by().values("algorithm")) | Q(pk__in=of_streams.order_by().values("algorithm"))
    return Algorithm.objects.filter(seen, collection__in=collections)


def get_algorithm(person: Person, pk: int) -> Algorithm:
    """An algorithm this person may see, also by the id it had before it was merged; Http404 otherwise."""
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
    """Whoever made it may (while a submitter), and the collection's owners. Baselines are the site's."""
    allowed = capabilities(person, algorithm.collection)
    is_theirs = person.is_authenticated and algorithm.created_by_id == person.pk
    return not algorithm.baseline and (May.MANAGE in allowed or (May.SUBMIT in allowed and is_theirs))


def changeable_algorithms(person: Person, collection: Collection) -> QuerySet[Algorithm]:
    """The algorithms of a collection (already checked) that this person may change, as `may_change_algorithm`."""
    allowed, rows = capabilities(person, collection), collection.algorithms.filter(baseline="")
    if May.MANAGE in allowed:
        return rows
    return rows.filter(created_by=person.pk) if May.SUBMIT in allowed and person.is_authenticated else rows.none()


def own_algorithm(person: Person, algorithm: Algorithm) -> Algorithm:
    """The algorithm, if this person may describe, rename, merge it or say what counts; PermissionDenied otherwise."""
    if algorithm.baseline:
        raise PermissionDenied("A built-in baseline is described by the site, and its latest submission counts.")
    if not may_change_algorithm(person, algorithm):
        raise PermissionDenied("Only who made an algorithm and the owners of the collection may change it.")
    return algorithm


def may_delete_algorithm(person: Person, algorithm: Algorithm) -> bool:
    """The collection's owners may; whoever made it as long as all its submissions are their own."""
    if May.MANAGE in capabilities(person, algorithm.collection):
        return True
    if not may_change_algorithm(person, algorithm):
        return False
    kinds = (algorithm.submissions, algorithm.streamsubmissions)
    return not any(rows.exclude(created_by=person.pk).exists() for rows in kinds)


def get_stream(person: Person, slug: str, key: str, may: May = May.VIEW) -> Stream:
    """A stream of a collection; raises as `annotations.access.get_collection`."""
    collection = get_collection(person, slug, may)
    if hides_streams(person, collection):
        raise PermissionDenied(STREAMS_ARE_HIDDEN)
    found = with_key(collection.streams.select_related("collection", "created_by"), key)
    if found is None:
        raise Http404("There is no such stream in this collection.")
    return found


def may_organise(person: Person, collection: Collection) -> bool:
    """Whether a collection (already checked) is no challenge, or one that this person organises."""
    is_challenge = Challenge.objects.filter(collection=collection).exists()
    return not is_challenge or bool(capabilities(person, collection) & ORGANISES)


def require_organiser(person: Person, collection: Collection) -> None:
    """Refuse (PermissionDenied) what only organisers do where a collection (already checked) is a challenge: baselines
    and sweeps, which would fill its board and get past its limits."""
    if not may_organise(person, collection):
        raise PermissionDenied("This collection is a challenge: its organisers run baselines and sweeps.")


@prepared
def visible_runs(person: Person) -> QuerySet[Run]:
    """Every run this person may see, across collections."""
    submission = Q(submission__isnull=True) | _shown_to(person, "submission__")
    stream_submission = Q(stream_submission__isnull=True) | _shown_to(person, "stream_submission__")
    about = Q(collection__in=visible_collections(person)) & submission & stream_submission
    about &= Q(stream__isnull=True) | ~Q(collection__in=hiding_streams(person).values("collection"))
    # An import says how many topics and outliers came in.
    about &= ~Q(kind=Run.Kind.IMPORT) | ~Q(collection__in=hidden_gold(person).values("collection"))
    # Announcements say how many people gave an e-mail address.
    about &= ~Q(kind=Run.Kind.ANNOUNCEMENT) | Q(collection__in=roles_with(person, May.PUBLISH).values("collection"))
    own = Q(collection__isnull=True, created_by=person.pk) if person.is_authenticated else Q(pk__in=[])
    return Run.objects.filter(about | own)


def get_run(person: Person, pk: int) -> Run:
    """A run this person may see; Http404 otherwise."""
    about = (*Run.ABOUT, "submission__algorithm", "stream_submission__algorithm")
    found = visible_runs(person).select_related(*about).filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such run.")
    return found


def get_own_run(person: Person, pk: int) -> Run:
    """A run this person may cancel or repeat: its starter while they may start one, or an owner of the collection.

    Raises:
        Http404: it may not be seen.
        PermissionDenied: it may be seen, but belongs to somebody else.
    """
    return own_run(person, get_run(person, pk))


def own_run(person: Person, run: Run) -> Run:
    """A run (already checked), if this person may cancel or repeat it; PermissionDenied otherwise."""
    allowed = capabilities(person, run.collection) if run.collection is not None else frozenset(May)
    if run.collection is not None and run.kind in OF_ORGANISERS:
        require_organiser(person, run.collection)
    is_mine = person.is_authenticated and run.created_by_id == person.pk
    if (run.collection is not None and May.MANAGE in allowed) or (is_mine and allowed & starts_of(run)):
        return run
    raise PermissionDenied("Only who started a run and the owners of the collection may cancel or repeat it.")


def starts_of(run: Run) -> frozenset[May]:
    """The rights, one of which whoever started such a run still needs to cancel or repeat it."""
    return STARTS.get(Run.Kind(run.kind), STARTS_RUNS)


def _get(rows: QuerySet[Found], pk: int) -> Found:
    """One of the submissions somebody sees; nothing is told of others."""
    found = rows.select_related("algorithm", "created_by").filter(pk=pk).first()
    if found is None:
        raise Http404(f"There is no such {rows.model._meta.verbose_name}.")
    return found


def visible_streams(person: Person, collection: Collection) -> QuerySet[Stream]:
    """The streams of a collection (already checked) that this person may see: all of them, or none."""
    return collection.streams.exclude(collection__in=hiding_streams(person).values("collection"))


def _of_open_streams(person: Person, rows: QuerySet[StreamSubmission]) -> QuerySet[StreamSubmission]:
    """Those that this person may see, of streams that are not hidden."""
    open_ones = rows.exclude(stream__collection__in=hiding_streams(person).values("collection"))
    return _in_sight(open_ones, person, "stream__collection")


def _in_sight(rows: QuerySet[Found], person: Person, collection: str = "collection") -> QuerySet[Found]:
    """Those of some submissions (or streams' submissions) that this person may see."""
    seen = Q(**{f"{collection}__in": visible_collections(person)})
    return rows.filter(seen, _shown_to(person, collection=collection))


def _shown_to(person: Person, submission: str = "", collection: str = "collection") -> Q:
    """Which submissions of a collection one sees: those published (but see `hiding_boards`), one's own, and all where
    one manages it.

    Args:
        submission, collection: where they are found from the rows that are asked for.
    """
    hidden = Q(**{f"{collection}__in": hiding_boards(person).values("collection")})
    published = Q(**{f"{submission}published": True}) & ~hidden
    if not person.is_authenticated:
        return published
    own = Q(**{f"{submission}created_by": person.pk})
    return published | own | Q(**{f"{collection}__in": roles_with(person, May.MANAGE).values("collection")})

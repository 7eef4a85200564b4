"""Who reaches which algorithm, submission, run: the only way to fetch one (see `annotations.access`).

A submission is its owner's (and the collection owners') until it is published. A run is as visible as what it is
about; a run without a collection yet (an import) is its starter's alone.
"""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import Http404

from accounts.person import Person
from annotations.access import May, capabilities, get_collection, visible_collections
from annotations.models import Collection, Stream
from evaluation.models import Run, StreamSubmission, Submission

STARTS_RUNS = frozenset({May.SUBMIT, May.PUBLISH})
"""The rights whose use queues runs; who lost them repeats no earlier run either."""


def visible_submissions(person: Person, collection: Collection, *, with_sweeps: bool = False) -> QuerySet[Submission]:
    """The submissions of a collection (already checked) that this person may see.

    Args:
        with_sweeps: also the many that sweeps made; boards, lists and exports do without them.
    """
    allowed = capabilities(person, collection)
    submissions = Submission.objects.filter(collection=collection)
    if not with_sweeps:
        submissions = submissions.filter(sweep=None)
    if May.VIEW not in allowed:
        return submissions.none()
    if May.MANAGE in allowed:
        return submissions
    return submissions.filter(_published_or_own(person, ""))


def get_submission(person: Person, pk: int) -> Submission:
    """A submission this person may see.

    Raises:
        Http404: there is none, or it may not be seen.
    """
    submission = Submission.objects.select_related("collection", "algorithm", "created_by").filter(pk=pk).first()
    if submission is None:
        raise Http404("There is no such submission.")
    if not visible_submissions(person, submission.collection, with_sweeps=True).filter(pk=pk).exists():
        raise Http404("There is no such submission.")
    return submission


def may_change_submission(person: Person, submission: Submission) -> bool:
    """Its owner may (while a submitter), and the collection's owners."""
    allowed = capabilities(person, submission.collection)
    return May.MANAGE in allowed or (May.SUBMIT in allowed and submission.created_by_id == person.pk)


def get_own_submission(person: Person, pk: int) -> Submission:
    """A submission this person may publish, re-run or delete; Http404 or PermissionDenied otherwise."""
    submission = get_submission(person, pk)
    if not may_change_submission(person, submission):
        raise PermissionDenied("Only its owner and the owners of the collection may change a submission.")
    return submission


def get_stream(person: Person, slug: str, key: str, may: May = May.VIEW) -> Stream:
    """A stream of a collection; raises as `annotations.access.get_collection`."""
    collection = get_collection(person, slug, may)
    found = collection.streams.select_related("collection", "created_by").filter(key=key).first()
    if found is None:
        raise Http404("There is no such stream in this collection.")
    return found


def visible_stream_submissions(person: Person, stream: Stream) -> QuerySet[StreamSubmission]:
    """The submissions of a stream (already checked) that this person may see."""
    allowed = capabilities(person, stream.collection)
    submissions = StreamSubmission.objects.filter(stream=stream)
    if May.VIEW not in allowed:
        return submissions.none()
    return submissions if May.MANAGE in allowed else submissions.filter(_published_or_own(person, ""))


def get_stream_submission(person: Person, pk: int) -> StreamSubmission:
    """A stream submission this person may see; Http404 otherwise."""
    rows = StreamSubmission.objects.select_related("stream__collection", "algorithm", "created_by")
    submission = rows.filter(pk=pk).first()
    if submission is None or not visible_stream_submissions(person, submission.stream).filter(pk=pk).exists():
        raise Http404("There is no such stream submission.")
    return submission


def may_change_stream_submission(person: Person, submission: StreamSubmission) -> bool:
    """Its owner may (while a submitter), and the collection's owners."""
    allowed = capabilities(person, submission.stream.collection)
    return May.MANAGE in allowed or (May.SUBMIT in allowed and submission.created_by_id == person.pk)


def get_own_stream_submission(person: Person, pk: int) -> StreamSubmission:
    """A stream submission this person may measure, publish or delete; Http404 or PermissionDenied otherwise."""
    submission = get_stream_submission(person, pk)
    if not may_change_stream_submission(person, submission):
        raise PermissionDenied("Only its owner and the owners of the collection may change a submission.")
    return submission


def visible_runs(person: Person) -> QuerySet[Run]:
    """Every run this person may see, across collections."""
    own = Q(created_by=person.pk) if person.is_authenticated else Q(pk__in=[])
    in_sight = Q(collection__in=visible_collections(person))
    managed = Q(pk__in=[])
    if person.is_authenticated:
        managed = Q(collection__memberships__user=person, collection__memberships__role="owner")
    about = managed | (
        (Q(submission__isnull=True) | _published_or_own(person, "submission__"))
        & (Q(stream_submission__isnull=True) | _published_or_own(person, "stream_submission__"))
    )
    matching = Run.objects.filter((in_sight & about) | (own & Q(collection__isnull=True))).values("pk")
    return Run.objects.filter(pk__in=matching)


def get_run(person: Person, pk: int) -> Run:
    """A run this person may see; Http404 otherwise."""
    runs = visible_runs(person).select_related("collection", "submission__algorithm", "gold_version", "upload")
    found = runs.select_related("stream", "stream_submission__algorithm").filter(pk=pk).first()
    if found is None:
        raise Http404("There is no such run.")
    return found


def get_own_run(person: Person, pk: int) -> Run:
    """A run this person may cancel or repeat: its starter while they may start one, or an owner of the collection.

    Raises:
        Http404: it may not be seen.
        PermissionDenied: it may be seen, but belongs to somebody else.
    """
    run = get_run(person, pk)
    allowed = capabilities(person, run.collection) if run.collection is not None else frozenset(May)
    is_mine = person.is_authenticated and run.created_by_id == person.pk
    starts = {May.CURATE} if run.kind == Run.Kind.VECTORS else STARTS_RUNS
    if (run.collection is not None and May.MANAGE in allowed) or (is_mine and allowed & starts):
        return run
    raise PermissionDenied("Only who started a run and the owners of the collection may cancel or repeat it.")


def _published_or_own(person: Person, prefix: str) -> Q:
    published = Q(**{f"{prefix}published": True})
    return published | Q(**{f"{prefix}created_by": person.pk}) if person.is_authenticated else published

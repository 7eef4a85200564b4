"""Rules of challenges: which gold standards, streams and submissions are hidden from a person.

This depends on the challenge and on the person's roles, whose rights are in `annotations.access`.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import PermissionDenied
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.db.models.functions import Now

from accounts.person import Person, prepared
from annotations.access import May, roles_with
from annotations.models import (
    Challenge,
    Collection,
    GoldVersion,
    GoldVersionEntry,
    Query,
)
from annotations.models.challenges import ChallengeState

GOLD_IS_HIDDEN = "The gold standard of this query is hidden: it is part of a challenge."


ORGANISER_RIGHTS = frozenset({May.CURATE, May.PUBLISH, May.MANAGE})
"""Rights of organisers. A person with any of these sees everything in a challenge and has no submission limits."""


def hidden_gold(person: Person | None) -> QuerySet[Query]:
    """Return the queries whose gold standard this person may not see.

    Everything that shows gold standards, or scores against them, must exclude these queries
    (`docs/decisions/challenges.md`).

    Args:
        person: None for the site itself, which sees everything.
    """
    return Query.objects.none() if person is None else _hidden_gold(person)


@prepared
def _hidden_gold(person: Person) -> QuerySet[Query]:
    hiding = _challenges_of_others(person).exclude(hides=Challenge.Hides.NOTHING)
    hiding = hiding.exclude(reveals=True, closes_at__lte=Now())
    shown = Challenge.shown.through._default_manager.values("query")
    some = Q(collection__challenge__hides=Challenge.Hides.SOME, pk__in=shown)
    return Query.objects.filter(collection__in=hiding.values("collection")).exclude(some)


def collections_hiding_gold() -> QuerySet[Collection]:
    """Return collections whose challenge hides gold standards, even if they have been revealed since."""
    hiding = Challenge.objects.exclude(hides=Challenge.Hides.NOTHING)
    return Collection.objects.filter(pk__in=hiding.values("collection"))


def is_hidden(person: Person, query: Query) -> bool:
    """Return whether the gold standard of a query is hidden from this person."""
    return hidden_gold(person).filter(pk=query.pk).exists()


def has_hidden_gold(person: Person, collection: Collection) -> bool:
    """Return whether any gold standard of a collection is hidden from this person."""
    return hidden_gold(person).filter(collection=collection).exists()


def require_visible_gold(person: Person, query: Query) -> None:
    """Raise PermissionDenied if the gold standard of a query is hidden from this person."""
    if is_hidden(person, query):
        raise PermissionDenied(GOLD_IS_HIDDEN)


@prepared
def challenges_hiding_streams(person: Person) -> QuerySet[Challenge]:
    """Return challenges whose streams this person may not see, because stream files contain the true classes."""
    hiding = _challenges_of_others(person).exclude(hides=Challenge.Hides.NOTHING).exclude(streams_shown=True)
    return hiding.exclude(reveals=True, closes_at__lte=Now())


@prepared
def challenges_hiding_submissions(person: Person) -> QuerySet[Challenge]:
    """Return challenges that have not closed yet and hide others' submissions from this person."""
    return _challenges_of_others(person).filter(board_hidden=True).exclude(closes_at__lte=Now())


def are_streams_hidden(person: Person, collection: Collection) -> bool:
    """Return whether the streams of a collection are hidden from this person. The caller has checked access to it."""
    return challenges_hiding_streams(person).filter(collection=collection).exists()


def _challenges_of_others(person: Person) -> QuerySet[Challenge]:
    """Return challenges that this person does not curate, publish or manage."""
    own = roles_with(person, *sorted(ORGANISER_RIGHTS)).values("collection")
    return Challenge.objects.exclude(collection__in=own).order_by()


def visible_entries(person: Person | None, *versions: GoldVersion) -> QuerySet[GoldVersionEntry]:
    """Return the entries of gold versions, without the queries that are hidden from this person.

    The caller has checked access to the versions' collections.
    """
    return GoldVersionEntry.objects.filter(version__in=versions).exclude(query__in=hidden_gold(person))


def entries_with_visibility(person: Person | None, *versions: GoldVersion) -> QuerySet[GoldVersionEntry]:
    """Return all entries of gold versions, with ``is_hidden`` set on those that `visible_entries` excludes.

    This is for callers that need the positions of all entries. They have checked access to the collections.
    """
    hidden = ExpressionWrapper(Q(query__in=hidden_gold(person)), output_field=BooleanField())
    return GoldVersionEntry.objects.filter(version__in=versions).annotate(is_hidden=hidden)


# --- The challenge of a collection ------------------------------------------------------------------------------------


def challenge_of(collection: Collection) -> Challenge | None:
    """Return a collection's challenge with its results, or None if the collection is not a challenge."""
    return Challenge.objects.select_related("collection", "results").filter(collection=collection).first()


def challenge_states(collections: Iterable[Collection]) -> dict[int, ChallengeState]:
    """Return a dict of collection id -> current challenge state, without collections that are not challenges.

    This takes one database query.
    """
    found = Challenge.objects.filter(collection__in=collections).select_related("results").defer("results__content")
    return {challenge.collection_id: challenge.state() for challenge in found}


def hides_gold_of(challenge: Challenge, shown: set[int], query: int) -> bool:
    """Return whether a challenge hides the gold standard of a query, before any reveal at its end.

    Args:
        shown: ids of the queries that are shown if only some are hidden.
    """
    if challenge.hides == Challenge.Hides.NOTHING:
        return False
    return challenge.hides == Challenge.Hides.ALL or query not in shown

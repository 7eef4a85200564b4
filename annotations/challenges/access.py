"""Rules of challenges: which gold standards, streams and submissions are hidden from whom.

Rights of roles are in `annotations.access`. What is hidden from a person follows from the challenge and from those
rights.
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


ORGANISES = frozenset({May.CURATE, May.PUBLISH, May.MANAGE})
"""Who may do one of these sees everything in a challenge, and is bound by none of its limits."""


def hidden_gold(person: Person | None) -> QuerySet[Query]:
    """The queries whose gold standard this person may not see. THE rule: whatever shows people something of gold
    standards, or of scores by them, leaves these queries out (`docs/decisions/challenges.md`).

    Args:
        person: None for the site itself, which sees all.
    """
    return Query.objects.none() if person is None else _hidden_gold(person)


@prepared
def _hidden_gold(person: Person) -> QuerySet[Query]:
    hiding = _challenges_of_others(person).exclude(hides=Challenge.Hides.NOTHING)
    hiding = hiding.exclude(reveals=True, closes_at__lte=Now())
    shown = Challenge.shown.through._default_manager.values("query")
    some = Q(collection__challenge__hides=Challenge.Hides.SOME, pk__in=shown)
    return Query.objects.filter(collection__in=hiding.values("collection")).exclude(some)


def hiding_collections() -> QuerySet[Collection]:
    """Collections whose challenge hides gold standards, revealed or not."""
    hiding = Challenge.objects.exclude(hides=Challenge.Hides.NOTHING)
    return Collection.objects.filter(pk__in=hiding.values("collection"))


def is_hidden(person: Person, query: Query) -> bool:
    """Whether this person may not see the gold standard of a query."""
    return hidden_gold(person).filter(pk=query.pk).exists()


def is_hiding(person: Person, collection: Collection) -> bool:
    """Whether gold standards of a collection are hidden from this person."""
    return hidden_gold(person).filter(collection=collection).exists()


def require_gold(person: Person, query: Query) -> None:
    """Refuse what would show the gold standard of a query that is hidden from this person (PermissionDenied)."""
    if is_hidden(person, query):
        raise PermissionDenied(GOLD_IS_HIDDEN)


@prepared
def hiding_streams(person: Person) -> QuerySet[Challenge]:
    """Challenges whose streams this person may not see: their files hold the true classes."""
    hiding = _challenges_of_others(person).exclude(hides=Challenge.Hides.NOTHING).exclude(streams_shown=True)
    return hiding.exclude(reveals=True, closes_at__lte=Now())


@prepared
def hiding_boards(person: Person) -> QuerySet[Challenge]:
    """Challenges in which this person sees no submissions of others until they have closed."""
    return _challenges_of_others(person).filter(board_hidden=True).exclude(closes_at__lte=Now())


def hides_streams(person: Person, collection: Collection) -> bool:
    """Whether this person may not see the streams of a collection (already checked)."""
    return hiding_streams(person).filter(collection=collection).exists()


def _challenges_of_others(person: Person) -> QuerySet[Challenge]:
    """Those that this person neither curates, publishes nor manages."""
    own = roles_with(person, *sorted(ORGANISES)).values("collection")
    return Challenge.objects.exclude(collection__in=own).order_by()


def visible_entries(person: Person | None, *versions: GoldVersion) -> QuerySet[GoldVersionEntry]:
    """What gold versions of collections (already checked) hold, of the queries that are not hidden from this person."""
    return GoldVersionEntry.objects.filter(version__in=versions).exclude(query__in=hidden_gold(person))


def marked_entries(person: Person | None, *versions: GoldVersion) -> QuerySet[GoldVersionEntry]:
    """All that gold versions of collections (already checked) hold; ``is_hidden`` says what `visible_entries` leaves
    out, where the places of all are needed to find those that are seen."""
    hidden = ExpressionWrapper(Q(query__in=hidden_gold(person)), output_field=BooleanField())
    return GoldVersionEntry.objects.filter(version__in=versions).annotate(is_hidden=hidden)


# --- The challenge of a collection ------------------------------------------------------------------------------------


def challenge_of(collection: Collection) -> Challenge | None:
    """The challenge a collection is, with its results; None where it is none."""
    return Challenge.objects.select_related("collection", "results").filter(collection=collection).first()


def states(collections: Iterable[Collection]) -> dict[int, ChallengeState]:
    """Collection id -> where its challenge stands now, of those that are one. One query."""
    found = Challenge.objects.filter(collection__in=collections).select_related("results").defer("results__content")
    return {challenge.collection_id: challenge.state() for challenge in found}


def hides_query(challenge: Challenge, shown: set[int], query: int) -> bool:
    """Whether a challenge hides the gold standard of a query while it hides any.

    Args:
        shown: ids of the queries that are shown where some are hidden.
    """
    if challenge.hides == Challenge.Hides.NOTHING:
        return False
    return challenge.hides == Challenge.Hides.ALL or query not in shown

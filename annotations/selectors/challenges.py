"""Challenges: the one of a collection, and what it hides."""

from __future__ import annotations

from collections.abc import Iterable

from annotations.models import Challenge, Collection
from annotations.models.challenges import ChallengeState


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

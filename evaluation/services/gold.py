"""Publish gold standards and score what they change."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotations.gold import services as gold
from annotations.models import Collection, GoldVersion
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.models import Run, Submission
from evaluation.selectors.latest import latest_submissions
from evaluation.selectors.rescoring import made_from_gold
from evaluation.services import announcements, baselines, scoring
from qc4.model.gold_document import Completion, GoldDocument


def publish_and_reevaluate(
    *,
    collection: Collection,
    documents: Iterable[GoldDocument],
    user: User | None,
    note: str = "",
    completion: Completion = "strict",
) -> tuple[GoldVersion, list[Run]]:
    """Publish a gold version, and queue its evaluations (as `reevaluate`) and the e-mails about it.

    Queries whose gold standard did not change keep their scores: those are found by content, not computed again.
    Errors as of `annotations.gold.services.publish`.
    """
    with transaction.atomic():
        version = gold.publish(collection=collection, documents=documents, user=user, note=note, completion=completion)
        queued = reevaluate(version, user)
        announcements.enqueue(version, user)
        return version, queued


def reevaluate(version: GoldVersion, user: User | None) -> list[Run]:
    """Queue evaluations against a version for the latest submissions that have none yet, under all policies that their
    algorithms have been scored under.

    Baselines made from the gold standard (the gold itself, random clusters of its sizes) are made anew instead.
    """
    latest = latest_submissions(version.collection)
    queued = scoring.score_under_all(latest.exclude(algorithm__baseline__in=MADE_FROM_GOLD), version, user=user)
    return queued + _remake_baselines(version.collection, latest, user)


def _remake_baselines(collection: Collection, latest: QuerySet[Submission], user: User | None) -> list[Run]:
    """Runs for the collection's baselines that are made from its gold standard, with their parameters and draws."""
    return [
        baselines.enqueue(
            collection=collection,
            keys=one.keys,
            seed=one.seed,
            draws=one.draws,
            user=user,
            queue="bulk",
            limited=False,
        )
        for one in made_from_gold(latest)
    ]

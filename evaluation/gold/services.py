"""Publish gold standards, score what they change, and notify people of the new version."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotations.gold import services as gold
from annotations.models import Collection, GoldVersion
from evaluation.baseline_runs import services as baselines
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.gold.selectors import concerned, made_from_gold
from evaluation.models import Announced, Run, Submission
from evaluation.runs import services as runs
from evaluation.scoring import services as scoring
from evaluation.scoring.effective import latest_submissions
from qc4.model.gold_document import Completion, GoldDocument
from work.sources import BULK

# Tell people of a new gold version: queue the run that does it, and record who was told.


def enqueue_announcement(version: GoldVersion, user: User | None) -> Run | None:
    """Queue the e-mails about a version; None if it concerns nobody who gave an address."""
    if not concerned(version).exists():
        return None
    run = Run(kind=Run.Kind.ANNOUNCEMENT, queue=BULK, collection=version.collection, gold_version=version)
    return runs.enqueue(run, user, limited=False)


def claim_recipient(version: GoldVersion, user: int) -> bool:
    """Record that a person is being told, before it is done.

    Returns:
        False if that is recorded already, or if the version concerns them no longer: an account may be deleted or
        suspended, and a collection become private, while e-mails to others are sent.
    """
    if not concerned(version).filter(pk=user).exists():
        return False
    return Announced.objects.get_or_create(gold_version=version, user_id=user)[1]


def release_recipient(version: GoldVersion, user: int) -> None:
    """Record that an e-mail was not sent after all."""
    Announced.objects.filter(gold_version=version, user=user).delete()


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
        enqueue_announcement(version, user)
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

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

# --- Notify people of a new gold version: queue the run that writes to them, and record the recipients ---


def enqueue_announcement(version: GoldVersion, user: User | None) -> Run | None:
    """Queue the e-mails about a version; None if it concerns no person with an e-mail address."""
    if not concerned(version).exists():
        return None
    run = Run(kind=Run.Kind.ANNOUNCEMENT, queue=BULK, collection=version.collection, gold_version=version)
    return runs.enqueue(run, user, limited=False)


def claim_recipient(version: GoldVersion, user: int) -> bool:
    """Record that a person is being notified, before the e-mail is sent.

    Returns:
        False if this is recorded already, or if the version no longer concerns the person. An account may be deleted or
        suspended, or a collection may become private, while other e-mails are being sent.
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
    """Publish a gold version, and queue its evaluations (as in `reevaluate`) and the e-mails about it.

    Queries with an unchanged gold standard keep their scores, which are found by content and not computed again. Raises
    as `annotations.gold.services.publish` does.
    """
    with transaction.atomic():
        version = gold.publish(collection=collection, documents=documents, user=user, note=note, completion=completion)
        queued = reevaluate(version, user)
        enqueue_announcement(version, user)
        return version, queued


def reevaluate(version: GoldVersion, user: User | None) -> list[Run]:
    """Queue the missing evaluations of the latest submissions against a version.

    Each submission is scored under all scoring options that its algorithm has been scored under. Baselines made from
    the gold standard (the gold standard itself, random clusters of its sizes) are made again instead.
    """
    latest = latest_submissions(version.collection)
    queued = scoring.score_under_all(latest.exclude(algorithm__baseline__in=MADE_FROM_GOLD), version, user=user)
    return queued + _remake_baselines(version.collection, latest, user)


def _remake_baselines(collection: Collection, latest: QuerySet[Submission], user: User | None) -> list[Run]:
    """Queue runs of the baselines that are made from the gold standard, with their parameters and draws."""
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

"""Publish gold standards and score what they change."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction
from django.db.models import Max, QuerySet

from annotations.models import Collection, GoldVersion
from annotations.services import gold
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.models import Run, Submission
from evaluation.services import baselines, runs
from qc4.gold.document import Completion, GoldDocument


@dataclass(frozen=True, slots=True)
class Rescoring:
    """What another gold version sets in motion.

    Attributes:
        submissions: how many are scored against it; queries whose gold standard stays keep their scores.
        remade: how many of them are made from the gold standard, and so are made anew first.
        runs: how many are queued for it.
    """

    submissions: int
    remade: int
    runs: int


def rescoring(collection: Collection) -> Rescoring:
    """What publishing another gold version of this collection would set in motion now."""
    latest = latest_submissions(collection)
    evaluated = latest.exclude(algorithm__baseline__in=MADE_FROM_GOLD).count()
    by_seed = _made_from_gold(latest)
    remade = sum(len(keys) for keys in by_seed.values())
    return Rescoring(evaluated + remade, remade, evaluated + len(by_seed))


def publish_and_reevaluate(
    *,
    collection: Collection,
    documents: Iterable[GoldDocument],
    user: User | None,
    note: str = "",
    completion: Completion = "strict",
) -> tuple[GoldVersion, list[Run]]:
    """Publish a gold version and queue the evaluation of every algorithm's latest submissions against it.

    Queries whose gold standard did not change keep their scores: those are found by content, not computed again.
    Errors as of `annotations.services.gold.publish`.
    """
    with transaction.atomic():
        version = gold.publish(collection=collection, documents=documents, user=user, note=note, completion=completion)
        return version, reevaluate(version, user)


def reevaluate(version: GoldVersion, user: User | None) -> list[Run]:
    """Queue evaluations against a version for the latest submissions that have none yet.

    Baselines made from the gold standard (the gold itself, random clusters of its sizes) are made anew instead.
    """
    asked = Run.objects.filter(kind=Run.Kind.EVALUATION, gold_version=version)
    asked = asked.exclude(state__in=[Run.State.FAILED, Run.State.CANCELLED])
    latest = latest_submissions(version.collection)
    waiting = latest.exclude(pk__in=asked.values("submission")).exclude(algorithm__baseline__in=MADE_FROM_GOLD)
    queued = [
        runs.enqueue_evaluation(submission=submission, gold_version=version, user=user, queue="backfill", limited=False)
        for submission in waiting
    ]
    return queued + _remake_baselines(version.collection, latest, user)


def _remake_baselines(collection: Collection, latest: QuerySet[Submission], user: User | None) -> list[Run]:
    """One run per seed for the baselines the collection has that are made from its gold standard."""
    return [
        baselines.enqueue(
            collection=collection, keys=sorted(keys), seed=seed, user=user, queue="backfill", limited=False
        )
        for seed, keys in sorted(_made_from_gold(latest).items())
    ]


def _made_from_gold(latest: QuerySet[Submission]) -> dict[int, set[str]]:
    """Seed -> keys of the baselines among the latest submissions that hold something of the gold standard."""
    by_seed: dict[int, set[str]] = defaultdict(set)
    for key, seed in latest.filter(algorithm__baseline__in=MADE_FROM_GOLD).values_list("algorithm__baseline", "seed"):
        by_seed[seed or 0].add(key)
    return by_seed


def latest_submissions(collection: Collection) -> QuerySet[Submission]:
    """The latest submission of every algorithm, published and private ones apart: a private one hides no public one."""
    ordinary = Submission.objects.filter(collection=collection, sweep=None)
    groups = ordinary.order_by().values("algorithm", "published", "created_by")
    latest = groups.annotate(latest=Max("pk")).values("latest")
    return Submission.objects.filter(pk__in=latest).select_related("collection", "algorithm").order_by("pk")

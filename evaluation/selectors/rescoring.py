"""What another gold version would set in motion: whose submissions are scored, and which are made anew first."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django.db.models import QuerySet

from annotations.models import Collection
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.models import Submission
from evaluation.selectors.latest import latest_submissions


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
    by_seed = made_from_gold(latest)
    remade = sum(len(keys) for keys in by_seed.values())
    return Rescoring(evaluated + remade, remade, evaluated + len(by_seed))


def made_from_gold(latest: QuerySet[Submission]) -> dict[int, set[str]]:
    """Seed -> keys of the baselines among the latest submissions that hold something of the gold standard."""
    by_seed: dict[int, set[str]] = defaultdict(set)
    for key, seed in latest.filter(algorithm__baseline__in=MADE_FROM_GOLD).values_list("algorithm__baseline", "seed"):
        by_seed[seed or 0].add(key)
    return by_seed

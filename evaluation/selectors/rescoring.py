"""What another gold version would set in motion: whose submissions are scored, and which are made anew first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import QuerySet

from annotations.models import Collection
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.limits import BASELINES_AT_ONCE, MOST_DRAWS
from evaluation.models import Submission
from evaluation.selectors.evaluations import policies_for
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
    evaluated = list(latest.exclude(algorithm__baseline__in=MADE_FROM_GOLD).values_list("algorithm", flat=True))
    sets = policies_for(None, set(evaluated))
    remade = latest.filter(algorithm__baseline__in=MADE_FROM_GOLD).count()
    runs = sum(len(sets[algorithm]) for algorithm in evaluated)
    return Rescoring(len(evaluated) + remade, remade, runs + len(made_from_gold(latest)))


class Remade(NamedTuple):
    """Baselines to make anew in one run: as they are ordered, with so many draws from a seed on."""

    seed: int
    draws: int
    keys: tuple[str, ...]


def made_from_gold(latest: QuerySet[Submission]) -> tuple[Remade, ...]:
    """The baselines among the latest submissions that hold something of the gold standard, in as few runs as can be."""
    seeds: dict[str, set[int]] = defaultdict(set)
    unseeded: set[str] = set()
    rows = latest.filter(algorithm__baseline__in=MADE_FROM_GOLD).order_by()
    for key, settings, seed in rows.values_list("algorithm__baseline", "algorithm__settings", "seed"):
        written = f"{key}:{settings}" if settings else key
        if seed is None:
            unseeded.add(written)
        else:
            seeds[written].add(seed)
    by_range: dict[tuple[int, int], set[str]] = defaultdict(set)
    for written, of_one in seeds.items():
        for first, draws in _ranges(sorted(of_one)):
            by_range[first, draws].add(written)
    if unseeded:
        by_range[min(by_range, default=(0, 1))] |= unseeded
    return tuple(
        Remade(seed, draws, keys)
        for (seed, draws), of_range in sorted(by_range.items())
        for keys in _batched(sorted(of_range), BASELINES_AT_ONCE)
    )


def _batched(keys: Sequence[str], size: int) -> Iterator[tuple[str, ...]]:
    """So many at once."""
    return (tuple(keys[start : start + size]) for start in range(0, len(keys), size))


def _ranges(seeds: Sequence[int]) -> list[tuple[int, int]]:
    """Seeds in order as (first, how many) of those that follow each other, at most `MOST_DRAWS` together."""
    found: list[tuple[int, int]] = []
    for seed in seeds:
        if found and sum(found[-1]) == seed and found[-1][1] < MOST_DRAWS:
            found[-1] = (found[-1][0], found[-1][1] + 1)
        else:
            found.append((seed, 1))
    return found

"""Confidence intervals by leaving pages out.

Measures that look at pairs of pages would take the copies a bootstrap draws for pages that agree perfectly, so pages
are left out instead: in groups, as many as `GROUPS`, which bounds the work. Which page is in which group follows from
the seed.

Source: Shao & Tu, The Jackknife and Bootstrap, 1995, section 2.3 (the grouped jackknife); intervals from Student's t
with one degree of freedom less than there are groups.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping
from typing import TypeAlias, TypeVar

import numpy as np
from scipy.special import stdtrit

from annotations.agreement.ratings import CONFIDENCE
from qc4.arrays import IntArray

GROUPS = 20
SEED = 20070522
FEWEST_PAGES = 10

Key = TypeVar("Key", bound=Hashable)
Interval: TypeAlias = tuple[float, float]


def intervals(
    statistics: Callable[[IntArray], Mapping[Key, float]], n_pages: int, seed: int = SEED, groups: int = GROUPS
) -> dict[Key, Interval]:
    """The interval of every statistic that has a value whichever group is left out, and whose value then varies.

    Args:
        statistics: the values on some pages (sorted indexes), leaving out those that have none there.

    Returns:
        Nothing for fewer than `FEWEST_PAGES` pages.
    """
    if n_pages < FEWEST_PAGES:
        return {}
    number = np.random.default_rng(seed).permutation(n_pages) % min(groups, n_pages)
    left_out = [statistics(np.flatnonzero(number != group)) for group in range(int(number.max()) + 1)]
    found = {key: _interval(value, left_out, key) for key, value in statistics(np.arange(n_pages)).items()}
    return {key: interval for key, interval in found.items() if interval is not None}


def _interval(value: float, left_out: list[Mapping[Key, float]], key: Key) -> Interval | None:
    values = [found[key] for found in left_out if key in found]
    n = len(left_out)
    if len(values) < n:
        return None
    mean = math.fsum(values) / n
    error = math.sqrt((n - 1) / n * math.fsum((one - mean) ** 2 for one in values))
    if error < 1e-12:
        return None
    reach = float(stdtrit(n - 1, (1 + CONFIDENCE) / 2)) * error
    return value - reach, value + reach

"""Is there any difference at all: Friedman's test, with Kendall's W and Nemenyi's critical difference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from qc4.arrays import FloatArray
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Friedman(Record):
    """Friedman's test over all systems, corrected for ties.

    Attributes:
        statistic: chi-squared with ``df`` degrees of freedom.
        p: its approximate p.
        kendall_w: how much the queries agree on the order of the systems, 0 to 1.
        critical_difference: by which two mean ranks have to differ (Nemenyi). It asks of every pair what only the most
            different of all systems need, depends on which others are compared, and looks at ranks alone: an extra.
        mean_ranks: of each system, 1 for the best.
    """

    statistic: float
    df: int
    p: float
    kendall_w: float
    critical_difference: float
    mean_ranks: dict[str, float]


def friedman(values: FloatArray, systems: tuple[str, ...], alpha: float) -> Friedman | None:
    """The test; None for fewer than three systems or two queries, or where no query tells any systems apart."""
    from scipy.stats import friedmanchisquare, rankdata  # half a second, needed here alone

    k, n = values.shape
    if k < 3 or n < 2 or (np.ptp(values, axis=0) == 0).all():
        return None
    statistic, p = friedmanchisquare(*values)
    ranks = rankdata(-values, axis=0).mean(axis=1)
    reach = _most_by_chance(alpha, k) / math.sqrt(2)
    return Friedman(
        float(statistic),
        k - 1,
        float(p),
        float(statistic) / (n * (k - 1)),
        reach * math.sqrt(k * (k + 1) / (6 * n)),
        dict(zip(systems, ranks.tolist(), strict=True)),
    )


@lru_cache(maxsize=256)
def _most_by_chance(alpha: float, k: int) -> float:
    """The quantile of the studentized range of k means: found by integrating again and again, so only once."""
    from scipy.stats import studentized_range  # half a second, needed here alone

    return float(studentized_range.ppf(1 - alpha, k, math.inf))

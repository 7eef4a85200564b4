"""Whether comparisons keep what they promise: rates over simulated data sets of which the truth is known.

Under the null all systems are equally good: p of a pair are uniform, and a family of tests gives any false verdict
in at most alpha of the data sets. With systems a little apart, the rank set of the best one holds rank 1. A plain
bootstrap of ranks stands beside it as a contrast: it is what rank sets are there to avoid.

It takes minutes, so it runs by name only: ``python -m bench coverage``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from qc4.arrays import FloatArray
from qc4.comparison import PROCEDURES, Comparison, compare
from qc4.comparison.draws import resampled_means

DATA_SETS, DRAWS = 500, 1_000
QUERIES = 40
ALPHA = 0.05
LEAST_COVERAGE = 0.93
FARTHEST = 0.1
"""How far the worst system is from the best, in standard deviations of its noise."""
HEAD = f"{'claim':<58} {'scores':<28} {'rate':>8} {'95 % bounds':>16}   promised"


@dataclass(frozen=True, slots=True)
class Rate:
    """In how many data sets something was so.

    Attributes:
        most: at most so often.
        least: at least so often. Neither for what nobody promises.
        kept: whether the bounds allow for the promise: a rate may miss it by chance alone.
    """

    claim: str
    scores: str
    count: int
    data_sets: int
    most: float | None = None
    least: float | None = None

    @property
    def rate(self) -> float:
        return self.count / self.data_sets

    @property
    def bounds(self) -> tuple[float, float]:
        """Exact binomial bounds, 95 %. Source: Clopper & Pearson, Biometrika 26, 1934."""
        found = stats.binomtest(self.count, self.data_sets).proportion_ci(method="exact")
        return float(found.low), float(found.high)

    @property
    def kept(self) -> bool:
        low, high = self.bounds
        return (self.most is None or low <= self.most) and (self.least is None or high >= self.least)


def normal(random: np.random.Generator, systems: int, good: FloatArray) -> FloatArray:
    """Normal noise, and queries that are hard or easy for all."""
    return good[:, None] + random.normal(size=(systems, QUERIES)) + random.normal(size=QUERIES)


def skewed(random: np.random.Generator, systems: int, good: FloatArray) -> FloatArray:
    """Exponential noise and queries: a few large values make most of a mean."""
    return good[:, None] + random.exponential(size=(systems, QUERIES)) + random.exponential(size=QUERIES)


def tied(random: np.random.Generator, systems: int, good: FloatArray) -> FloatArray:
    """What is normal on a grid of few values, so that systems tie on about a third of the queries.

    The better of two systems has the better mean on the grid, too.
    """
    return np.round(normal(random, systems, good))


def unequal(random: np.random.Generator, systems: int, good: FloatArray) -> FloatArray:
    """Equal means, but the noise of every second system is exponential and twice as large: signs are not symmetric."""
    noise = random.normal(size=(systems, QUERIES))
    noise[::2] = 2 * (random.exponential(size=(len(noise[::2]), QUERIES)) - 1)
    return good[:, None] + noise + random.normal(size=QUERIES)


SCORES: Mapping[str, Callable[[np.random.Generator, int, FloatArray], FloatArray]] = {
    "normal": normal,
    "skewed": skewed,
    "tied": tied,
    "unequal": unequal,
}


def null_rates(scores: str, data_sets: int, draws: int = DRAWS, systems: int = 10) -> tuple[list[Rate], list[float]]:
    """Systems that are equally good.

    Returns:
        How often each procedure gives any false verdict, and p of the first two systems are small; and these p.
    """
    random = np.random.default_rng([systems, list(SCORES).index(scores), 1])
    names, count, p = _names(systems), Counter[str](), []
    families: list[dict[str, Any]] = [{"procedure": each} for each in PROCEDURES] + [{"baseline": names[0]}]
    for seed in range(data_sets):
        values = SCORES[scores](random, systems, np.zeros(systems))
        for family in families:
            found = compare(values, names, draws=draws, seed=seed, alpha=ALPHA, **family)
            count[_family(family)] += any(pair.verdict == "better" for pair in found.pairs)
            if family == families[0]:
                pair = found.pair(*names[:2])
                p.append(pair.p or 0.0)
                count["interval"] += (pair.low or 0.0) <= 0 <= (pair.high or 0.0)
    most = None if scores == "unequal" else ALPHA
    of = f"{scores}, {systems} systems"
    rates = [Rate(f"false verdict by {_family(each)}", of, count[_family(each)], data_sets, most) for each in families]
    rates += [
        Rate(f"p of a pair <= {level:g}", of, sum(each <= level for each in p), data_sets, level if most else None)
        for level in (0.01, 0.05, 0.1, 0.5)
    ]
    rates.append(Rate("95 % interval of a difference holds the true one", of, count["interval"], data_sets))
    return rates, p


def rank_rates(scores: str, systems: int, data_sets: int, draws: int = DRAWS) -> list[Rate]:
    """Systems in even steps, so near that neighbours cannot be told apart: how often sets hold the true ranks."""
    random = np.random.default_rng([systems, list(SCORES).index(scores), 2])
    names, good, count = _names(systems), np.linspace(FARTHEST, 0, systems), Counter[str]()
    for seed in range(data_sets):
        values = SCORES[scores](random, systems, good)
        marginal = compare(values, names, draws=draws, seed=seed, alpha=ALPHA)
        together = compare(values, names, draws=draws, seed=seed, alpha=ALPHA, ranks="simultaneous")
        count["best"] += _holds(marginal, names)[0]
        count["all"] += all(_holds(together, names))
        count["bootstrap"] += bootstrap_rank(values, draws, seed)[0] <= 1
    of = f"{scores}, {systems} systems"
    return [
        Rate("95 % rank set of the best system holds rank 1", of, count["best"], data_sets, least=LEAST_COVERAGE),
        Rate("simultaneous 95 % rank sets hold every rank", of, count["all"], data_sets, least=LEAST_COVERAGE),
        Rate("(contrast) plain bootstrap of ranks holds rank 1", of, count["bootstrap"], data_sets),
    ]


def bootstrap_rank(values: FloatArray, draws: int, seed: int) -> tuple[int, int]:
    """The percentile interval of the first system's rank over resampled queries: what comparisons do not do."""
    means = resampled_means(values, draws, seed)
    ranks = np.sort(1 + (means > means[0]).sum(axis=0))
    low, high = np.quantile(ranks, [ALPHA / 2, 1 - ALPHA / 2], method="inverted_cdf")
    return int(low), int(high)


def run() -> Iterator[Rate | str]:
    """All rates, as they come in; of p also whether they are uniform."""
    for scores in SCORES:
        rates, p = null_rates(scores, DATA_SETS)
        yield from rates
        yield f"{'p of a pair against the uniform distribution':<58} {scores:<28} {uniformity(p)}"
    for scores in ("normal", "skewed", "tied"):
        for systems in (10, 40):
            yield from rank_rates(scores, systems, DATA_SETS)


def uniformity(p: list[float]) -> str:
    """Kolmogorov-Smirnov, two-sided, and whether small p are too many (one-sided)."""
    both, greater = (stats.kstest(p, "uniform", alternative=side).pvalue for side in ("two-sided", "greater"))
    return f"Kolmogorov-Smirnov p = {both:.3f}; that p are too small {greater:.3f}"


def line(rate: Rate | str) -> str:
    if isinstance(rate, str):
        return rate
    low, high = (f"{100 * end:.1f}" for end in rate.bounds)
    promise = (
        f"at most {100 * rate.most:g} %" if rate.most else f"at least {100 * rate.least:g} %" if rate.least else ""
    )
    verdict = ("  kept" if rate.kept else "  BROKEN") if promise else ""
    return (
        f"{rate.claim:<58} {rate.scores:<28} {100 * rate.rate:6.1f} % {f'{low} to {high} %':>16}   {promise}{verdict}"
    )


def _holds(found: Comparison, names: list[str]) -> list[bool]:
    """Of each system, whether its set holds its true rank."""
    sets = {system.system: (system.rank_low or 0, system.rank_high or 0) for system in found.systems}
    return [sets[name][0] <= rank <= sets[name][1] for rank, name in enumerate(names, 1)]


def _names(systems: int) -> list[str]:
    return [f"system {number:02}" for number in range(1, systems + 1)]


def _family(options: Mapping[str, Any]) -> str:
    return str(options.get("procedure", "max-t against a baseline"))

"""Error rates and coverage of comparisons, over simulated data sets with a known truth.

If all systems are equally good, the p-values of a pair are uniform, and a family of tests gives a false verdict in at
most alpha of the data sets. If systems differ, all intervals of differences, all rank sets, and all intervals of the
distance behind the best cover the truth simultaneously. A plain bootstrap of ranks, which does not, is shown for
contrast.

This takes minutes, so it runs only by name: ``python -m bench coverage``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy import stats

from qc4.arrays import FloatArray
from qc4.stats import PROCEDURES, Comparison, compare
from qc4.stats.draws import resampled_means

DATA_SETS, DRAWS = 500, 1_000
QUERIES = 40
ALPHA = 0.05
LEAST_COVERAGE = 0.92
"""The nominal coverage is 95 %. With skewed scores and few queries it is slightly lower."""
DISTANCES = {"near": 0.1, "apart": 2.0, "far": 50.0}
"""Distance of the worst system from the best, in standard deviations of the noise."""
HEAD = f"{'claim':<58} {'scores':<28} {'rate':>8} {'95 % bounds':>16}   promised"


@dataclass(frozen=True, slots=True)
class Rate:
    """The proportion of data sets for which a claim holds.

    Attributes:
        most: the promised maximum; None if there is none.
        least: the promised minimum; None if there is none.
        is_kept: True if the bounds are compatible with the promise. A rate may miss it by chance.
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
        """Exact binomial 95 % bounds. Source: Clopper & Pearson, Biometrika 26, 1934."""
        found = stats.binomtest(self.count, self.data_sets).proportion_ci(method="exact")
        return float(found.low), float(found.high)

    @property
    def is_kept(self) -> bool:
        low, high = self.bounds
        return (self.most is None or low <= self.most) and (self.least is None or high >= self.least)


def normal(random: np.random.Generator, systems: int, good: FloatArray) -> FloatArray:
    """Return scores with normal noise, and with queries that are hard or easy for all systems."""
    return good[:, None] + random.normal(size=(systems, QUERIES)) + random.normal(size=QUERIES)


def skewed(random: np.random.Generator, systems: int, good: FloatArray) -> FloatArray:
    """Return scores with exponential noise and query effects, so that a few large values dominate a mean."""
    return good[:, None] + random.exponential(size=(systems, QUERIES)) + random.exponential(size=QUERIES)


def tied(random: np.random.Generator, systems: int, good: FloatArray) -> FloatArray:
    """Return rounded `normal` scores, so that systems tie on about a third of the queries.

    Rounding hardly changes the expected scores: with noise of variance 2, by less than 10^-17.
    """
    return np.round(normal(random, systems, good))


def unequal(random: np.random.Generator, systems: int, good: FloatArray) -> FloatArray:
    """Return scores in which the noise of every second system is exponential and twice as large.

    The noise does not change the means, but differences are not symmetric.
    """
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
    """Simulate systems that are equally good.

    Returns:
        The rates of false verdicts by each procedure and of small p-values of the first two systems, and these
        p-values.
    """
    random = np.random.default_rng([systems, list(SCORES).index(scores), 1])
    names, count, p = _names(systems), Counter[str](), []
    families: list[dict[str, Any]] = [{"procedure": each} for each in PROCEDURES[:-1]] + [{"baseline": names[0]}]
    for seed in range(data_sets):
        values = SCORES[scores](random, systems, np.zeros(systems))
        for family in families:
            found = compare(values, names, draws=draws, seed=seed, alpha=ALPHA, **family)
            count[_family(family)] += any(pair.verdict == "better" for pair in found.pairs)
            if family == families[0]:
                p.append(found.pair(*names[:2]).p or 0.0)
                count["interval"] += all((pair.low or 0.0) <= 0 <= (pair.high or 0.0) for pair in found.pairs)
    most = None if scores == "unequal" else ALPHA
    of = f"{scores}, {systems} systems"
    rates = [Rate(f"false verdict by {_family(each)}", of, count[_family(each)], data_sets, most) for each in families]
    rates += [
        Rate(f"p of a pair <= {level:g}", of, sum(each <= level for each in p), data_sets, level if most else None)
        for level in (0.01, 0.05, 0.1, 0.5)
    ]
    least = None if scores == "unequal" else LEAST_COVERAGE
    rates.append(Rate("all intervals of differences hold", of, count["interval"], data_sets, least=least))
    return rates, p


def alternative_rates(scores: str, apart: str, systems: int, data_sets: int, draws: int = DRAWS) -> list[Rate]:
    """Simulate systems that differ by even steps, and return the rates at which a comparison's statements hold."""
    random = np.random.default_rng([systems, list(SCORES).index(scores), 2, list(DISTANCES).index(apart)])
    names, good, count = _names(systems), np.linspace(DISTANCES[apart], 0, systems), Counter[str]()
    behind = good[0] - good
    for seed in range(data_sets):
        values = SCORES[scores](random, systems, good)
        found = compare(values, names, draws=draws, seed=seed, alpha=ALPHA)
        place = {name: number for number, name in enumerate(names)}
        count["verdict"] += any(
            pair.verdict == "better" and good[place[pair.a]] <= good[place[pair.b]] for pair in found.pairs
        )
        count["interval"] += all(
            (pair.low or 0.0) <= good[place[pair.a]] - good[place[pair.b]] <= (pair.high or 0.0) for pair in found.pairs
        )
        count["places"] += all(_holds(found, names))
        count["behind"] += all(
            (one.behind_low or 0.0) <= behind[place[one.system]] <= (one.behind_high or 0.0) for one in found.systems
        )
        if apart == "near":
            marginal = compare(values, names, draws=draws, seed=seed, alpha=ALPHA, procedure="marginal-ranks")
            count["best"] += _holds(marginal, names)[0]
            count["bootstrap"] += bootstrap_rank(values, draws, seed)[0] <= 1
    of = f"{scores}, {systems} systems {apart}"
    rates = [
        Rate("any false verdict", of, count["verdict"], data_sets, most=ALPHA),
        Rate("all intervals of differences hold", of, count["interval"], data_sets, least=LEAST_COVERAGE),
        Rate("all rank sets hold", of, count["places"], data_sets, least=LEAST_COVERAGE),
        Rate("all distances behind the best hold", of, count["behind"], data_sets, least=LEAST_COVERAGE),
    ]
    if apart == "near":
        best = "marginal rank set of the best system holds rank 1"
        rates += [
            Rate(best, of, count["best"], data_sets, least=LEAST_COVERAGE),
            Rate("(contrast) plain bootstrap of ranks holds rank 1", of, count["bootstrap"], data_sets),
        ]
    return rates


def bootstrap_rank(values: FloatArray, draws: int, seed: int) -> tuple[int, int]:
    """Return the percentile interval of the first system's rank over resampled queries, for contrast."""
    means = resampled_means(values, draws, seed)
    ranks = np.sort(1 + (means > means[0]).sum(axis=0))
    low, high = np.quantile(ranks, [ALPHA / 2, 1 - ALPHA / 2], method="inverted_cdf")
    return int(low), int(high)


def run() -> Iterator[Rate | str]:
    """Yield all rates, and tests of the uniformity of p-values."""
    for scores in SCORES:
        rates, p = null_rates(scores, DATA_SETS)
        yield from rates
        yield f"{'p of a pair: test of uniformity':<58} {scores:<28} {uniformity(p)}"
    for scores in ("normal", "skewed", "tied"):
        for systems in (10, 40):
            for apart in DISTANCES:
                yield from alternative_rates(scores, apart, systems, DATA_SETS if systems < 40 else DATA_SETS // 5)


def uniformity(p: list[float]) -> str:
    """Test p-values for uniformity, two-sided and one-sided (too many small ones), by Kolmogorov-Smirnov."""
    both, greater = (stats.kstest(p, "uniform", alternative=side).pvalue for side in ("two-sided", "greater"))
    return f"Kolmogorov-Smirnov p = {both:.3f}; one-sided (too many small p) {greater:.3f}"


def line(rate: Rate | str) -> str:
    if isinstance(rate, str):
        return rate
    low, high = (f"{100 * end:.1f}" for end in rate.bounds)
    promise = (
        f"at most {100 * rate.most:g} %" if rate.most else f"at least {100 * rate.least:g} %" if rate.least else ""
    )
    verdict = ("  kept" if rate.is_kept else "  BROKEN") if promise else ""
    return (
        f"{rate.claim:<58} {rate.scores:<28} {100 * rate.rate:6.1f} % {f'{low} to {high} %':>16}   {promise}{verdict}"
    )


def _holds(found: Comparison, names: list[str]) -> list[bool]:
    """Return for each system whether its rank set contains its true rank."""
    sets = {system.system: (system.rank_low or 0, system.rank_high or 0) for system in found.systems}
    return [sets[name][0] <= rank <= sets[name][1] for rank, name in enumerate(names, 1)]


def _names(systems: int) -> list[str]:
    return [f"system {number:02}" for number in range(1, systems + 1)]


def _family(options: Mapping[str, Any]) -> str:
    return str(options.get("procedure", "max-t against a baseline"))

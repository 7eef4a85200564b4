"""Whether comparisons keep what they promise: rates over simulated data sets of which the truth is known.

If all systems are equally good, p of a pair are uniform, and a family of tests gives any false verdict in at most alpha
of the data sets. If they are a little or far apart, all intervals of differences, all places, and all distances behind
the best hold together. A plain bootstrap of ranks is shown for contrast: it is what these places avoid.

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
from qc4.stats import PROCEDURES, Comparison, compare
from qc4.stats.draws import resampled_means

DATA_SETS, DRAWS = 500, 1_000
QUERIES = 40
ALPHA = 0.05
LEAST_COVERAGE = 0.92
"""Intervals promise 95 %; with skewed scores and few queries they keep a little less."""
APART = {"near": 0.1, "apart": 2.0, "far": 50.0}
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

    On the grid the expected score is the same: the rounded noise, of variance 2, changes it by less than 10^-17.
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


def apart_rates(scores: str, apart: str, systems: int, data_sets: int, draws: int = DRAWS) -> list[Rate]:
    """Systems in even steps: how often everything that a comparison says of them is true at once."""
    random = np.random.default_rng([systems, list(SCORES).index(scores), 2, list(APART).index(apart)])
    names, good, count = _names(systems), np.linspace(APART[apart], 0, systems), Counter[str]()
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
        Rate("all places hold", of, count["places"], data_sets, least=LEAST_COVERAGE),
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
            for apart in APART:
                yield from apart_rates(scores, apart, systems, DATA_SETS if systems < 40 else DATA_SETS // 5)


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

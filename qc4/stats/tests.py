"""The registry of procedures that test pairs of systems. To add a procedure, add an entry to `REGISTRY`."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.progress import track_progress
from qc4.stats.draws import EXACT_QUERIES, all_signs, sign_flips
from qc4.stats.pairs import TIE, Pairs

# --- Other adjustments of p for many pairs: Holm, Benjamini-Hochberg, randomised Tukey HSD ---

_TUKEY = 3


def holm(p: FloatArray) -> FloatArray:
    """Return p adjusted by Holm's step-down: the p of rank i among m is multiplied by m - i + 1.

    Source: Scand. J. Statistics 6, 1979.
    """
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(p.size, 0, -1))
    found = np.empty_like(p)
    found[order] = np.minimum(stepped, 1.0)
    return found


def benjamini_hochberg(p: FloatArray) -> FloatArray:
    """Return p adjusted by the step-up that bounds the false discovery rate. Source: JRSS B 57, 1995."""
    from scipy.stats import false_discovery_control  # the import takes half a second and is needed only here

    return np.asarray(false_discovery_control(p), dtype=np.float64) if p.size else p


def wilcoxon_p(pairs: Pairs, which: IntArray) -> FloatArray:
    """Return two-sided p of Wilcoxon's signed-rank test, without queries with no difference; 1 if no query differs."""
    from scipy.stats import wilcoxon  # the import takes half a second and is needed only here

    found = np.ones(which.size)
    for place, pair in enumerate(which):
        differences = pairs.differences(np.array([pair]))[0]
        if differences.any():
            found[place] = wilcoxon(differences[differences != 0].tolist()).pvalue
    return found


def tukey_p(values: FloatArray, pairs: Pairs, which: IntArray, draws: int, seed: int) -> FloatArray:
    """Return p by randomised Tukey HSD: systems are permuted within each query, and differences compared with max -
    min.

    For only two systems this is the sign-flip test, which gives its raw p.

    Source: Carterette, Multiple testing in statistical analysis of systems-based IR experiments, ACM TOIS 30, 2012.
    """
    random = np.random.default_rng([seed, _TUKEY])
    n = values.shape[1]
    reached = np.zeros(which.size, dtype=np.int64)
    observed = pairs.reached_from[which]
    for _ in range(draws):
        means = random.permuted(values, axis=0).sum(axis=1) / n
        reached += means.max() - means.min() >= observed
    return (1 + reached) / (draws + 1)


# --- Paired randomization tests of all pairs, and their step-down max-T adjustment ---
# If two systems are equally good, the sign of their difference on a query is random. Every draw flips the signs of some
# queries, the same ones for all systems, so that correlations between systems are preserved. The studentised difference
# t is an increasing function of r = |mean difference| / root mean square difference. It is the same function for all
# pairs, because flipping signs does not change the squares: t² = (n-1) r² / (1-r²). So r is sufficient.
# Sources: Westfall & Young, Resampling-Based Multiple Testing, 1993, algorithm 2.8 (step-down); Boytsov, Belova &
# Westfall, Deciding on an adjustment for multiplicity in IR experiments, SIGIR 2013; for ranks Mogstad, Romano, Shaikh
# & Wilhelm, Inference for ranks, Review of Economic Studies 91, 2024.

_BLOCK_CELLS = 2_000_000


class Randomization:
    """The means of all systems under every draw of signs, and p computed from them.

    Attributes:
        means: (systems, draws).
        exact: True if the draws are all possible sign patterns.
    """

    def __init__(self, values: FloatArray, pairs: Pairs, draws: int, seed: int) -> None:
        n = values.shape[1]
        self._pairs = pairs
        self.exact = n <= EXACT_QUERIES
        self.means = np.concatenate([values @ (block.T / n) for block in sign_flips(n, draws, seed)], axis=1)
        self._observed = pairs.statistic_reached_from.tolist()
        self._one = np.empty(self.means.shape[1])

    def _statistic(self, pair: int) -> FloatArray:
        """Return (draws,) the pair's statistic, in an array that the next call overwrites."""
        return self._pairs.statistic_of(pair, self.means, self._one)

    def _p(self, reached: IntArray) -> FloatArray:
        n_draws = self.means.shape[1]
        found: FloatArray = reached / n_draws if self.exact else (1 + reached) / (n_draws + 1)
        return found

    @cached_property
    def raw(self) -> FloatArray:
        """(pairs,) two-sided p: exact where at most `EXACT_QUERIES` queries differ, (1 + c) / (B + 1) otherwise."""
        observed = track_progress(self._observed, lambda _: "tests of pairs")
        reached = [np.count_nonzero(self._statistic(pair) >= least) for pair, least in enumerate(observed)]
        found = self._p(np.array(reached, dtype=np.int64))
        if not self.exact:
            exact_p_of_short_pairs(self._pairs, np.arange(self._pairs.n), found)
        return found

    def adjusted(self, family: IntArray) -> FloatArray:
        """Return (pairs of the family,) p adjusted by step-down max-T.

        In decreasing order, each statistic is compared with the maximum over all remaining ones. No p is less than one
        before it, or than its raw p.
        """
        if family.size == 1:
            return self.raw[family]
        order = np.argsort(-self._pairs.statistic[family], kind="stable")
        largest = np.zeros(self.means.shape[1])
        reached = np.zeros(family.size, dtype=np.int64)
        for place in track_progress(order[::-1].tolist(), lambda _: "adjusted p of pairs"):
            pair = int(family[place])
            np.maximum(largest, self._statistic(pair), out=largest)
            reached[place] = np.count_nonzero(largest >= self._observed[pair])
        found = np.empty(family.size)
        found[order] = np.maximum.accumulate(np.maximum(self._p(reached), self.raw[family])[order])
        return found


def exact_p_of_short_pairs(pairs: Pairs, family: IntArray, raw: FloatArray) -> None:
    """Replace p of the family's pairs by the exact one if few queries differ.

    Args:
        raw: (pairs of the family,) changed in place.
    """
    n_queries, differing = pairs.values.shape[1], pairs.differing[family]
    for length in sorted({length for length in differing.tolist() if length <= EXACT_QUERIES}):
        places = np.flatnonzero(differing == length)
        if length == 0:
            raw[places] = 1.0
            continue
        signs = all_signs(length)
        size = max(_BLOCK_CELLS // len(signs), 1)
        for start in range(0, places.size, size):
            some = family[places[start : start + size]]
            differences = pairs.differences(some)
            kept = np.take_along_axis(differences, np.argsort(np.abs(differences), axis=1)[:, -length:], axis=1)
            sums = np.abs(kept @ signs.T)
            raw[places[start : start + size]] = (sums >= pairs.reached_from[some, None] * n_queries).mean(axis=1)


# --- Tests and intervals of a family of pairs from one critical value, so that they cannot contradict each other ---
# Under the null hypothesis the sign of a pair's difference on a query is random. Every draw flips the signs of some
# queries, the same ones for all pairs. Two maxima over the family are drawn: U, of the flipped differences, determines
# the verdicts; V, of the flipped deviations from the mean difference, determines the intervals. Adjusted p and the
# critical value c are both computed from U and V, and the interval of a difference d is d - c se to d + c se. Therefore
# the interval of a pair excludes 0 exactly if its adjusted p is at most alpha.
# Source of the maximum over a family: Westfall & Young, Resampling-Based Multiple Testing, 1993 (single-step max-T).

_BLOCK_ROWS = 512
_ROUNDING = 1e-9
"""Tolerance for rounding errors in alpha times the number of draws."""


@dataclass(frozen=True, slots=True, eq=False)
class Simultaneous:
    """The tests and intervals of the pairs of a family.

    Attributes:
        p: (pairs,) two-sided p of each pair alone, at most its adjusted p.
        adjusted: (pairs,) two-sided p over the family.
        better: (pairs,) True if the system with the better mean is significantly better.
        low: (pairs,) lower end of the interval of |difference|, equal to it if the standard error is 0; NaN without a
            critical value.
        high: (pairs,) upper end of the interval.
        standard_error: (pairs,) standard error of the mean difference.
        critical_value: c; None if the number of queries or draws allows no verdict.
        exact: True if all sign patterns were tried.
    """

    p: FloatArray
    adjusted: FloatArray
    better: BoolArray
    low: FloatArray
    high: FloatArray
    standard_error: FloatArray
    critical_value: float | None
    exact: bool

    @property
    def reach(self) -> float:
        """The critical value; infinite if there is none."""
        return math.inf if self.critical_value is None else self.critical_value


def simultaneous(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> Simultaneous:
    """Test a family of pairs and compute their intervals.

    Args:
        pairs: pairs with two queries or more.
        family: all pairs, or the pairs of one system.
        draws: number of random sign patterns; with few queries all patterns are tried instead.
    """
    n = pairs.values.shape[1]
    signs, exact = _signs(pairs, family, draws, seed)
    least = pairs.statistic[family] * (1 - TIE)
    turned, deviating, reached = _maxima(pairs, family, least, signs)
    maxima = [turned] if family.size == 1 else [turned, deviating]
    size = turned.size
    count = np.max([size - np.searchsorted(np.sort(each), least, "left") for each in maxima], axis=0)
    allowed = math.floor(alpha * size + _ROUNDING) if exact else math.floor(alpha * (size + 1) + _ROUNDING) - 1
    critical = _critical_value(maxima, allowed, n, exact)
    difference = pairs.difference[family]
    better = (difference != 0) & (count <= allowed) & (critical is not None)
    adjusted = _p(count, size, exact)
    adjusted = np.where(better, np.minimum(adjusted, alpha), adjusted)
    raw = _p(reached, size, exact)
    if not exact:
        exact_p_of_short_pairs(pairs, family, raw)
    adjusted[difference == 0] = raw[difference == 0] = 1.0
    error = pairs.deviation[family] / math.sqrt(n)
    low, high = _intervals(np.abs(difference), error, critical, better)
    return Simultaneous(np.minimum(raw, adjusted), adjusted, better, low, high, error, critical, exact)


def _signs(pairs: Pairs, family: IntArray, draws: int, seed: int) -> tuple[Iterator[FloatArray], bool]:
    """Return blocks of (draws, queries) signs, and whether they are all possible patterns.

    For a single pair, signs of queries without a difference have no effect, so that fewer patterns are enough.
    """
    n = pairs.values.shape[1]
    if family.size == 1 and n > EXACT_QUERIES >= (differing := int(pairs.differing[family[0]])):
        signs = np.ones((max(2 ** (differing - 1), 1) if differing else 1, n))
        signs[:, pairs.differences(family)[0] != 0] = all_signs(differing)
        return iter([signs]), True
    return sign_flips(n, draws, seed), n <= EXACT_QUERIES


def _maxima(
    pairs: Pairs, family: IntArray, least: FloatArray, signs: Iterator[FloatArray]
) -> tuple[FloatArray, FloatArray, IntArray]:
    """Return U and V of every draw, and the number of draws in which each pair alone reaches ``least``."""
    values = pairs.values - pairs.values.mean(axis=0)
    centred = values - values.mean(axis=1, keepdims=True)
    groups, n = list(_groups(pairs, family)), values.shape[1]
    scales = [scale[family][:, None] for scale in (pairs.scale, pairs.deviation_scale)]
    reached, found = np.zeros(family.size, dtype=np.int64), []
    for block in signs:
        for start in range(0, len(block), _BLOCK_ROWS):
            drawn = block[start : start + _BLOCK_ROWS].T / n
            largest = np.zeros((2, drawn.shape[1]))
            for which, means in enumerate((values @ drawn, centred @ drawn)):
                for row, others, places in groups:
                    statistic = np.abs(means[others] - means[row])
                    statistic *= scales[which][places]
                    np.maximum(largest[which], statistic.max(axis=0), out=largest[which])
                    if which == 0:
                        reached[places] += np.count_nonzero(statistic >= least[places, None], axis=1)
            found.append(largest)
    turned, deviating = np.concatenate(found, axis=1)
    return turned, deviating, reached


def _groups(pairs: Pairs, family: IntArray) -> Iterator[tuple[int, slice | IntArray, slice]]:
    """Yield a row, the rows it is paired with, and the indices of these pairs in the family."""
    if family.size == pairs.n:
        start = 0
        for row in range(pairs.n_systems - 1):
            size = pairs.n_systems - row - 1
            yield row, slice(row + 1, None), slice(start, start + size)
            start += size
        return
    first, second = pairs.first[family], pairs.second[family]
    row = int(np.bincount(np.concatenate([first, second])).argmax())
    yield row, first + second - row, slice(None)


def _critical_value(maxima: Sequence[FloatArray], allowed: int, n: int, exact: bool) -> float | None:
    """Return c, which a studentised difference must exceed, or None if none can."""
    if allowed < (1 if exact else 0):
        return None
    place = max(maxima[0].size - 1 - allowed, 0)
    r = max(float(np.partition(each, place)[place]) for each in maxima) / (1 - TIE)
    return math.sqrt(n - 1) * r / math.sqrt(1 - r * r) if r < 1 else None


def _p(count: IntArray, size: int, exact: bool) -> FloatArray:
    """Return p from the number of draws that reach a pair's statistic. The observed pattern is one of all patterns."""
    found: FloatArray = np.maximum(count, 1) / size if exact else (1 + count) / (size + 1)
    return found


def _intervals(
    difference: FloatArray, error: FloatArray, critical: float | None, better: BoolArray
) -> tuple[FloatArray, FloatArray]:
    """Return both ends for absolute differences. Rounding never moves an end across 0, against the verdict."""
    if critical is None:
        nothing = np.full(difference.shape, math.nan)
        return nothing, nothing
    low, high = difference - critical * error, difference + critical * error
    low = np.where(better, np.maximum(low, _ROUNDING * difference), np.minimum(low, 0.0))
    return np.where(error == 0, difference, low), high


@dataclass(frozen=True, slots=True, eq=False)
class TestResults:
    """The tests of a family of pairs.

    Attributes:
        p: (pairs of the family,) p of each pair alone.
        adjusted: (pairs of the family,) p over the family, never below ``p``.
        better: (pairs of the family,) True if the better mean is significantly better.
        intervals: None for procedures that give only p.
    """

    p: FloatArray
    adjusted: FloatArray
    better: BoolArray
    intervals: Simultaneous | None = None


@dataclass(frozen=True, slots=True)
class Procedure:
    """A way to compare systems by their pairs.

    Attributes:
        title: its name for people.
        sentence: its description for the methods sentence of a paper; ``{called}`` is the word for a system.
        works: keys of its sources in `qc4/references.bib`.
        test: tests a family of pairs, given as (pairs, family, alpha, draws, seed); None if it tests no pairs.
        ranks: returns the best and the worst place of each system, given (pairs, alpha, draws, seed).
        has_intervals: True if verdicts, intervals and places follow from one critical value.
        draws: "signs" for random signs, which are exhaustive for few queries; "always" if it draws even for few
            queries; "never" if it draws nothing.
    """

    title: str
    sentence: str
    works: tuple[str, ...]
    test: Callable[[Pairs, IntArray, float, int, int], TestResults] | None = None
    ranks: Callable[[Pairs, float, int, int], tuple[IntArray, IntArray]] | None = None
    has_intervals: bool = False
    draws: Literal["signs", "always", "never"] = "signs"


def _by_p(pairs: Pairs, family: IntArray, alpha: float, raw: FloatArray, adjusted: FloatArray) -> TestResults:
    adjusted = np.maximum(adjusted, raw)
    better: BoolArray = (adjusted <= alpha) & (pairs.difference[family] != 0)
    return TestResults(raw, adjusted, better)


def _max_t(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> TestResults:
    found = simultaneous(pairs, family, alpha, draws, seed)
    return TestResults(found.p, found.adjusted, found.better, found)


def _step_down_max_t(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> TestResults:
    drawn = Randomization(pairs.values, pairs, draws, seed)
    return _by_p(pairs, family, alpha, drawn.raw[family], drawn.adjusted(family))


def _holm(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> TestResults:
    raw = Randomization(pairs.values, pairs, draws, seed).raw[family]
    return _by_p(pairs, family, alpha, raw, holm(raw))


def _benjamini_hochberg(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> TestResults:
    raw = Randomization(pairs.values, pairs, draws, seed).raw[family]
    return _by_p(pairs, family, alpha, raw, benjamini_hochberg(raw))


def _benjamini_hochberg_wilcoxon(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> TestResults:
    raw = wilcoxon_p(pairs, family)
    return _by_p(pairs, family, alpha, raw, benjamini_hochberg(raw))


def _tukey(pairs: Pairs, family: IntArray, alpha: float, draws: int, seed: int) -> TestResults:
    raw = Randomization(pairs.values, pairs, draws, seed).raw[family]
    return _by_p(pairs, family, alpha, raw, tukey_p(pairs.values, pairs, family, draws, seed))


def _marginal_ranks(pairs: Pairs, alpha: float, draws: int, seed: int) -> tuple[IntArray, IntArray]:
    """Return the best and worst places of each system, by step-down max-T over its differences with all others.

    The set of places of each system holds individually with the confidence 1 - alpha.
    """
    drawn = Randomization(pairs.values, pairs, draws, seed)
    low, high = np.ones(pairs.n_systems, dtype=np.int64), np.full(pairs.n_systems, pairs.n_systems)
    for row, family in enumerate(track_progress(pairs.of_each, lambda _: "rank sets of systems")):
        certain = family[drawn.adjusted(family) <= alpha]
        ahead = (pairs.difference[certain] > 0) == (pairs.first[certain] == row)
        low[row] += np.count_nonzero(~ahead)
        high[row] -= np.count_nonzero(ahead)
    return low, high


_BY_SIGNS = "two-sided paired randomization tests by"

REGISTRY: Mapping[str, Procedure] = {
    "max-t": Procedure(
        "single-step max-T",
        f"{_BY_SIGNS} single-step max-T",
        ("westfall1993", "boytsov2013"),
        _max_t,
        has_intervals=True,
    ),
    "step-down-max-t": Procedure(
        "step-down max-T", f"{_BY_SIGNS} step-down max-T", ("westfall1993", "boytsov2013"), _step_down_max_t
    ),
    "holm": Procedure("Holm", f"{_BY_SIGNS} Holm", ("holm1979",), _holm),
    "benjamini-hochberg": Procedure(
        "Benjamini-Hochberg", f"{_BY_SIGNS} Benjamini-Hochberg", ("benjamini1995",), _benjamini_hochberg
    ),
    "benjamini-hochberg-wilcoxon": Procedure(
        "Benjamini-Hochberg on Wilcoxon's test",
        "two-sided Wilcoxon tests adjusted by Benjamini-Hochberg",
        ("wilcoxon1945", "benjamini1995"),
        _benjamini_hochberg_wilcoxon,
        draws="never",
    ),
    "tukey": Procedure(
        "randomised Tukey HSD", f"{_BY_SIGNS} randomised Tukey HSD", ("carterette2012",), _tukey, draws="always"
    ),
    "marginal-ranks": Procedure(
        "marginal rank sets",
        "places of each {called} from its differences with all others by step-down max-T",
        ("mogstad2024", "westfall1993"),
        ranks=_marginal_ranks,
    ),
}
"""The procedures by their names in options. The first is the default."""
PROCEDURES = tuple(REGISTRY)
PROCEDURE_NAMES: Mapping[str, str] = {key: procedure.title for key, procedure in REGISTRY.items()}
"""Procedure -> its name for people."""
if TYPE_CHECKING:
    ProcedureName = str
else:
    ProcedureName = Literal[PROCEDURES]  # so that schemas list the names

"""Results of systems and of pairs from arrays: ranks, letters, and the differences that n queries can show."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ndtri

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.stats.pairs import Pairs
from qc4.stats.results import IntervalNote, Method, PairResult, SystemResult, Verdict
from qc4.stats.scores import Scores
from qc4.stats.tests import Simultaneous, TestResults

# Compact letter display: two systems share a letter exactly if they are not significantly different. Source: Piepho,
# An algorithm for a letter-based representation of all-pairwise comparisons, J. Computational and Graphical
# Statistics 13, 2004. His "insert and absorb" finds every group of systems of which no two differ and to which none
# can be added. These are the maximal cliques of a graph, which Bron and Kerbosch find much faster (Algorithm 457,
# Communications of the ACM 16, 1973; the pivot is from Tomita, Tanaka and Takahashi, Theoretical Computer Science
# 363, 2006).


def compact_letter_display(n: int, separated: Iterable[tuple[int, int]]) -> list[str]:
    """Return the letters of n systems, "a" for the group of the first. More than 26 groups are separated by commas.

    Args:
        separated: pairs of indices, 0 to n - 1, of systems that are significantly different.
    """
    together = [(1 << n) - 1 & ~(1 << place) for place in range(n)]
    for one, other in separated:
        together[one] &= ~(1 << other)
        together[other] &= ~(1 << one)
    members = sorted([place for place in range(n) if group >> place & 1] for group in _largest_groups(together))
    between = "," if len(members) > 26 else ""
    found: list[list[str]] = [[] for _ in range(n)]
    for number, group_members in enumerate(members):
        for place in group_members:
            found[place].append(letter(number))
    return [between.join(each) for each in found]


def _largest_groups(together: Sequence[int]) -> Iterator[int]:
    """Yield the maximal cliques of a graph as sets of indices, written as bits.

    Args:
        together: for each index the bits of the indices that may be in one group with it.
    """
    todo = [(0, (1 << len(together)) - 1, 0)]
    while todo:
        group, candidates, used = todo.pop()
        if not candidates:
            if not used:
                yield group
            continue
        # Every group that is still to be found contains the pivot or one of the candidates that differ from it.
        branches = min((candidates & ~together[place] for place in _places(candidates | used)), key=int.bit_count)
        for place in _places(branches):
            bit = 1 << place
            todo.append((group | bit, candidates & together[place], used & together[place]))
            candidates ^= bit
            used |= bit


def _places(bits: int) -> Iterator[int]:
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def letter(number: int) -> str:
    """Return the name of a group: a, b, .., z, aa, ab, .."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("a") + rest) + text
    return text


# Sample size: the differences that n queries can show, and the queries that a difference needs. Both are normal
# approximations with the critical value of the family, for a power of .8.

POWER = 0.8
Z_POWER = float(ndtri(POWER))


def minimum_detectable_difference(critical: float, error: FloatArray) -> FloatArray:
    """Return the smallest mean differences that are shown with `POWER`; infinite without a critical value.

    Args:
        critical: the critical value c.
        error: (m,) standard errors.
    """
    with np.errstate(invalid="ignore"):
        return (critical + Z_POWER) * error


def required_queries(n: int, critical: float, difference: FloatArray, error: FloatArray) -> FloatArray:
    """Return the number of queries that would show such differences with `POWER`; infinite if it is unknown.

    Args:
        difference: (m,) absolute mean differences on n queries, with standard errors ``error``.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        found = np.ceil(n * ((critical + Z_POWER) * error / difference) ** 2)
    return np.where(np.isfinite(found), found, math.inf)


@dataclass(frozen=True, slots=True, eq=False)
class SimultaneousPlaces:
    """Results for each system from the tests of all pairs; all (systems,)."""

    rank_low: IntArray
    rank_high: IntArray
    could_be_best: BoolArray
    behind_low: FloatArray
    behind_high: FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class WinnersAndLosers:
    """The family's pairs by better mean: (pairs of the family,) rows of winner and loser."""

    winner: IntArray
    loser: IntArray

    @classmethod
    def of(cls, pairs: Pairs, family: IntArray, place: IntArray) -> WinnersAndLosers:
        """Find winners and losers. If the means are equal, the system with the earlier place is the winner.

        Args:
            place: (systems,) the place of each row.
        """
        first, second, difference = pairs.first[family], pairs.second[family], pairs.difference[family]
        turned = (difference < 0) | ((difference == 0) & (place[first] > place[second]))
        return cls(np.where(turned, second, first), np.where(turned, first, second))


def simultaneous_places(
    n_systems: int, ends: WinnersAndLosers, better: BoolArray, intervals: Simultaneous, behind: FloatArray
) -> SimultaneousPlaces:
    """Derive places and distances from the verdicts and intervals of all pairs, without further tests.

    Args:
        behind: (systems,) the distance of each mean behind the best one.
    """
    beats = np.zeros((n_systems, n_systems), dtype=bool)
    beats[ends.winner[better], ends.loser[better]] = True
    could_be_best: BoolArray = np.logical_not(beats.any(axis=0))
    low, high = np.zeros((2, n_systems, n_systems))
    low[ends.winner, ends.loser], low[ends.loser, ends.winner] = intervals.low, -intervals.high
    high[ends.winner, ends.loser], high[ends.loser, ends.winner] = intervals.high, -intervals.low
    if intervals.critical_value is None:
        lowest, highest = np.zeros(n_systems), np.full(n_systems, math.nan)
    else:
        lowest = np.minimum(np.maximum(low.max(axis=0), 0.0), behind)
        highest = np.maximum(np.maximum(high[could_be_best].max(axis=0), 0.0), behind)
    return SimultaneousPlaces(1 + beats.sum(axis=0), n_systems - beats.sum(axis=1), could_be_best, lowest, highest)


def system_results(
    table: Scores,
    means: FloatArray,
    order: IntArray,
    same: float,
    *,
    behind: FloatArray,
    found: SimultaneousPlaces | None = None,
    ranks: tuple[IntArray, IntArray] | None = None,
    separated: list[tuple[int, int]] | None = None,
) -> tuple[SystemResult, ...]:
    """Return the results of the systems in this order.

    Args:
        means: (systems,) higher is better.
        same: maximum difference of means that share a rank.
        behind: (systems,) distance behind the best mean.
        found: places and distances by ``max-t``.
        ranks: places by another procedure.
        separated: indices in this order of the pairs that are significantly different; None for no letters.
    """
    letters = [""] * order.size if separated is None else compact_letter_display(order.size, separated)
    low, high = ranks or ((found.rank_low, found.rank_high) if found else (None, None))
    return tuple(
        SystemResult(
            system=table.systems[row],
            mean=table.sign * float(means[row]) + 0.0,
            rank=1 + int((means > means[row] + same).sum()),
            rank_low=None if low is None else int(low[row]),
            rank_high=None if high is None else int(high[row]),
            could_be_best=bool(found.could_be_best[row]) if found else None,
            behind=float(behind[row]),
            behind_low=_number(found.behind_low[row]) if found else None,
            behind_high=_number(found.behind_high[row]) if found else None,
            compact_letter_display=letters[place],
        )
        for place, row in enumerate(order.tolist())
    )


def pair_results(
    table: Scores,
    pairs: Pairs,
    family: IntArray,
    place: IntArray,
    ends: WinnersAndLosers,
    tested: TestResults | None,
    how: Method,
) -> tuple[PairResult, ...]:
    """Return the pairs of the family, in the order of the systems.

    Args:
        place: (systems,) the place of each row.
        tested: None for one query.
    """
    columns = _Columns(table, pairs, family, ends, tested, how)
    by_place = np.lexsort((place[ends.loser], place[ends.winner]))
    return tuple(columns.result(pair) for pair in by_place.tolist())


@dataclass
class _Columns:
    """All results for the pairs of a family, computed together."""

    table: Scores
    pairs: Pairs
    family: IntArray
    ends: WinnersAndLosers
    tested: TestResults | None
    how: Method
    wins: list[int] = field(init=False)

    def __post_init__(self) -> None:
        pairs, n, family, tested = self.pairs, self.table.n_queries, self.family, self.tested
        turned = self.ends.winner != pairs.first[family]
        ties = pairs.ties[family]
        wins = np.where(turned, n - pairs.wins[family] - ties, pairs.wins[family])
        difference, deviation = np.abs(pairs.difference[family]), pairs.deviation[family]
        error = deviation / math.sqrt(n)
        self.wins, self.ties, self.share = wins.tolist(), ties.tolist(), ((wins + ties / 2) / n).tolist()
        self.difference, self.error, self.deviation = difference.tolist(), _optional(error), _optional(deviation)
        nothing = np.full(family.size, math.nan)
        self.p, self.adjusted = (_optional(nothing),) * 2
        self.better = [False] * family.size
        low = high = detectable = required = nothing
        if tested is not None:
            self.p, self.adjusted, self.better = _optional(tested.p), _optional(tested.adjusted), tested.better.tolist()
            if tested.intervals is not None:
                low, high, reach = tested.intervals.low, tested.intervals.high, tested.intervals.reach
                detectable = minimum_detectable_difference(reach, error)
                required = np.where(tested.better, math.nan, required_queries(n, reach, difference, error))
        self.low, self.high = _optional(low), _optional(high)
        self.detectable, self.required = _optional(detectable), _optional(required)

    def result(self, pair: int) -> PairResult:
        n, wins, ties, required = self.table.n_queries, self.wins[pair], self.ties[pair], self.required[pair]
        difference, deviation = self.difference[pair], self.deviation[pair]
        low, high, note = self.low[pair], self.high[pair], self._interval_note(pair)
        margin = self.how.equivalence_margin
        return PairResult(
            a=self.table.systems[self.ends.winner[pair]],
            b=self.table.systems[self.ends.loser[pair]],
            queries=n,
            difference=difference,
            standard_error=self.error[pair],
            low=None if note else low,
            high=None if note else high,
            interval_note=note,
            p=self.p[pair],
            p_adjusted=self.adjusted[pair],
            verdict=self._verdict(pair),
            required_queries=None if required is None else int(required),
            minimum_detectable_difference=self.detectable[pair],
            standardised_difference=difference / deviation if deviation else None,
            probability_of_superiority=self.share[pair],
            wins=wins,
            ties=ties,
            losses=n - wins - ties,
            practically_equivalent=None if low is None or high is None else -margin <= low and high <= margin,
        )

    def _interval_note(self, pair: int) -> IntervalNote:
        if self.tested is None:
            return "one query"
        if self.tested.intervals is None:
            return "by p alone"
        if self.error[pair] == 0:
            return "the same on every query" if self.difference[pair] == 0 else "the same difference on every query"
        return "" if self.tested.intervals.critical_value is not None else "too few queries"

    def _verdict(self, pair: int) -> Verdict:
        if self.adjusted[pair] is None:
            return "untested"
        if self.difference[pair] == 0:
            return "no difference"
        return "better" if self.better[pair] else "not separated"


def _optional(values: FloatArray) -> list[float | None]:
    """Return the values as floats, with None for those that are not finite."""
    return [value if math.isfinite(value) else None for value in values.tolist()]


def _number(value: float) -> float | None:
    return float(value) if math.isfinite(value) else None

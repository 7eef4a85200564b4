"""From arrays to the results of systems and pairs, in the measure's own direction and the better one first."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.comparison.intervals import Intervals, wilson
from qc4.comparison.method import Method
from qc4.comparison.pairs import Pairs
from qc4.comparison.power import queries_needed, smallest_difference
from qc4.comparison.result import PairResult, SystemResult, Verdict
from qc4.comparison.scores import Scores


@dataclass(slots=True)
class Tested:
    """What the tests say.

    Attributes:
        p: (pairs,) raw.
        adjusted: (pairs,) NaN outside the family.
        rank_low: (systems,) the best place each may have.
        rank_high: (systems,) the worst.
        with_leader: (systems,) whether each cannot be told from the best mean.
    """

    p: FloatArray
    adjusted: FloatArray
    rank_low: IntArray
    rank_high: IntArray
    with_leader: BoolArray


def system_results(
    table: Scores, means: FloatArray, order: IntArray, intervals: Intervals, tested: Tested | None, same: float
) -> tuple[SystemResult, ...]:
    """The systems in this order.

    Args:
        means: (systems,) higher is better.
        tested: None for one query.
        same: means this near share a rank.
    """
    low, high = _ends(intervals, np.full(means.size, table.sign < 0))
    return tuple(
        SystemResult(
            system=table.systems[row],
            mean=table.sign * float(means[row]) + 0.0,
            low=low[row],
            high=high[row],
            interval=intervals.kinds[row],
            rank=1 + int((means > means[row] + same).sum()),
            rank_low=int(tested.rank_low[row]) if tested else None,
            rank_high=int(tested.rank_high[row]) if tested else None,
            with_leader=bool(tested.with_leader[row]) if tested else None,
        )
        for row in order.tolist()
    )


def pair_results(
    table: Scores,
    pairs: Pairs,
    family: IntArray,
    order: IntArray,
    intervals: Intervals,
    tested: Tested | None,
    how: Method,
) -> tuple[PairResult, ...]:
    """The pairs of the family, in the order of the systems."""
    columns = _Columns(table, pairs, order, intervals, tested, how)
    by_place = np.lexsort((columns.place[columns.loser[family]], columns.place[columns.winner[family]]))
    return tuple(columns.result(pair) for pair in family[by_place].tolist())


@dataclass
class _Columns:
    """Everything about all pairs, worked out at once."""

    table: Scores
    pairs: Pairs
    order: IntArray
    intervals: Intervals
    tested: Tested | None
    how: Method
    place: IntArray = field(init=False)
    winner: IntArray = field(init=False)
    loser: IntArray = field(init=False)

    def __post_init__(self) -> None:
        pairs, n = self.pairs, self.table.n_queries
        self.place = np.argsort(self.order)
        turned = self.place[pairs.first] > self.place[pairs.second]
        self.winner = np.where(turned, pairs.second, pairs.first)
        self.loser = np.where(turned, pairs.first, pairs.second)
        self.low, self.high = _ends(self.intervals, turned)
        wins = np.where(turned, n - pairs.wins - pairs.ties, pairs.wins)
        share = (wins + pairs.ties / 2) / n
        self.wins, self.ties, self.share = wins.tolist(), pairs.ties.tolist(), share.tolist()
        self.share_low, self.share_high = (end.tolist() for end in wilson(share, n, self.how.confidence))
        self.difference, self.deviation = np.abs(pairs.difference).tolist(), pairs.deviation.tolist()
        self.smallest = _optional(smallest_difference(pairs.deviation, n, self.how.alpha))
        self.needed = _optional(queries_needed(pairs.difference, pairs.deviation, self.how.alpha))
        self.equal = _optional(self.intervals.near)
        nothing = np.full(pairs.n, math.nan)
        self.p = _optional(self.tested.p if self.tested else nothing)
        self.adjusted = _optional(self.tested.adjusted if self.tested else nothing)

    def result(self, pair: int) -> PairResult:
        n, wins, ties, needed = self.table.n_queries, self.wins[pair], self.ties[pair], self.needed[pair]
        difference, deviation = self.difference[pair], self.deviation[pair]
        return PairResult(
            a=self.table.systems[self.winner[pair]],
            b=self.table.systems[self.loser[pair]],
            queries=n,
            difference=difference,
            low=self.low[pair],
            high=self.high[pair],
            interval=self.intervals.kinds[pair],
            wins=wins,
            ties=ties,
            losses=n - wins - ties,
            probability=self.share[pair],
            probability_low=self.share_low[pair],
            probability_high=self.share_high[pair],
            effect=difference / deviation if deviation > 0 else None,
            equal=self.equal[pair],
            smallest=self.smallest[pair],
            needed=None if needed is None else int(needed),
            p=self.p[pair],
            p_adjusted=self.adjusted[pair],
            verdict=_verdict(difference, self.adjusted[pair], self.how.alpha),
        )


def _ends(intervals: Intervals, turned: BoolArray) -> tuple[list[float | None], list[float | None]]:
    """Both ends, with their signs and places changed where the estimate is turned."""
    low = np.where(turned, -intervals.high, intervals.low) + 0.0
    high = np.where(turned, -intervals.low, intervals.high) + 0.0
    return _optional(low), _optional(high)


def _optional(values: FloatArray) -> list[float | None]:
    """The values, None for those that are no number."""
    return [value if math.isfinite(value) else None for value in values.tolist()]


def _verdict(difference: float, adjusted: float | None, alpha: float) -> Verdict:
    if adjusted is None:
        return "untested"
    if difference == 0:
        return "no difference"
    return "better" if adjusted <= alpha else "not separated"

"""What a comparison found: one object that pages, answers, files and sentences all read."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from qc4.comparison.friedman import Friedman
from qc4.comparison.intervals import Kind
from qc4.comparison.method import Method
from qc4.comparison.repeats import Repeats
from qc4.comparison.scores import Better, Missing
from qc4.records import Record

Verdict = Literal["better", "not separated", "no difference", "untested"]
Family = Literal["all", "baseline"]


@dataclass(frozen=True, slots=True)
class SystemResult(Record):
    """One system.

    Attributes:
        mean: over the queries; ``low`` and ``high`` are the ends of its interval, None for one query.
        interval: how the interval was made.
        rank: 1 for the best mean; equal means share it.
        rank_low: the best place it may have, given the confidence set; None for one query.
        rank_high: the worst.
        with_leader: whether it cannot be told from the best mean; None for one query.
    """

    system: str
    mean: float
    low: float | None
    high: float | None
    interval: Kind
    rank: int
    rank_low: int | None
    rank_high: int | None
    with_leader: bool | None


@dataclass(frozen=True, slots=True)
class PairResult(Record):
    """Two systems, ``a`` with the better mean (by name where they are equal).

    Attributes:
        difference: how much better a is on average, never negative, whichever direction is better.
        low: of its interval; None for one query.
        wins: queries on which a is better.
        probability: that a is better on a query, ties counted half; ``probability_low`` and ``_high`` are the ends of
            Wilson's interval.
        effect: the difference over the standard deviation of differences; None where that is 0.
        equal: share of resampled differences within the margin of practical equality.
        smallest: the smallest difference that so many queries show with power .8 (approximately).
        needed: queries that would show this difference with power .8 (approximately); None for no difference.
        p: two-sided, of this pair alone; None for one query.
        p_adjusted: over the family; None for pairs outside it.
    """

    a: str
    b: str
    queries: int
    difference: float
    low: float | None
    high: float | None
    interval: Kind
    wins: int
    ties: int
    losses: int
    probability: float
    probability_low: float
    probability_high: float
    effect: float | None
    equal: float | None
    smallest: float | None
    needed: int | None
    p: float | None
    p_adjusted: float | None
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class SetAside(Record):
    """A system that is not compared: it has values on ``queries`` of ``asked`` queries only, ``mean`` over these."""

    system: str
    mean: float | None
    queries: int
    asked: int


@dataclass(frozen=True)
class Comparison(Record):
    """Systems compared on the same queries.

    Attributes:
        family: what p are adjusted over: all pairs, or all systems against the baseline.
        method: how it was done.
        queries: how many all figures are over.
        left_out: queries that not all systems have, under the rule ``skip``.
        filled: missing cells that count as the worst value, under the rule ``zero``.
        note: why there is nothing but means; empty otherwise.
        systems: the best mean first.
        pairs: of the family; all pairs, or those with the baseline; in the order of the systems.
        repeats: runs folded into systems, and where their variance lies; None where rows are no runs.
        set_aside: systems with values on too few queries to be compared; None where nobody is.
        friedman: None for fewer than three systems, or where there is nothing to test.
    """

    KEYS = (
        "family baseline procedure=method.procedure ranks=method.ranks alpha=method.alpha draws=method.draws "
        "seed=method.seed margin=method.margin better missing queries left_out filled note systems pairs friedman "
        "repeats? set_aside?"
    )

    family: Family
    baseline: str | None
    method: Method
    better: Better
    missing: Missing
    query_keys: tuple[str, ...]
    left_out: tuple[str, ...]
    filled: int
    note: str
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    friedman: Friedman | None
    repeats: Repeats | None = None
    set_aside: tuple[SetAside, ...] | None = None

    @property
    def queries(self) -> int:
        return len(self.query_keys)

    @property
    def least_queries(self) -> int:
        """How many queries any verdict needs: with fewer even the most extreme pattern of signs is too likely."""
        return 1 + math.ceil(math.log2(1 / self.method.alpha))

    @property
    def leader(self) -> SystemResult:
        return self.systems[0]

    @cached_property
    def _by_names(self) -> dict[frozenset[str], PairResult]:
        return {frozenset((pair.a, pair.b)): pair for pair in self.pairs}

    def pair(self, one: str, other: str) -> PairResult:
        """The result of two systems, in either order.

        Raises:
            KeyError: they are not a pair of the family.
        """
        return self._by_names[frozenset((one, other))]

    def with_leader(self) -> Iterator[SystemResult]:
        """The systems that cannot be told from the leader, itself among them."""
        return (system for system in self.systems if system.with_leader)

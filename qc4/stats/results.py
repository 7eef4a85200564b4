"""The result of a comparison, the one object that pages, API, files, charts and sentences read."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from qc4.problems import ProblemList
from qc4.records import Record
from qc4.stats.repeats import Repeats
from qc4.stats.scores import LARGEST, Better, Missing
from qc4.stats.tests import PROCEDURES, ProcedureName

# --- Options of a comparison: everything needed to repeat it ---

MIN_ALPHA = 1e-6
"""Smallest alpha. Below it no test has enough draws, and the quantiles become infinite."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """Options of a comparison.

    Attributes:
        alpha: probability of any false verdict in the family; all intervals together have the confidence 1 - alpha.
        draws: number of random sign patterns, and of bootstrap samples for means and F of the means.
        seed: seed of the random draws.
        procedure: how pairs are tested. ``max-t`` (single-step max-T) gives verdicts, intervals, places and distances
            from one critical value. The others give only p: ``step-down-max-t``, ``holm`` and ``benjamini-hochberg`` on
            sign-flip tests, ``benjamini-hochberg-wilcoxon`` on Wilcoxon's signed-rank tests, and ``tukey`` (randomised
            Tukey HSD). Both Benjamini-Hochberg procedures bound the share of false verdicts, not the probability of
            one. ``marginal-ranks`` gives a set of places for each system individually and tests no pairs.
        equivalence_margin: a pair is practically equivalent if its whole interval is within this distance of 0.

    Raises:
        InputError: options out of range.
    """

    alpha: float = 0.05
    draws: int = 10_000
    seed: int = 0
    procedure: ProcedureName = "max-t"
    equivalence_margin: float = 0.01

    def __post_init__(self) -> None:
        problems = ProblemList()
        for name, good, expected in (
            ("alpha", MIN_ALPHA <= self.alpha < 1, f"a number from {MIN_ALPHA:f} to below 1, such as 0.05"),
            ("draws", 100 <= self.draws <= 1_000_000, "a whole number from 100 to 1,000,000"),
            ("seed", self.seed >= 0, "a whole number, 0 or more"),
            ("equivalence_margin", 0 <= self.equivalence_margin <= LARGEST, f"a number from 0 to {LARGEST:g}"),
        ):
            if not good:
                problems.error("out-of-range", name, str(getattr(self, name)), expected)
        if self.procedure not in PROCEDURES:
            problems.error("unknown-choice", "procedure", repr(self.procedure), f"one of {', '.join(PROCEDURES)}")
        problems.refuse_errors()

    @property
    def confidence(self) -> float:
        return 1 - self.alpha


Verdict = Literal["better", "not separated", "no difference", "untested"]
Family = Literal["all", "baseline", "pair"]
IntervalNote = Literal[
    "", "one query", "too few queries", "the same on every query", "the same difference on every query", "by p alone"
]


@dataclass(frozen=True, slots=True)
class SystemResult(Record):
    """One system.

    Places, distances and letters follow from the tests of all pairs by ``max-t`` and hold together with the confidence
    of the comparison. They are None (letters empty) in the families ``baseline`` and ``pair``, for one query, and under
    procedures that do not give them.

    Attributes:
        mean: mean over the queries.
        rank: 1 for the best mean; equal means share a rank.
        rank_low: the best place that the tests allow. (``marginal-ranks``: for this system individually.)
        rank_high: the worst place that the tests allow.
        could_be_best: True if no system is significantly better.
        behind: distance of the mean behind the best mean, never negative, whichever direction is better.
        behind_low: lower end of its distance behind the best system; 0 exactly if it could be the best.
        behind_high: upper end of this distance; None if there are too few queries for intervals.
        compact_letter_display: two systems share a letter exactly if they are not significantly different.
    """

    system: str
    mean: float
    rank: int
    rank_low: int | None
    rank_high: int | None
    could_be_best: bool | None
    behind: float
    behind_low: float | None
    behind_high: float | None
    compact_letter_display: str


@dataclass(frozen=True, slots=True)
class PairResult(Record):
    """Two systems, of which ``a`` has the better mean (by name if they are equal).

    Attributes:
        difference: mean advantage of a over b, never negative, whichever direction is better.
        standard_error: standard error of the mean difference; None for one query.
        low: lower end of the interval, simultaneous over the family; it excludes 0 exactly if the verdict is "better".
        high: upper end of the interval.
        interval_note: why there is no interval; empty if there is one.
        p: two-sided p of this pair alone; None for one query.
        p_adjusted: p adjusted over the family, never below p.
        required_queries: approximate number of queries that would show this difference with power .8; None if it is
            already shown, if there is no difference, or if it is unknown.
        minimum_detectable_difference: the smallest difference that this number of queries shows with power .8
            (approximately).
        standardised_difference: the difference divided by the standard deviation of differences; None if that is 0.
        probability_of_superiority: share of queries on which a is better, ties counted half.
        wins: number of queries on which a is better.
        practically_equivalent: True if the whole interval is within the equivalence margin; None without one.
    """

    a: str
    b: str
    queries: int
    difference: float
    standard_error: float | None
    low: float | None
    high: float | None
    interval_note: IntervalNote
    p: float | None
    p_adjusted: float | None
    verdict: Verdict
    required_queries: int | None
    minimum_detectable_difference: float | None
    standardised_difference: float | None
    probability_of_superiority: float
    wins: int
    ties: int
    losses: int
    practically_equivalent: bool | None

    @property
    def is_same(self) -> bool:
        """True if both have the same score on every query."""
        return self.ties == self.queries


@dataclass(frozen=True, slots=True)
class IncompleteSystem(Record):
    """A system that is not compared, because it has values on only ``queries`` of ``asked`` queries."""

    system: str
    mean: float | None
    queries: int
    asked: int


@dataclass(frozen=True, slots=True)
class ReferenceResult(Record):
    """A reference clustering, shown for scale and never ranked or tested.

    Attributes:
        mean: mean over the queries of the comparison on which it has a value; None if there are none.
        queries: number of these queries.
    """

    system: str
    mean: float | None
    queries: int


@dataclass(frozen=True, slots=True)
class FamilySummary(Record):
    """Facts for sentences about all systems that are tested together, whichever of them are shown.

    Attributes:
        leader: the first of the systems with the best mean.
        leaders: the systems with the best mean; more than one if they are equal.
        could_be_best: systems that no other is significantly better than, best mean first.
        separated: number of pairs that are significantly different.
        baseline_better: number of these in which the baseline is the better one.
    """

    leader: str
    leaders: tuple[str, ...]
    could_be_best: tuple[str, ...]
    separated: int
    baseline_better: int


@dataclass(frozen=True)
class Comparison(Record):
    """Systems compared on the same queries.

    Attributes:
        family: the pairs that are tested together: all, those with the baseline, or one pair alone.
        family_size: number of these pairs.
        family_systems: number of systems in them.
        method: the options.
        critical_value: c of ``max-t``: a difference of more than c standard errors is significant. None if the number
            of queries or draws allows no verdict, and under other procedures.
        any_difference_p: p for the hypothesis that no pair of the family differs: the smallest adjusted p.
        queries: number of queries behind all results.
        left_out: queries that not all systems have, under the rule ``skip``.
        filled: number of missing cells that count as the worst value, under the rule ``worst``.
        note: why there are only means; empty otherwise.
        systems: the systems, best mean first.
        pairs: the pairs of the family, in the order of the systems.
        repeats: the runs of each system, and their variance; None if rows are not runs.
        incomplete_systems: systems with values on too few queries to be compared; None if there are none.
        references: reference clusterings, best mean first; None if there are none.
        summary: facts about all systems if only some are shown; None if all are.
    """

    KEYS = (
        "family family_size baseline procedure=method.procedure alpha=method.alpha draws=method.draws "
        "seed=method.seed equivalence_margin=method.equivalence_margin better missing queries left_out filled note "
        "critical_value any_difference_p systems pairs repeats? incomplete_systems? references?"
    )

    family: Family
    family_size: int
    family_systems: int
    baseline: str | None
    method: Method
    critical_value: float | None
    any_difference_p: float | None
    better: Better
    missing: Missing
    query_keys: tuple[str, ...]
    left_out: tuple[str, ...]
    filled: int
    note: str
    systems: tuple[SystemResult, ...]
    pairs: tuple[PairResult, ...]
    repeats: Repeats | None = None
    incomplete_systems: tuple[IncompleteSystem, ...] | None = None
    references: tuple[ReferenceResult, ...] | None = None
    summary: FamilySummary | None = None

    @property
    def queries(self) -> int:
        return len(self.query_keys)

    @property
    def of_family(self) -> FamilySummary:
        """Facts about all systems that are tested together."""
        if self.summary is not None:
            return self.summary
        separated = [pair for pair in self.pairs if pair.verdict == "better"]
        return FamilySummary(
            leader=self.leader.system,
            leaders=tuple(system.system for system in self.systems if system.rank == self.leader.rank),
            could_be_best=tuple(system.system for system in self.could_be_best()),
            separated=len(separated),
            baseline_better=sum(pair.a == self.baseline for pair in separated),
        )

    @property
    def least_queries(self) -> int:
        """Minimum number of queries for any verdict. With fewer, even the most extreme sign pattern is too likely."""
        return 1 + math.ceil(math.log2(1 / self.method.alpha) - 1e-9)

    @property
    def leader(self) -> SystemResult:
        return self.systems[0]

    @cached_property
    def _by_names(self) -> dict[frozenset[str], PairResult]:
        return {frozenset((pair.a, pair.b)): pair for pair in self.pairs}

    def pair(self, one: str, other: str) -> PairResult:
        """Return the result of two systems, in either order.

        Raises:
            KeyError: they are not a pair of the family.
        """
        return self._by_names[frozenset((one, other))]

    def pair_or_none(self, one: str, other: str) -> PairResult | None:
        """Return the result of two systems, in either order, or None if they are not a pair of the family."""
        return self._by_names.get(frozenset((one, other)))

    def could_be_best(self) -> Iterator[SystemResult]:
        """Iterate over the systems that no other is significantly better than; the leader is always one of them."""
        return (system for system in self.systems if system.could_be_best)

    def showing(self, names: Collection[str]) -> Comparison:
        """Return the same comparison with only these systems shown.

        Places, verdicts, intervals and the critical value stay those of the whole family. Sentences about the leader
        (`qc4.stats.leader_sentence`) are about the whole comparison, so create them first.
        """
        return replace(
            self,
            systems=tuple(system for system in self.systems if system.system in names),
            pairs=tuple(pair for pair in self.pairs if pair.a in names and pair.b in names),
            summary=self.of_family,
        )

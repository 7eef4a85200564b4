"""The result of a comparison: the one object that pages, API, files, pictures and sentences read."""

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

# Options of a comparison: what a reader has to know to do it again.

LEAST_ALPHA = 1e-6
"""Below it nothing could be shown: no test has so many draws, and the quantiles end in infinity."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """Options of a comparison.

    Attributes:
        alpha: the chance of any false verdict in the family; all intervals together have the confidence 1 - alpha.
        draws: number of random sign patterns, and of bootstrap samples for means and F of the means.
        seed: of the random draws.
        procedure: how pairs are tested. ``max-t`` (single-step max-T) gives verdicts, intervals, places and distances
            from one critical value. The others give p alone: ``step-down-max-t``, ``holm`` and ``benjamini-hochberg``
            on sign-flip tests, ``benjamini-hochberg-wilcoxon`` on Wilcoxon's signed-rank tests, and ``tukey``
            (randomised Tukey HSD). Both of Benjamini-Hochberg bound the share of false verdicts, not the chance of
            one. ``marginal-ranks`` gives a set of places for each system by itself and tests no pairs.
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
            ("alpha", LEAST_ALPHA <= self.alpha < 1, f"a number from {LEAST_ALPHA:f} to below 1, such as 0.05"),
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
        mean: over the queries.
        rank: 1 for the best mean; equal means share it.
        rank_low: the best place that the tests allow. (``marginal-ranks``: for this system by itself.)
        rank_high: the worst place.
        could_be_best: True if no system is significantly better.
        behind: by how much the mean is behind the best mean, 0 or more whichever direction is better.
        behind_low: lower end of its distance behind the best system; 0 exactly if it could be the best.
        behind_high: upper end; None also if there are too few queries for intervals.
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
    """Two systems, ``a`` with the better mean (by name where they are equal).

    Attributes:
        difference: how much better a is on average, never negative, whichever direction is better.
        standard_error: of the mean difference; None for one query.
        low: of the interval, simultaneous over the family; it excludes 0 exactly if the verdict is "better".
        high: of the interval.
        interval_note: why there is no interval; empty if there is one.
        p: two-sided, of this pair alone; None for one query.
        p_adjusted: over the family, never below p.
        required_queries: approximate number of queries that would show this difference with power .8; None if it is
            shown already, if there is no difference, or if that is unknown.
        minimum_detectable_difference: the smallest difference that this number of queries shows with power .8
            (approximately).
        standardised_difference: the difference over the standard deviation of differences; None where that is 0.
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
    """A system that is not compared: it has values, of this mean, on ``queries`` of ``asked`` queries only."""

    system: str
    mean: float | None
    queries: int
    asked: int


@dataclass(frozen=True, slots=True)
class ReferenceResult(Record):
    """A reference clustering, shown for scale and never ranked or tested.

    Attributes:
        mean: over the queries of the comparison on which it has a value; None if there are none.
        queries: number of these queries.
    """

    system: str
    mean: float | None
    queries: int


@dataclass(frozen=True, slots=True)
class FamilySummary(Record):
    """What sentences say of all systems that are tested together, whichever of them are shown.

    Attributes:
        leader: the first of the systems with the best mean.
        leaders: the systems with the best mean; more than one if they are equal.
        could_be_best: systems that no other is significantly better than, the best mean first.
        separated: the number of pairs that are significantly different.
        baseline_better: the number of these in which the baseline is the better one.
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
        family_size: the number of these pairs.
        family_systems: the number of systems in them.
        method: the options.
        critical_value: c of ``max-t``: a difference of more than c standard errors is significant. None if the number
            of queries or draws allows no verdict, and under other procedures.
        any_difference_p: p for the hypothesis that no pair of the family differs: the smallest adjusted p.
        queries: the number of queries that all figures are over.
        left_out: queries that not all systems have, under the rule ``skip``.
        filled: number of missing cells that count as the worst value, under the rule ``worst``.
        note: why there are only means; empty otherwise.
        systems: the best mean first.
        pairs: those of the family, in the order of the systems.
        repeats: runs folded into systems, and their variance; None where rows are not runs.
        incomplete_systems: systems with values on too few queries to be compared; None if there are none.
        references: reference clusterings, the best mean first; None if there are none.
        summary: of all systems, where only some of them are shown; None where all are.
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
        """What is true of all systems that are tested together."""
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
        """Number of queries that any verdict needs: with fewer even the most extreme pattern of signs is too likely."""
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
        """Return the result of two systems, in either order; None if they are not a pair of the family."""
        return self._by_names.get(frozenset((one, other)))

    def could_be_best(self) -> Iterator[SystemResult]:
        """Iterate over the systems that no other is significantly better than; the leader is always one of them."""
        return (system for system in self.systems if system.could_be_best)

    def showing(self, names: Collection[str]) -> Comparison:
        """Return the same comparison with only these systems shown.

        Places, verdicts, intervals and the critical value stay those of the whole family. Sentences about the leader
        (`qc4.stats.leader_sentence`) are about the whole comparison: form them before.
        """
        return replace(
            self,
            systems=tuple(system for system in self.systems if system.system in names),
            pairs=tuple(pair for pair in self.pairs if pair.a in names and pair.b in names),
            summary=self.of_family,
        )

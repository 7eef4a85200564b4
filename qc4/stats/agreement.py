"""Agreement of measures: whether they rank the systems in the same order, and where they contradict each other.

Sources: Kendall, Biometrika 33, 1945 (tau-b); Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006
(discriminative power).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.stats.draws import means_of, resampled
from qc4.stats.intervals import percentile
from qc4.stats.pairs import Pairs
from qc4.stats.results import Comparison, Method
from qc4.stats.scores import Better, Scores, aligned_tables, read_scores
from qc4.stats.tests import PROCEDURES, REGISTRY, ProcedureName
from qc4.wording import counted

TAU_DRAWS = 1_000


@dataclass(frozen=True, slots=True)
class Contradiction(Record):
    """Two systems: one measure finds a significantly better, and the other measure finds b significantly better."""

    a: str
    b: str


@dataclass(frozen=True, slots=True)
class MeasureAgreement(Record):
    """The agreement of two measures.

    Attributes:
        tau: Kendall's tau-b of the systems' means, -1 to 1; None if a measure gives all systems the same mean.
        low: lower end of the percentile interval of tau over resampled queries.
        contradictions: pairs of systems for which both measures find a significant difference, in opposite directions.
    """

    one: str
    other: str
    tau: float | None
    low: float | None
    high: float | None
    contradictions: tuple[Contradiction, ...]


@dataclass(frozen=True)
class MeasureComparison(Record):
    """Several measures on the same systems and queries.

    Attributes:
        systems: names of the systems, sorted.
        power: measure -> discriminative power, the share of pairs of systems with a significant difference.
        curves: measure -> adjusted p of all pairs, in increasing order.
    """

    KEYS = "systems queries alpha procedure draws seed agreements power curves"

    systems: tuple[str, ...]
    queries: int
    alpha: float
    procedure: ProcedureName
    draws: int
    seed: int
    agreements: tuple[MeasureAgreement, ...]
    power: Mapping[str, float | None]
    curves: Mapping[str, tuple[float, ...]]

    @property
    def pairs(self) -> int:
        """Number of pairs of systems."""
        return len(self.systems) * (len(self.systems) - 1) // 2

    def agreement(self, one: str, other: str) -> MeasureAgreement:
        """Return the agreement of two measures, in either order.

        Raises:
            KeyError: the measures are not among those compared.
        """
        for found in self.agreements:
            if {found.one, found.other} == {one, other}:
                return found
        raise KeyError((one, other))


def compare_measures(
    scores: Mapping[str, Any],
    systems: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    *,
    better: Mapping[str, Better] | None = None,
    alpha: float = 0.05,
    draws: int = 10_000,
    seed: int = 0,
    procedure: ProcedureName = "tukey",
) -> MeasureComparison:
    """Compare measures on all queries for which every measure has a value for every system.

    Args:
        scores: measure -> (systems, queries) numbers, with NaN for missing values; or data frames or dicts as in
            `compare`, joined by their names.
        better: measure -> "higher" or "lower", whichever is better; "higher" by default.
        procedure: how the pairs of systems are tested; randomised Tukey HSD is usual for discriminative power.

    Raises:
        InputError: tables of different shapes, or as in `compare`.
    """
    if len(scores) < 2:
        expected = "two tables or more, each of one measure"
        raise InputError([Problem("bad-scores", "scores", counted(len(scores), "table"), expected)])
    if procedure in PROCEDURES and REGISTRY[procedure].test is None:
        raise InputError([Problem("unknown-choice", "procedure", repr(procedure), "a procedure that tests pairs")])
    named = aligned_tables(scores, systems, queries)
    arrays = {measure: table.values for measure, table in named.items()}
    first_named = next(iter(named.values()))
    systems, queries = first_named.systems, first_named.queries
    absent = np.logical_or.reduce([np.isnan(array) for array in arrays.values()])
    directions = better or {}
    how = Method(alpha=alpha, draws=draws, seed=seed, procedure=procedure)
    tables = {
        measure: read_scores(
            np.where(absent, math.nan, array), systems, queries, better=directions.get(measure, "higher")
        )
        for measure, array in arrays.items()
    }
    separated = {measure: _SignificantPairs.of(table, how) for measure, table in tables.items()}
    first = next(iter(tables.values()))
    taus = _taus(tables, min(draws, TAU_DRAWS), seed, alpha)
    return MeasureComparison(
        systems=first.systems,
        queries=first.n_queries,
        alpha=alpha,
        procedure=procedure,
        draws=draws,
        seed=seed,
        agreements=tuple(
            MeasureAgreement(one, other, *taus[one, other], separated[one].contradicted_by(separated[other]))
            for one, other in combinations(arrays, 2)
        ),
        power={measure: found.power for measure, found in separated.items()},
        curves={measure: found.curve for measure, found in separated.items()},
    )


@dataclass(frozen=True, slots=True, eq=False)
class _SignificantPairs:
    """Test results of one measure for all pairs, as in `compare`.

    Attributes:
        better: (better, worse) for each significantly different pair, in the order of the systems.
        curve: adjusted p of all pairs, in increasing order; empty for one query.
        power: the share of pairs that are significantly different; None for one query or without pairs.
    """

    better: tuple[tuple[str, str], ...]
    curve: tuple[float, ...]
    power: float | None

    @classmethod
    def of(cls, table: Scores, how: Method) -> _SignificantPairs:
        pairs, test, names = Pairs(table.values), REGISTRY[how.procedure].test, table.systems
        if table.n_queries < 2 or not pairs.n or test is None:
            return cls((), (), None)
        tested = test(pairs, np.arange(pairs.n), how.alpha, how.draws, how.seed)
        found = np.flatnonzero(tested.better)
        ends = zip(pairs.first[found].tolist(), pairs.second[found].tolist(), strict=True)
        ordered = zip(ends, (pairs.difference[found] > 0).tolist(), strict=True)
        better = tuple((names[i], names[j]) if ahead else (names[j], names[i]) for (i, j), ahead in ordered)
        return cls(better, tuple(np.sort(tested.adjusted).tolist()), found.size / pairs.n)

    def contradicted_by(self, other: _SignificantPairs) -> tuple[Contradiction, ...]:
        """Return the pairs that are significantly different by both measures, in opposite directions."""
        says = set(other.better)
        return tuple(Contradiction(a, b) for a, b in self.better if (b, a) in says)


def discriminative_power(found: Comparison) -> float | None:
    """Return the share of pairs that are significantly different, or None for one query or without pairs."""
    if found.note or not found.pairs:
        return None
    return sum(pair.verdict == "better" for pair in found.pairs) / len(found.pairs)


def p_curve(found: Comparison) -> tuple[float, ...]:
    """Return the adjusted p of all pairs, in increasing order."""
    return tuple(sorted(pair.p_adjusted for pair in found.pairs if pair.p_adjusted is not None))


def _taus(
    tables: Mapping[str, Scores], draws: int, seed: int, alpha: float
) -> dict[tuple[str, str], tuple[float | None, float | None, float | None]]:
    """Return tau-b and its interval for every two measures. All measures use the same resampled queries."""
    pairs = [Pairs(table.values) for table in tables.values()]
    observed = _tau_matrix(_signs([of.values.mean(axis=1) for of in pairs], pairs))
    of_each = [means_of(of.values) for of in pairs]

    def taus(counts: IntArray) -> FloatArray:
        means = [of(counts) for of in of_each]
        drawn = [_tau_matrix(_signs([mean[:, draw] for mean in means], pairs)) for draw in range(len(counts))]
        return np.array(drawn).reshape(len(counts), -1).T

    low = high = np.full(observed.shape, math.nan)
    if (n := pairs[0].values.shape[1]) > 1:
        low, high = (ends.reshape(observed.shape) for ends in percentile(resampled(taus, n, draws, seed), alpha))
    return {
        (one, other): (_optional(observed[i, j]), _optional(low[i, j]), _optional(high[i, j]))
        for (i, one), (j, other) in combinations(enumerate(tables), 2)
    }


def _signs(means: Sequence[FloatArray], pairs: Sequence[Pairs]) -> FloatArray:
    """Return (measures, pairs): 1 if the first system has the better mean, -1 if the second has, 0 for a tie."""
    rows = []
    for mean, of in zip(means, pairs, strict=True):
        difference = mean[of.first] - mean[of.second]
        rows.append(np.where(np.abs(difference) <= of.same, 0.0, np.sign(difference)))
    return np.array(rows)


def _tau_matrix(signs: FloatArray) -> FloatArray:
    """Return (measures, measures) tau-b, with NaN if a measure ties all systems."""
    agreeing = signs @ signs.T
    untied = np.diag(agreeing)
    with np.errstate(divide="ignore", invalid="ignore"):
        found: FloatArray = agreeing / np.sqrt(np.outer(untied, untied))
    return found


def _optional(value: float) -> float | None:
    return None if math.isnan(value) else float(value)

"""Compare systems by their scores on the same queries: who is better, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.comparison.corrections import benjamini_hochberg, holm, tukey_p, wilcoxon_p
from qc4.comparison.draws import resampled_means
from qc4.comparison.friedman import friedman
from qc4.comparison.intervals import Intervals, bca, no_intervals
from qc4.comparison.means import best_first, exact_means
from qc4.comparison.method import Method
from qc4.comparison.pairs import Pairs
from qc4.comparison.partial import without_partial
from qc4.comparison.randomization import Randomization
from qc4.comparison.repeats import Runs
from qc4.comparison.result import Comparison, SetAside
from qc4.comparison.rows import Tested, pair_results, system_results
from qc4.comparison.scores import Better, Missing, Scores, read_scores
from qc4.progress import watched

ONE_QUERY = "one query says nothing of others: means only"


def compare(
    scores: Any,
    systems: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    *,
    baseline: str | None = None,
    repeats: Mapping[str, str] | None = None,
    better: Better = "higher",
    missing: Missing = "skip",
    worst: float = 0.0,
    enough: float = 0.0,
    **method: Any,
) -> Comparison:
    """Compare systems on one measure.

    The same input gives the same answer to the last bit, whatever the order of systems and queries. Raw p of a pair do
    not change when a system is added, as long as the queries stay the same; adjusted ones may.

    Args:
        scores: (systems, queries) numbers; NaN is a missing cell.
        systems: names of the rows.
        queries: keys of the columns.
        baseline: compare all others with this one; by default every pair is compared.
        repeats: run -> system, where rows are runs of systems: scores are means over a system's runs, query by query,
            and intervals are over queries and repeats. Tests are over queries, of the runs there are. A run that is not
            named is a system of its own.
        better: which end of the measure is better; differences are always of the better over the worse.
        missing: ``skip`` leaves out queries that not all systems have, ``zero`` counts a missing cell as ``worst``.
        enough: under ``skip`` a system with values on less than this share of the queries that any has one on is set
            aside, so that it does not take the others' queries with it; 0 sets nobody aside. Of repeats nobody is.
        method: ``alpha``, ``draws``, ``seed``, ``procedure``, ``ranks``, ``margin``, as `Method` has them.

    Raises:
        InputError: scores of another shape, names that repeat or are unknown, repeats of no run, options out
            of range.
    """
    how = Method(**method)
    aside: tuple[SetAside, ...] = ()
    if enough and missing == "skip" and repeats is None:
        scores, systems, aside = without_partial(scores, systems, enough, baseline)
    table = read_scores(scores, systems, queries, missing=missing, better=better, worst=worst)
    runs = None if repeats is None else Runs.of(table, repeats)
    if runs is not None:
        table = runs.folded
    return _compared(table, baseline, runs, how, better, aside)


def _compared(
    table: Scores,
    baseline: str | None,
    runs: Runs | None,
    how: Method,
    better: Better,
    aside: tuple[SetAside, ...],
) -> Comparison:
    """The comparison of a table whose rows are systems, folded where these have runs."""
    pairs = Pairs(table.values)
    family = _family(table, pairs, baseline)
    averages = exact_means(table.values)
    order = best_first(averages, pairs.same)
    tested = None if table.n_queries == 1 else _test(table, pairs, family, order, how)
    of_systems, of_pairs = _intervals(table, pairs, how, runs)
    return Comparison(
        family="all" if baseline is None else "baseline",
        baseline=baseline,
        method=how,
        better=better,
        missing=table.missing,
        query_keys=table.queries,
        left_out=table.left_out,
        filled=table.filled,
        note=ONE_QUERY if tested is None else "",
        systems=system_results(table, averages, order, of_systems, tested, pairs.same),
        pairs=pair_results(table, pairs, family, order, of_pairs, tested, how),
        friedman=friedman(table.values, table.systems, how.alpha),
        repeats=None if runs is None else runs.summary,
        set_aside=aside or None,
    )


def _family(table: Scores, pairs: Pairs, baseline: str | None) -> IntArray:
    """The pairs that are tested together."""
    if baseline is None:
        return np.arange(pairs.n)
    row = table.row(baseline)
    return np.flatnonzero((pairs.first == row) | (pairs.second == row))


def _intervals(table: Scores, pairs: Pairs, how: Method, runs: Runs | None) -> tuple[Intervals, Intervals]:
    """Intervals of the means and of the differences of all pairs, from the same resampled queries."""
    if table.n_queries == 1:
        return no_intervals(table.n_systems), no_intervals(pairs.n)
    if runs is None:
        means = resampled_means(table.values, how.draws, how.seed)
    else:
        means = runs.resampled_means(how.draws, how.seed)
    parts = []
    for row in watched(range(table.n_systems - 1), lambda row: f"intervals, {table.systems[row]}"):
        differences = pairs.differences(np.flatnonzero(pairs.first == row))
        parts.append(bca(differences, means[row] - means[row + 1 :], how.confidence, how.margin, runs is not None))
    low, high, near = (
        np.concatenate([getattr(part, name) for part in parts] or [np.empty(0)]) for name in ("low", "high", "near")
    )
    of_pairs = Intervals(low, high, tuple(kind for part in parts for kind in part.kinds), near)
    return bca(table.values, means, how.confidence, repeated=runs is not None), of_pairs


def _test(table: Scores, pairs: Pairs, family: IntArray, order: IntArray, how: Method) -> Tested:
    drawn = Randomization(table.values, pairs, how.draws, how.seed)
    adjusted = np.full(pairs.n, math.nan)
    adjusted[family] = _adjusted(table, pairs, family, drawn, how)
    apart = _apart(pairs, drawn, how)
    return Tested(
        drawn.raw,
        adjusted,
        1 + (apart < 0).sum(axis=1),
        table.n_systems - (apart > 0).sum(axis=1),
        _with_leader(pairs, adjusted, apart, int(order[0]), how.alpha),
    )


def _adjusted(table: Scores, pairs: Pairs, family: IntArray, drawn: Randomization, how: Method) -> FloatArray:
    """(pairs of the family,) p by the chosen procedure."""
    if how.procedure == "max-t":
        return drawn.adjusted(family)
    if how.procedure == "holm":
        return holm(drawn.raw[family])
    if how.procedure == "benjamini-hochberg":
        return benjamini_hochberg(wilcoxon_p(pairs, family))
    return tukey_p(table.values, pairs, family, how.draws, how.seed)


def adjusted_p(table: Scores, pairs: Pairs, how: Method) -> FloatArray:
    """(pairs,) p adjusted over all pairs, as `compare` has them, without anything else; two queries or more."""
    drawn = Randomization(table.values, pairs, how.draws, how.seed)
    return _adjusted(table, pairs, np.arange(pairs.n), drawn, how)


def _apart(pairs: Pairs, drawn: Randomization, how: Method) -> IntArray:
    """(systems, systems) 1 where the row is better for certain, -1 where it is worse.

    The family is all differences with the row's system for marginal rank sets, all pairs for simultaneous ones.
    """
    found = np.zeros((pairs.n_systems, pairs.n_systems), dtype=np.int64)
    sign = np.where(pairs.difference > 0, 1, -1)
    if how.ranks == "simultaneous":
        certain = drawn.adjusted(np.arange(pairs.n)) <= how.alpha
        found[pairs.first[certain], pairs.second[certain]] = sign[certain]
        return found - found.T
    for row, family in enumerate(watched(pairs.of_each, lambda _: "rank sets of systems")):
        certain = family[drawn.adjusted(family) <= how.alpha]
        is_first = pairs.first[certain] == row
        other = np.where(is_first, pairs.second[certain], pairs.first[certain])
        found[row, other] = np.where(is_first, sign[certain], -sign[certain])
    return found


def _with_leader(pairs: Pairs, adjusted: FloatArray, apart: IntArray, leader: int, alpha: float) -> BoolArray:
    """Who is not worse than the leader in the family; where that leaves out their pair, in the leader's rank set."""
    found = np.ones(pairs.n_systems, dtype=bool)
    for pair in pairs.of_each[leader]:
        other = int(pairs.first[pair] + pairs.second[pair] - leader)
        outside = math.isnan(adjusted[pair])
        found[other] = apart[leader, other] <= 0 if outside else adjusted[pair] > alpha or pairs.difference[pair] == 0
    return found

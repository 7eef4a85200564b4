"""Compare systems by their scores on the same queries: which is better, and how certain that is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from typing import Any

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.problems import InputError, Problem, ProblemList
from qc4.stats.intervals import best_first, exact_means
from qc4.stats.pairs import Pairs
from qc4.stats.ranks import WinnersAndLosers, pair_results, simultaneous_places, system_results
from qc4.stats.repeats import Runs, check_repeats
from qc4.stats.results import Comparison, Family, IncompleteSystem, Method, ReferenceResult
from qc4.stats.scores import Better, Missing, ScoreArray, Scores, numbered_names, read_scores, read_table
from qc4.stats.tests import REGISTRY
from qc4.text import Spellings
from qc4.wording import counted, listed

# --- Systems with values on too few queries to be ranked ---

MIN_COVERAGE = 0.8
"""Share of the queries with any value on which a system must have a value to be compared."""


def split_incomplete(
    table: ScoreArray, min_coverage: float, baseline: str | None = None
) -> tuple[ScoreArray, tuple[IncompleteSystem, ...]]:
    """Split a table into the systems with values on enough queries, and the others.

    Under the rule ``skip`` an incomplete system would remove the queries it lacks from all systems. If every system is
    incomplete (for example, if no two share a query), none is excluded.

    Args:
        min_coverage: the share of queries, up to 1.

    Raises:
        InputError: the share is out of range, or the baseline is incomplete.
    """
    if not 0 <= min_coverage <= 1:
        found = f"{min_coverage:g}"
        raise InputError([Problem("out-of-range", "min_coverage", found, "a share of the queries, 0 to 1")])
    values, names = table.values, table.systems
    has = ~np.isnan(values)
    counts, asked = has.sum(axis=1), int(has.any(axis=0).sum())
    kept = counts >= min_coverage * asked
    if kept.all() or not kept.any() or (names is not None and len(names) != len(kept)):
        return table, ()
    if names is None:
        names = [f"system {row:0{len(str(len(kept)))}}" for row in range(1, len(kept) + 1)]
    incomplete = tuple(
        IncompleteSystem(
            names[row], float(values[row][has[row]].mean()) if counts[row] else None, int(counts[row]), asked
        )
        for row in np.flatnonzero(~kept).tolist()
    )
    for one in incomplete:
        if one.system == baseline:
            found = f"{baseline!r} has values on {one.queries} of {asked} queries"
            expected = f"a system with values on {100 * min_coverage:g} % of them"
            fix = "Count missing scores as the worst value."
            raise InputError([Problem("incomplete-baseline", "baseline", found, expected, fix)])
    return ScoreArray(values[kept], [names[row] for row in np.flatnonzero(kept).tolist()], table.queries), incomplete


ONE_QUERY = "one query says nothing about others: means only"


def compare(
    scores: Any,
    systems: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    *,
    baseline: str | None = None,
    pair: tuple[str, str] | None = None,
    references: Sequence[str] = (),
    repeats: Mapping[str, str] | None = None,
    better: Better = "higher",
    missing: Missing = "skip",
    worst: float | None = None,
    min_coverage: float = 0.0,
    **method: Any,
) -> Comparison:
    """Compare systems on one measure.

    All pairs of a family are tested together. Verdicts, intervals, places and distances behind the best follow from one
    critical value, so that they cannot contradict each other. The same input gives bitwise the same result, whatever
    the
    order of systems and queries.

    Args:
        scores: a (systems, queries) array; or a data frame with a row per query and a column per system; or ``{system:
            {query: score}}``; or ``{system: [score, …]}``. NaN is a missing cell.
        systems: names of the rows of an array.
        queries: names of the columns of an array.
        baseline: test all others against this system, which must have been chosen before anyone looked at the scores.
            By default every pair is tested.
        pair: test only these two systems, on the queries that both have.
        references: systems that are shown for scale and not tested (gold standard, random clusterings).
        repeats: run -> system, if rows are runs of systems. Scores are then means over a system's runs, query by query,
            and all results are about these runs. A run that is not named is its own system.
        better: which end of the measure is better. Differences are always better minus worse.
        missing: ``skip`` omits queries that not all systems have; ``worst`` counts a missing cell as ``worst``.
        worst: the worst value of the measure; 0 by default if higher is better.
        min_coverage: under ``skip``, a system with values on less than this share of the queries that any system has is
            not compared, so that its missing queries do not affect the others. 0 compares all. It does not apply to
            runs.
        method: ``alpha``, ``draws``, ``seed``, ``procedure``, ``equivalence_margin``, as in `Method`.

    Raises:
        InputError: scores of another shape, repeated or unknown names, two families, repeats without a repeated run, or
            options out of range.
    """
    how = Method(**method)
    given = read_table(scores, systems, queries)
    if given.systems is None:
        given = replace(given, systems=numbered_names(len(given.values)))
    names = given.systems or ()
    if repeats is not None:
        check_repeats(names, repeats)
    system_of = repeats or {}
    known = {system_of.get(name, name) for name in names}
    spelled = Spellings(known)
    baseline = None if baseline is None else spelled.of(str(baseline))
    both = None if pair is None else tuple(spelled.of(str(name)) for name in pair)
    references = [spelled.of(str(name)) for name in references]
    _check_family(known, baseline, both, references)
    named = {baseline, *(both or ())}
    table, shown = _split(given, system_of, {name for name in references if name not in named})
    if both is not None:
        _, these = _split(table, system_of, set(both))
        table = these or table
    incomplete: tuple[IncompleteSystem, ...] = ()
    if min_coverage and missing == "skip" and repeats is None and both is None:
        table, incomplete = split_incomplete(table, min_coverage, baseline)
    found = read_scores(table.values, table.systems, table.queries, missing=missing, better=better, worst=worst)
    runs = None if repeats is None else Runs.of(found, repeats)
    if runs is not None:
        found = runs.folded
    beside = None if shown is None else _references(shown, system_of, found, missing, worst)
    return _compared(found, how, better, baseline, both, runs, incomplete, beside)


def _check_family(
    known: Set[str], baseline: str | None, pair: tuple[str, ...] | None, references: Sequence[str]
) -> None:
    problems = ProblemList()
    if baseline is not None and pair is not None:
        problems.error("two-families", "baseline and pair", f"{baseline!r} and {pair!r}", "only one of them")
    if pair is not None and (len(pair) != 2 or len(set(pair)) != 2):
        problems.error("no-pair", "pair", repr(pair), "the names of two systems")
    for where, names in (("pair", pair or ()), ("references", references)):
        if unknown := [name for name in names if name not in known]:
            problems.error("unknown-system", where, listed(unknown), f"some of {listed(sorted(known))}")
    if known and known <= set(references) - {baseline, *(pair or ())}:
        problems.error("no-systems", "references", f"all of {counted(len(known), 'system')}", "a system to compare")
    problems.refuse_errors()


def _split(
    table: ScoreArray, system_of: Mapping[str, str], names: Set[str | None]
) -> tuple[ScoreArray, ScoreArray | None]:
    """Return the table without these systems, and a table of only these systems.

    Args:
        system_of: run -> system.
    """
    if table.systems is None or not names or len(table.systems) != len(table.values):
        return table, None
    rows = np.array([system_of.get(name, name) in names for name in table.systems])
    parts = [
        ScoreArray(table.values[part], [table.systems[row] for row in np.flatnonzero(part).tolist()], table.queries)
        for part in (~rows, rows)
    ]
    return parts[0], parts[1]


def _references(
    shown: ScoreArray, system_of: Mapping[str, str], compared: Scores, missing: Missing, worst: float | None
) -> tuple[ReferenceResult, ...]:
    """Return the means of references over the queries of the comparison, best first."""
    better: Better = "higher" if compared.sign > 0 else "lower"
    rule = None if missing == "skip" else missing
    runs = read_scores(shown.values, shown.systems, shown.queries, better=better, missing=rule, worst=worst)
    table = Runs.of(runs, {run: system_of.get(run, run) for run in runs.systems}).folded
    columns = [place for place, query in enumerate(table.queries) if query in set(compared.queries)]
    found = []
    for name, row in zip(table.systems, table.values[:, columns], strict=True):
        has = row[~np.isnan(row)]
        mean = table.sign * float(exact_means(has[None, :])[0]) + 0.0 if has.size else None
        found.append(ReferenceResult(name, mean, has.size))
    return tuple(sorted(found, key=lambda one: (one.mean is None, -table.sign * (one.mean or 0.0), one.system)))


def _compared(
    table: Scores,
    how: Method,
    better: Better,
    baseline: str | None,
    pair: tuple[str, ...] | None,
    runs: Runs | None,
    incomplete: tuple[IncompleteSystem, ...],
    references: tuple[ReferenceResult, ...] | None,
) -> Comparison:
    """Compare the rows of a table, which are systems. Runs have already been averaged."""
    pairs = Pairs(table.values)
    kind: Family = "pair" if pair is not None else "all" if baseline is None else "baseline"
    family = _family(table, pairs, baseline)
    averages = exact_means(table.values)
    order = best_first(averages, pairs.same)
    place = np.argsort(order)
    ends = WinnersAndLosers.of(pairs, family, place)
    behind = _behind(pairs, order)
    procedure, settings = REGISTRY[how.procedure], (how.alpha, how.draws, how.seed)
    tested = None
    if table.n_queries > 1 and family.size and procedure.test is not None:
        tested = procedure.test(pairs, family, *settings)
    of_all = tested if kind == "all" else None
    places = ranks = separated = None
    if of_all is not None:
        lost = np.flatnonzero(of_all.better)
        separated = list(zip(place[ends.winner[lost]].tolist(), place[ends.loser[lost]].tolist(), strict=True))
        if of_all.intervals is not None:
            places = simultaneous_places(table.n_systems, ends, of_all.better, of_all.intervals, behind)
    if procedure.ranks is not None and table.n_queries > 1:
        ranks = procedure.ranks(pairs, *settings)
    intervals = None if tested is None else tested.intervals
    return Comparison(
        family=kind,
        family_size=family.size,
        family_systems=table.n_systems,
        baseline=baseline,
        method=how,
        critical_value=None if intervals is None else intervals.critical_value,
        any_difference_p=float(tested.adjusted.min()) if tested else None,
        better=better,
        missing=table.missing,
        query_keys=table.queries,
        left_out=table.left_out,
        filled=table.filled,
        note=ONE_QUERY if table.n_queries == 1 else "",
        systems=system_results(
            table, averages, order, pairs.same, behind=behind, found=places, ranks=ranks, separated=separated
        ),
        pairs=() if procedure.test is None else pair_results(table, pairs, family, place, ends, tested, how),
        repeats=None if runs is None else runs.summary,
        incomplete_systems=incomplete or None,
        references=references,
    )


def _family(table: Scores, pairs: Pairs, baseline: str | None) -> IntArray:
    """Return the pairs that are tested together."""
    if baseline is None:
        return np.arange(pairs.n)
    row = table.row(baseline)
    return np.flatnonzero((pairs.first == row) | (pairs.second == row))


def _behind(pairs: Pairs, order: IntArray) -> FloatArray:
    """Return (systems,) the distance of each mean behind the best one, from the same differences as the tests."""
    leader, found = int(order[0]), np.zeros(pairs.n_systems)
    of_leader = np.flatnonzero((pairs.first == leader) | (pairs.second == leader))
    found[pairs.first[of_leader] + pairs.second[of_leader] - leader] = np.abs(pairs.difference[of_leader])
    return found

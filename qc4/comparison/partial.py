"""Systems that answer too few of the queries to be ranked beside the others."""

from __future__ import annotations

import numpy as np

from qc4.comparison.result import IncompleteSystem
from qc4.comparison.tables import ScoreArray
from qc4.problems import InputError, Problem

MIN_COVERAGE = 0.8
"""A system is compared if it has a value on at least this share of the queries that any system has one on."""


def without_incomplete(
    table: ScoreArray, min_coverage: float, baseline: str | None = None
) -> tuple[ScoreArray, tuple[IncompleteSystem, ...]]:
    """Split a table into the systems with values on enough queries, and the others.

    Under the rule ``skip`` a system of the others would take the queries it lacks from all. Nobody is left out where
    that would leave nobody, as of systems that share no query.

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

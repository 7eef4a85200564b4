"""Systems that answer too few of the queries to be ranked beside the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from qc4.comparison.result import SetAside
from qc4.comparison.scores import numbers
from qc4.problems import InputError, Problem

ENOUGH = 0.8
"""A system is compared if it has a value on at least this share of the queries that any system has one on."""


def without_partial(
    scores: Any, systems: Sequence[str] | None, enough: float, baseline: str | None = None
) -> tuple[Any, Sequence[str] | None, tuple[SetAside, ...]]:
    """Scores and names of the systems with values on enough queries, and the others.

    Under the rule ``skip`` one of these others would take the queries it lacks from all: of 44 queries 6 would count.
    Nobody is set aside where that would leave nobody, as of systems that share no query.

    Args:
        scores: (systems, queries) numbers; NaN is a missing cell.
        enough: the share, up to 1.

    Raises:
        InputError: scores of another shape; a share out of range; the baseline is among the others.
    """
    if not 0 <= enough <= 1:
        raise InputError([Problem("out-of-range", "enough", f"{enough:g}", "a share of the queries, 0 to 1")])
    values = numbers(scores)
    has = ~np.isnan(values)
    counts, asked = has.sum(axis=1), int(has.any(axis=0).sum())
    kept = counts >= enough * asked
    if kept.all() or not kept.any() or (systems is not None and len(systems) != len(kept)):
        return scores, systems, ()
    names = [f"system {row:0{len(str(len(kept)))}}" for row in range(1, len(kept) + 1)] if systems is None else systems
    aside = tuple(
        SetAside(str(names[row]), float(values[row][has[row]].mean()) if counts[row] else None, int(counts[row]), asked)
        for row in np.flatnonzero(~kept).tolist()
    )
    for one in aside:
        if one.system == baseline:
            found = f"{baseline!r} has values on {one.queries} of {asked} queries"
            expected, fix = f"a system with values on {100 * enough:g} % of them", "Count missing scores as zero."
            raise InputError([Problem("partial-baseline", "baseline", found, expected, fix)])
    return values[kept], [str(names[row]) for row in np.flatnonzero(kept).tolist()], aside

"""A nested clustering cut at a depth, for measures that take one cluster per page.

Clusters that lie in none are at depth 1. In the cut at depth k each cluster above that depth is divided into the
clusters in it and its rest, the pages that are in none of them; deeper clusters are left out. Pages that only clusters
in one another share are in one cluster of the cut then; those that others share are for the policy ``overlap``, as in a
flat clustering. Parents say what lies in what: sets that happen to contain one another are not nested.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp

from qc4.clustering.case import Case
from qc4.problems import InputError, Problem
from qc4.views.remembered import once, remembered

Depths = int | Literal["finest", "level"] | Iterable[int] | None
"""Where nested clusterings are cut: at one depth or several, at the deepest one, as deep as the level of the gold
standard, or (None) at every one."""
MOST_DEPTHS = 10
"""A clustering is cut at so many depths if none are named: a dendrogram may have hundreds."""


@remembered
def deepest(case: Case) -> int:
    """The depth of the deepest cluster with pages; 1 where no cluster lies in another."""
    forest = case.forest
    if (forest.parent < 0).all():
        return 1
    return int(forest.depth[np.diff(case.held.indptr) > 0].max(initial=1))


def cut(case: Case, depth: int | None = None) -> Case:
    """The same case with the flat clusters of a cut, in file order; a flat clustering as it is.

    Args:
        depth: 1 or more; below the deepest cluster it is the cut there, as it is with None: the finest cut.
    """
    last = deepest(case)
    if last == 1:
        return case
    at = last if depth is None else min(depth, last)
    return once(case, (cut, at), lambda: _cut(case, at))


def asked_once(depths: Depths) -> Depths:
    """The depths that are asked for, so that each level can look at them: iterators can be read only once."""
    return tuple(depths) if isinstance(depths, Iterable) and not isinstance(depths, str) else depths


def depths_of(case: Case, asked: Depths = None, level: object = None) -> tuple[int | None, ...]:
    """The depths that a case is cut at, the outermost first; only None for a flat clustering, which is not cut.

    Args:
        asked: ``"finest"`` is the deepest one; ``"level"`` that of the level's number, or the deepest where clusters do
            not go so deep or the level is no number; None all of them: the first 9 and the deepest where there are more
            than 10.
        level: of the measure that is computed.

    Raises:
        InputError: a depth that is not there, each named; none at all.
    """
    last = deepest(case)
    if asked is None:
        found = [*range(1, last + 1)] if last <= MOST_DEPTHS else [*range(1, MOST_DEPTHS), last]
    elif isinstance(asked, str) and asked in {"finest", "level"}:
        found = [min(level, last) if asked == "level" and isinstance(level, int) else last]
    else:
        found = _checked(asked, last)
    return (None,) if last == 1 else tuple(found)


def left_out(case: Case, asked: Depths) -> tuple[Problem, ...]:
    """A warning where a clustering has more depths than are scored unasked."""
    last = deepest(case)
    if asked is not None or last <= MOST_DEPTHS:
        return ()
    fix = f"Cut at depths 1 to {MOST_DEPTHS - 1} and {last}; others are asked for by number."
    found, expected = f"clusters nested {last:,} deep", f"{MOST_DEPTHS} depths at most, unless they are named"
    return (Problem("many-depths", "clustering", found, expected, fix, "warning"),)


def _checked(asked: Any, last: int) -> list[int]:
    given: list[Any] = [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)
    expected = "1, as no cluster lies in another" if last == 1 else f"one of {_listed(last)}, 'finest' or 'level'"
    wrong = [one for one in given if not _is_number(one) or not 1 <= one <= last]
    problems = [Problem("unknown-depth", "depths", repr(one), expected) for one in wrong]
    if not given:
        problems = [Problem("unknown-depth", "depths", "none", expected)]
    if problems:
        raise InputError(problems)
    return sorted({int(one) for one in given})


def _is_number(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _listed(last: int) -> str:
    return ", ".join(map(str, range(1, last + 1))) if last <= MOST_DEPTHS else f"1 to {last:,}"


def _cut(case: Case, depth: int) -> Case:
    forest, held = case.forest, case.held
    kept = np.flatnonzero((forest.depth <= depth) & (np.diff(held.indptr) > 0))
    inner = kept[forest.parent[kept] >= 0]
    n = forest.parent.size
    holds = sp.csr_array((np.ones(inner.size, dtype=held.dtype), (forest.parent[inner], inner)), shape=(n, n))
    further_in = sp.csr_array(holds @ held)
    further_in.data[:] = 1
    rests = sp.csr_array(held - further_in)[kept]
    rests.eliminate_zeros()
    rests.sort_indices()
    occupied = np.diff(rests.indptr) > 0
    ids = [case.cluster_ids[row] if row >= 0 else "" for row in forest.row[kept[occupied]].tolist()]
    return replace(case, clusters=sp.csr_array(rests[occupied]), cluster_ids=tuple(ids), nesting=None)

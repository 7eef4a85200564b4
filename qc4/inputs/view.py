"""What a measure receives of a case: on which levels, at which depth of nested clusters, and made once."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any, Generic, Literal, TypeVar, get_args

import numpy as np
import scipy.sparse as sp

from qc4.inputs.undefined import Undefined
from qc4.model.case import Case
from qc4.model.gold_standard import GoldStandard
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem

# What was found out about an object once, kept with that object: the one way in which measures share their work.

Owner = TypeVar("Owner")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Reason:
    """Why there is no result. Not the exception itself, which would keep every array of its frames alive."""

    text: str


def once(owner: object, key: Hashable, make: Callable[[], Result]) -> Result:
    """What ``make`` gives, made at the first call with this owner and key.

    Results, and the reasons why there is none, live and die with the owner. Threads that ask at the same time may each
    make it; all of them get the first result kept.

    Args:
        owner: an object with attributes of its own (no ``slots``); it need not be hashable.
        key: tells apart what is kept with the same owner.

    Raises:
        Undefined: ``make`` did, now or at the first call.
    """
    kept: dict[Hashable, Any] = vars(owner).setdefault("_remembered", {})
    if key not in kept:
        try:
            found: Result | _Reason = make()
        except Undefined as reason:
            found = _Reason(str(reason))
        kept.setdefault(key, found)
    if isinstance(kept[key], _Reason):
        raise Undefined(kept[key].text)
    result: Result = kept[key]
    return result


def remembered(function: Callable[[Owner], Result]) -> Callable[[Owner], Result]:
    """Call the function once for each object, and keep the result with the object; see `once`."""

    @wraps(function)
    def remembering(owner: Owner) -> Result:
        return once(owner, remembering, lambda: function(owner))

    return remembering


# A nested clustering cut at a depth, for measures that take one cluster per page. Clusters that lie in none are at
# depth 1. In the cut at depth k each cluster above that depth is divided into the clusters in it and its rest, the
# pages that are in none of them; deeper clusters are left out. Pages that only clusters in one another share are in
# one cluster of the cut then; those that others share are for the policy ``overlap``, as in a flat clustering.
# Parents say what lies in what: sets that happen to contain one another are not nested.

Depths = int | Literal["finest", "level"] | Iterable[int] | None
"""Where nested clusterings are cut: at one depth or several, at the deepest one, as deep as the level of the gold
standard, or (None) at every one."""
MOST_DEPTHS = 10
"""A clustering is cut at so many depths if none are named: a dendrogram may have hundreds."""


def cut(case: Case, depth: int | None = None) -> Case:
    """The same case with the flat clusters of a cut, in file order; a flat clustering as it is.

    Args:
        depth: 1 or more; below the deepest cluster it is the cut there, as it is with None: the finest cut.
    """
    last = case.deepest
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
    last = case.deepest
    if asked is None:
        found = [*range(1, last + 1)] if last <= MOST_DEPTHS else [*range(1, MOST_DEPTHS), last]
    elif isinstance(asked, str) and asked in {"finest", "level"}:
        found = [min(level, last) if asked == "level" and isinstance(level, int) else last]
    else:
        found = _checked(asked, last)
    return (None,) if last == 1 else tuple(found)


def left_out(case: Case, asked: Depths) -> tuple[Problem, ...]:
    """A warning where a clustering has more depths than are scored unasked."""
    last = case.deepest
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


Input = TypeVar("Input")
Level = int | Literal["all"] | None
Kind = Literal["partition", "overlap", "hierarchy", "outliers"]
ANY_CLUSTERS: tuple[Kind, ...] = get_args(Kind)
"""What measures accept that make no difference between kinds of clusters."""
FLAT_CLUSTERS: tuple[Kind, ...] = ("partition", "overlap", "outliers")
"""The same of measures that pass nesting over."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of a gold standard on which a view exists.

    Attributes:
        name: for people.
        of: the levels, from coarse to fine and ``"all"`` last; only None where there is but one value.
    """

    name: str
    of: Callable[[GoldStandard], tuple[Level, ...]]


def _no_level(gold: GoldStandard) -> tuple[Level, ...]:
    return (None,)


EACH_LEVEL = Levels("each level", lambda gold: tuple(gold.hierarchy.levels))
EACH_LEVEL_AND_ALL = Levels("each level, and all", lambda gold: (*gold.hierarchy.levels, "all"))
WHOLE_HIERARCHY = Levels("whole hierarchy", _no_level)
CLUSTERS_ALONE = Levels("the clusters alone", _no_level)
CLUSTERS_AND_VECTORS = Levels("clusters and vectors alone", _no_level)


@dataclass(frozen=True, slots=True)
class View(Generic[Input]):
    """What a measure receives of a case.

    Attributes:
        make: makes it; `Undefined` where the case has no such view. Ask for it by `of`, which makes it once. An
            attribute ``flattened`` of what it makes says whether a policy took overlap away, so that scores are marked.
        where: the levels it exists on.
        policies: names of the policies that it depends on; ``make`` sees the defaults of all others.
        cuts: whether it takes one cluster per page, so that ``make`` sees nested clusterings cut at a depth.
    """

    make: Callable[[Case, Level, Policies], Input]
    where: Levels
    policies: tuple[str, ...] = ()
    cuts: bool = False

    @property
    def name(self) -> str:
        """For people."""
        return self.where.name

    def levels(self, gold: GoldStandard) -> tuple[Level, ...]:
        """The levels of a gold standard that a measure of this view is computed on."""
        return self.where.of(gold)

    def of(self, case: Case, level: Level, policies: Policies, depth: int | None = None) -> Input:
        """What a measure receives of the case: made once, and kept with the case for all measures of the view.

        Args:
            depth: where nested clusters are cut, as of `qc4.inputs.view.cut`: None for the finest cut. Views that cut
                nothing do not read it.

        Raises:
            Undefined: the case has no such view.
            InputError: the view does not exist on this level; those it exists on are named.
        """
        levels = self.levels(case.gold)
        if level not in levels:
            expected = f"no level: {self.name}" if None in levels else f"level {', '.join(map(str, levels))}"
            raise InputError([Problem("no-such-level", "level", f"level {level}", expected)])
        chosen = policies.only(self.policies)
        seen = cut(case, depth) if self.cuts else case
        return once(seen, (self.make, level, chosen), lambda: self.make(seen, level, chosen))

    def flattens(self, case: Case, level: Level, policies: Policies, depth: int | None = None) -> bool:
        """Whether what a measure receives lost overlap to a policy, so that its scores carry a mark."""
        return bool(getattr(self.of(case, level, policies, depth), "flattened", False))

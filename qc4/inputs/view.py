"""Views: the inputs of measures, made from a case for each level and each depth of nested clusters, and cached."""

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

# --- Results cached with an object, through which measures share work ---

Owner = TypeVar("Owner")
Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Reason:
    """The reason why there is no result, without the exception, whose traceback would keep arrays alive."""

    text: str


def cached_on(owner: object, key: Hashable, make: Callable[[], Result]) -> Result:
    """Return the result of ``make``, which is called only the first time for this owner and key.

    Results, and the reasons why there is none, are stored on the owner. Concurrent threads may each call ``make``; all
    get the first result that was stored.

    Args:
        owner: an object with instance attributes (no ``slots``); it need not be hashable.
        key: the key of the result among the results of this owner.

    Raises:
        Undefined: ``make`` raised it, now or in the first call.
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


def cached(function: Callable[[Owner], Result]) -> Callable[[Owner], Result]:
    """Decorate a function so that its result for each object is cached on the object; see `once`."""

    @wraps(function)
    def remembering(owner: Owner) -> Result:
        return cached_on(owner, remembering, lambda: function(owner))

    return remembering


# --- Nested clusterings flattened at a depth, for measures that need one cluster per page ---
# Root clusters have depth 1. Flattening at depth k divides each cluster above that depth into its children and its
# rest, the pages in no child; deeper clusters are removed. A page that was only in clusters inside one another is then
# in one cluster. Pages in unrelated clusters still overlap, as in a flat clustering, and the option ``overlap``
# decides. Only parents define nesting, not sets that happen to contain others.

Depths = int | Literal["finest", "level"] | Iterable[int] | None
"""The depths at which nested clusterings are flattened: one or several depths, the deepest one, the number of the level
of the gold standard, or (None) all of them."""
MOST_DEPTHS = 10
"""The default maximum number of depths; a dendrogram can have hundreds."""


def cut(case: Case, depth: int | None = None) -> Case:
    """Return the case with nested clusters flattened at a depth, in file order; a flat clustering is unchanged.

    Args:
        depth: 1 or more; None, or a depth below the deepest cluster, means the depth of the deepest cluster.
    """
    last = case.deepest
    if last == 1:
        return case
    at = last if depth is None else min(depth, last)
    return cached_on(case, (cut, at), lambda: _cut(case, at))


def reusable_depths(depths: Depths) -> Depths:
    """Return the requested depths as a value that can be iterated several times, once per level."""
    return tuple(depths) if isinstance(depths, Iterable) and not isinstance(depths, str) else depths


def depths_of(case: Case, asked: Depths = None, level: object = None) -> tuple[int | None, ...]:
    """Return the depths at which a case is flattened, the outermost first; only None for a flat clustering.

    Args:
        asked: ``"finest"`` is the deepest; ``"level"`` is the number of the level, or the deepest if clusters are less
            deep or the level is not a number; None means all of them, or the first 9 and the deepest if there are more
            than 10.
        level: the level on which the measure is computed.

    Raises:
        InputError: no depth, or depths that do not exist; the error names each of them.
    """
    last = case.deepest
    if asked is None:
        found = [*range(1, last + 1)] if last <= MOST_DEPTHS else [*range(1, MOST_DEPTHS), last]
    elif isinstance(asked, str) and asked in {"finest", "level"}:
        found = [min(level, last) if asked == "level" and isinstance(level, int) else last]
    else:
        found = _checked(asked, last)
    return (None,) if last == 1 else tuple(found)


def unscored_depths_warnings(case: Case, asked: Depths) -> tuple[Problem, ...]:
    """Return a warning if a clustering has more depths than are scored by default."""
    last = case.deepest
    if asked is not None or last <= MOST_DEPTHS:
        return ()
    fix = f"Scores are for depths 1 to {MOST_DEPTHS - 1} and {last}. Name other depths to score them."
    found, expected = f"clusters nested to depth {last:,}", f"at most {MOST_DEPTHS} depths, unless you name them"
    return (Problem("many-depths", "clustering", found, expected, fix, "warning"),)


def _checked(asked: Any, last: int) -> list[int]:
    given: list[Any] = [asked] if isinstance(asked, str) or not isinstance(asked, Iterable) else list(asked)
    expected = "1, as no cluster is inside another" if last == 1 else f"one of {_listed(last)}, 'finest' or 'level'"
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
"""The kinds of clusters accepted by measures that treat all kinds alike."""
FLAT_CLUSTERS: tuple[Kind, ...] = ("partition", "overlap", "outliers")
"""The kinds of clusters accepted by measures that ignore nesting."""


@dataclass(frozen=True, slots=True)
class Levels:
    """The levels of a gold standard on which a view exists.

    Attributes:
        name: the name shown to users.
        of: returns the levels, from coarse to fine and ``"all"`` last; only None if there is a single value.
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
    """An input of measures, made from a case.

    Attributes:
        make: makes the input, or raises `Undefined`. Call `of` instead, which caches it. The input may have an
            attribute ``flattened``, which is true if a scoring option removed overlap, so that scores are marked.
        where: the levels on which the view exists.
        policies: names of the scoring options that it depends on; ``make`` gets the defaults of all others.
        cuts: True if it needs one cluster per page, so that ``make`` gets nested clusterings flattened at a depth.
    """

    make: Callable[[Case, Level, Policies], Input]
    where: Levels
    policies: tuple[str, ...] = ()
    cuts: bool = False

    @property
    def name(self) -> str:
        """The name shown to users."""
        return self.where.name

    def levels(self, gold: GoldStandard) -> tuple[Level, ...]:
        """Return the levels of a gold standard on which measures of this view are computed."""
        return self.where.of(gold)

    def of(self, case: Case, level: Level, policies: Policies, depth: int | None = None) -> Input:
        """Return the input for the case; it is made once and cached with the case for all measures of the view.

        Args:
            depth: the depth at which nested clusters are flattened, as in `qc4.inputs.view.cut`; None for the deepest.
                Views that do not flatten ignore it.

        Raises:
            Undefined: the view does not exist for this case.
            InputError: the view does not exist on this level; the error names the levels on which it does.
        """
        levels = self.levels(case.gold)
        if level not in levels:
            expected = (
                f"no level, as the view is '{self.name}'" if None in levels else f"level {', '.join(map(str, levels))}"
            )
            raise InputError([Problem("no-such-level", "level", f"level {level}", expected)])
        chosen = policies.only(self.policies)
        seen = cut(case, depth) if self.cuts else case
        return cached_on(seen, (self.make, level, chosen), lambda: self.make(seen, level, chosen))

    def flattens(self, case: Case, level: Level, policies: Policies, depth: int | None = None) -> bool:
        """Return True if a scoring option removed overlap from the input, so that its scores are marked."""
        return bool(getattr(self.of(case, level, policies, depth), "flattened", False))

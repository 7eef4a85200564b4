"""What a measure receives of a case, and the levels on which it does: made once per case, whoever asks for it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Literal, TypeVar, get_args

from qc4.clustering.case import Case
from qc4.gold.standard import GoldStandard
from qc4.problems import InputError, Problem
from qc4.views.cut import cut
from qc4.views.policies import Policies
from qc4.views.remembered import once

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
            depth: where nested clusters are cut, as of `qc4.views.cut.cut`: None for the finest cut. Views that cut
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

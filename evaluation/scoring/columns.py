"""Columns of a leaderboard: a measure on one of its levels, with nested clusterings cut at one depth.

People choose them in the URL of the page.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import scipy.sparse as sp

from qc4.inputs.view import MOST_DEPTHS, View
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.gold_standard import GoldStandard
from qc4.model.hierarchy import Hierarchy
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.records import Record

DEFAULT_MEASURES = ("quality", "coverage", "qc4_f")
ALL_LEVELS = "all"
DEPTHS = tuple(map(str, range(1, MOST_DEPTHS)))
"""The depths that people can choose by number. Deeper clusterings are scored only at these and at the finest cut."""
FINEST = "finest"
CUTS = (FINEST, *DEPTHS)
"""The depths at which people can cut nested clusterings; "" is as deep as the level."""
SINGLE_SUBMISSION_MEASURES = ("qc4_f", "quality", "coverage", "aq", "wq", "ac", "wc", "qc4")
"""Measures on pages about one submission or query; the first ones, by which algorithms rank, fit narrow screens."""
OPTION_DEPENDENT_MEASURES = ("purity", "pair_f1", "ari", "ami")
"""Measures that use scoring options, shown there too if these are not the defaults."""


@dataclass(frozen=True, slots=True)
class BoardColumn(Record):
    """A measure on a level. ``level`` is as stored with scores: "1", "2", .., "all", or "" for the whole hierarchy.

    ``depth`` is where nested clusterings are cut. Clusterings that are less deep have their finest cut; 0 is the finest
    cut for all, and for measures that cut nothing. Names omit a depth that equals the level.
    """

    TITLE = "BoardColumn"
    KEYS = "measure=key title=measure.title level|null depth|null better=measure.better"

    measure: Measure
    level: str
    depth: int = 0

    @property
    def key(self) -> str:
        return self.measure.key

    @property
    def place(self) -> tuple[str, str, int]:
        """Measure, level and depth, which identify stored columns of runs."""
        return self.key, self.level, self.depth

    @property
    def name(self) -> str:
        """Measure, level and depth for the header of a file."""
        where = ", ".join(filter(None, (self.level, self._other_depth)))
        return f"{self.key}[{where}]" if where else self.key

    @property
    def arrow(self) -> str:
        """An arrow in the direction that is better."""
        return self.measure.arrow

    @property
    def level_words(self) -> str:
        """Level and depth for a table header; empty for measures without levels."""
        return ", ".join(filter(None, (self._on_level, self._other_depth)))

    def named(self, deepest: int) -> str:
        """Return title, level and cut for a sentence: "Purity (level 2, nested clusters cut at depth 2)".

        Args:
            deepest: the largest depth of the clusters; a cut is named only if it is above 1.
        """
        cut = f"cut at depth {self.depth}" if self.depth else "in their finest cut"
        is_cut = deepest > 1 and self.measure.view.cuts
        where = ", ".join(filter(None, (self._on_level, f"nested clusters {cut}" if is_cut else "")))
        return f"{self.measure.title} ({where})" if where else self.measure.title

    @property
    def _on_level(self) -> str:
        return {"": "", ALL_LEVELS: "all levels"}.get(self.level, f"level {self.level}")

    @property
    def depth_words(self) -> str:
        """The depth at which nested clusterings are cut; empty for measures that cut nothing."""
        if not self.measure.view.cuts:
            return ""
        return f"depth {self.depth}" if self.depth else "finest cut"

    @property
    def _other_depth(self) -> str:
        return "" if self.depth == own_depth(self.measure, self.level) else self.depth_words

    @property
    def worst(self) -> float | None:
        """The score of a query without a clustering under the rule ``worst``; None if there is no worst value."""
        return 0.0 if self.measure.better == "higher" else self.measure.high


def columns(
    keys: Sequence[str], level: str, n_levels: int, policies: Policies | None = None, depth: str = ""
) -> tuple[BoardColumn, ...]:
    """Return the columns of these measures on this level, at this depth.

    Args:
        keys: measure keys; empty means `DEFAULT_MEASURES`.
        level: "1" .. str(n_levels), "all", or "" for each measure's own default. Measures that do not exist on
            the level keep their default: "all" for those that have it, level 1 otherwise.
        n_levels: levels of the deepest gold standard.
        policies: scoring options of the scores, for the unit in titles; None for the defaults.
        depth: one of `CUTS`, or "" for the cut that is as deep as the level; ignored by measures that cut nothing.

    Raises:
        InputError: a measure, the level or the depth is unknown.
    """
    measures = [measure.under(policies or Policies()) for measure in REGISTRY.select(keys or DEFAULT_MEASURES)]
    choices = level_choices(n_levels)
    if level and level not in choices:
        raise InputError([Problem("unknown-level", "level", repr(level), f"one of {', '.join(choices)}")])
    if depth and depth not in CUTS:
        raise InputError([Problem("unknown-depth", "depth", repr(depth), f"one of {', '.join(CUTS)}")])
    return tuple(_column(measure, _level_for(measure.view, level), depth) for measure in measures)


def _column(measure: Measure, level: str, depth: str) -> BoardColumn:
    if not depth:
        return BoardColumn(measure, level, own_depth(measure, level))
    return BoardColumn(measure, level, int(depth) if measure.view.cuts and depth != FINEST else 0)


def own_depth(measure: Measure, level: str) -> int:
    """Return the default depth of cuts: that of the level; the finest cut (0) if the level is not a number."""
    return int(level) if measure.view.cuts and level.isdigit() else 0


def columns_of_submission(keys: Sequence[str], policies: Policies, deepest: int = 1) -> tuple[BoardColumn, ...]:
    """Return the columns of pages about one submission or one query.

    Args:
        deepest: the largest depth of a submission's clusterings. Measures that cut them have a column for each depth,
            and last one for the finest cuts.

    Raises:
        InputError: a measure is unknown.
    """
    default = (
        SINGLE_SUBMISSION_MEASURES
        if policies == Policies()
        else (*SINGLE_SUBMISSION_MEASURES, *OPTION_DEPENDENT_MEASURES)
    )
    shown = columns(keys or default, "", 1, policies)
    if deepest == 1:
        return shown
    depths = (*range(1, min(deepest, MOST_DEPTHS)), 0)
    return tuple(
        replace(column, depth=depth)
        for column in shown
        for depth in (depths if column.measure.view.cuts else (column.depth,))
    )


def level_choices(n_levels: int) -> tuple[str, ...]:
    return (*map(str, range(1, n_levels + 1)), ALL_LEVELS)


def _level_for(view: View[object], level: str) -> str:
    on_levels, on_all = level_kinds(view)
    if on_levels and level not in {"", ALL_LEVELS}:
        return level
    if on_all:
        return ALL_LEVELS
    return "1" if on_levels else ""


@lru_cache(maxsize=32)
def level_kinds(view: View[object]) -> tuple[bool, bool]:
    """Return whether measures of this view exist on single levels, and on "all" of them together."""
    one_topic = sp.csr_array(np.ones((1, 1), dtype=np.int32))
    levels = view.levels(GoldStandard.from_hierarchy(Hierarchy.build(one_topic, [-1])))
    return 1 in levels, ALL_LEVELS in levels

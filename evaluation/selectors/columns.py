"""Columns of a board: a measure on one of the levels it exists on, chosen by people in the address of the page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import scipy.sparse as sp

from qc4.gold.hierarchy import Hierarchy
from qc4.gold.standard import GoldStandard
from qc4.measures.measure import Measure
from qc4.measures.registry import REGISTRY
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.views.policies import Policies
from qc4.views.view import View

DEFAULT_MEASURES = ("quality", "coverage", "qc4_f")
ALL_LEVELS = "all"
SHOWN_OF_ONE = ("aq", "wq", "ac", "wc", "quality", "coverage", "qc4", "qc4_f")
"""What pages about one submission or one query show."""
CHANGED_BY_POLICIES = ("purity", "pair_f1", "ari", "ami")
"""Some measures that read policies, shown there where these are not the default ones."""


@dataclass(frozen=True, slots=True)
class Column(Record):
    """A measure on a level. ``level`` is as stored with scores: "1", "2", .., "all", or "" for the whole hierarchy."""

    TITLE = "BoardColumn"
    KEYS = "measure=key title=measure.title level|null better=measure.better"

    measure: Measure
    level: str

    @property
    def key(self) -> str:
        return self.measure.key

    @property
    def place(self) -> tuple[str, str]:
        """Measure and level, as scores are stored."""
        return self.key, self.level

    @property
    def arrow(self) -> str:
        """Which way is better."""
        return self.measure.arrow

    @property
    def level_words(self) -> str:
        """The level for a table header; nothing where the measure has none."""
        return {"": "", ALL_LEVELS: "all levels"}.get(self.level, f"level {self.level}")

    @property
    def worst(self) -> float | None:
        """What a query without a clustering counts under the rule ``zero``; None where there is no worst value."""
        return 0.0 if self.measure.better == "higher" else self.measure.high


def columns(keys: Sequence[str], level: str, n_levels: int, policies: Policies | None = None) -> tuple[Column, ...]:
    """The columns of these measures on this level.

    Args:
        keys: measure keys; none means `DEFAULT_MEASURES`.
        level: "1" .. str(n_levels), "all", or "" for each measure's own default. Measures that do not exist on
            the level keep their default: "all" for those that have it, level 1 otherwise.
        n_levels: levels of the deepest gold standard.
        policies: those of the scores, for the unit in titles; None for the defaults.

    Raises:
        InputError: unknown measures or level.
    """
    measures = [measure.under(policies or Policies()) for measure in REGISTRY.select(keys or DEFAULT_MEASURES)]
    choices = level_choices(n_levels)
    if level and level not in choices:
        raise InputError([Problem("unknown-level", "level", repr(level), f"one of {', '.join(choices)}")])
    return tuple(Column(measure, _level_for(measure.view, level)) for measure in measures)


def columns_of_one(keys: Sequence[str], policies: Policies) -> tuple[Column, ...]:
    """The columns of pages about one submission or one query.

    Raises:
        InputError: unknown measures.
    """
    default = SHOWN_OF_ONE if policies == Policies() else (*SHOWN_OF_ONE, *CHANGED_BY_POLICIES)
    return columns(keys or default, "", 1, policies)


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
    """Whether measures of this view exist on single levels, and on "all" of them together."""
    one_topic = sp.csr_array(np.ones((1, 1), dtype=np.int32))
    levels = view.levels(GoldStandard.from_hierarchy(Hierarchy.build(one_topic, [-1])))
    return 1 in levels, ALL_LEVELS in levels

"""What an address asks of a clustering that is explained: which measures, policies and changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields

from evaluation.questions import policies_of
from evaluation.selectors.columns import ALL_LEVELS, Column, columns
from evaluation.selectors.why_matrix import SHADES
from qc4.clustering.clustering import Clustering
from qc4.gold.standard import GoldStandard
from qc4.measures.measure import Measure
from qc4.measures.parameters import split_measures
from qc4.measures.what_if import Changes
from qc4.problems import InputError, Problem
from qc4.views.policies import Policies
from qc4.views.view import Level

MEASURES = ("quality", "coverage", "qc4_f", "f", "bcubed_f", "ari")
"""Shown before and after a change; chance levels are told of the first three."""
LEADING = 3
CHANGES = tuple(field.name for field in fields(Changes))
Lists = Callable[[str], Sequence[str]]
"""Every value given under a name."""


@dataclass(frozen=True, slots=True)
class Choices:
    """What a page shows.

    Attributes:
        shade: one of `SHADES`.
        depth: topics of the matrix that lie deeper are left out; None for all.
        shown: measures on their levels.
    """

    policies: Policies
    shown: tuple[Column, ...]
    named: bool
    shade: str
    depth: int | None

    @property
    def plan(self) -> list[tuple[Measure, Level]]:
        """The measures and levels, as the engine takes them."""
        return [(column.measure, _level(column.level)) for column in self.shown]

    @property
    def leading(self) -> list[tuple[Measure, Level]]:
        """Those that chance levels are told of: all that are named, else quality, coverage and QC4-F."""
        return self.plan if self.named else self.plan[:LEADING]

    @classmethod
    def of(cls, given: Mapping[str, str], gold: GoldStandard | None) -> Choices:
        """The choices of an address.

        Raises:
            InputError: unknown measures, policies, shades or depths.
        """
        keys = split_measures(given.get("measures", ""))
        n_levels = gold.hierarchy.n_levels if gold is not None else 1
        policies = policies_of(given)
        shown = columns(keys or MEASURES, given.get("level", ""), n_levels, policies)
        shade, depth = given.get("shade") or next(iter(SHADES)), given.get("depth", "")
        if shade not in SHADES:
            raise InputError([Problem("unknown-shade", "shade", repr(shade), f"one of {', '.join(SHADES)}")])
        if depth and not (depth.isascii() and depth.isdigit() and 0 < int(depth[:6]) < 1_000):
            raise InputError([Problem("bad-depth", "depth", repr(depth), "the number of levels to show, 1 or more")])
        return cls(policies, shown, bool(keys), shade, int(depth) if depth else None)


def changes_of(given: Lists, clustering: Clustering, prefix: str = "") -> Changes:
    """The changes asked for: ids under the name of each change, several times or, unless ids hold some, with commas.

    Args:
        prefix: in front of the names.

    Raises:
        InputError: there are no such clusters.
    """
    there = {cluster.id for cluster in clustering.clusters}
    return Changes(**{name: _ids(given(prefix + name), there) for name in CHANGES})


def _ids(values: Sequence[str], there: set[str]) -> tuple[str, ...]:
    found = [[value] if value in there else value.split(",") for value in values]
    return tuple(dict.fromkeys(id for ids in found for id in ids if id))


def _level(level: str) -> Level:
    if level.isdigit():
        return int(level)
    return "all" if level == ALL_LEVELS else None

"""What an address asks of a clustering that is explained: which measures, policies and changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Collection as Some
from dataclasses import dataclass, fields

from evaluation.questions import policies_of
from evaluation.selectors.columns import ALL_LEVELS, Column, columns
from evaluation.selectors.why_matrix import SHADES
from qc4.inputs.view import Level
from qc4.measures.parameters import split_measures
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.changes import known
from qc4.model.clustering import Cluster, Clustering
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem
from qc4.scoring.what_if import Changes
from qc4.text import Spellings

MEASURES = ("quality", "coverage", "qc4_f", "f", "bcubed_f", "ari")
"""Shown before and after a change; chance levels are told of the first three."""
LEADING = 3
CHANGES = tuple(field.name for field in fields(Changes))
Lists = Callable[[str], Sequence[str]]
"""Every value given under a name."""
Place = tuple[str, str]
"""A measure's key and a level, as columns have it."""


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
    def places(self) -> tuple[Place, ...]:
        """The measures and levels."""
        return tuple((column.key, column.level) for column in self.shown)

    @property
    def leading(self) -> tuple[Place, ...]:
        """Those that chance levels are told of: all that are named, else quality, coverage and QC4-F."""
        return self.places if self.named else self.places[:LEADING]

    @classmethod
    def of(cls, given: Mapping[str, str], n_levels: int) -> Choices:
        """The choices of an address.

        Args:
            n_levels: levels of the gold standard.

        Raises:
            InputError: unknown measures, policies, shades or depths.
        """
        keys = split_measures(given.get("measures", ""))
        policies = policies_of(given)
        shown = columns(keys or MEASURES, given.get("level", ""), n_levels, policies)
        shade, depth = given.get("shade") or next(iter(SHADES)), given.get("depth", "")
        if shade not in SHADES:
            raise InputError([Problem("unknown-shade", "shade", repr(shade), f"one of {', '.join(SHADES)}")])
        if depth and not (depth.isascii() and depth.isdigit() and 0 < int(depth[:6]) < 1_000):
            raise InputError([Problem("bad-depth", "depth", repr(depth), "the number of levels to show, 1 or more")])
        return cls(policies, shown, bool(keys), shade, int(depth) if depth else None)


def changes_of(given: Lists, there: Some[str], prefix: str = "") -> Changes:
    """The changes asked for: ids under the name of each change, several times or, unless ids hold some, with commas.

    Args:
        there: ids of the clusters that there are.
        prefix: in front of the names.

    Raises:
        InputError: there are no such clusters.
    """
    found = Changes(**{name: _ids(given(prefix + name), there) for name in CHANGES})
    if not found:
        return found
    found = found.spelled_as(Spellings(list(there)))
    known(
        Clustering("", tuple(Cluster(id, ()) for id in there)), [id for name in CHANGES for id in getattr(found, name)]
    )
    return found


def _ids(values: Sequence[str], there: Some[str]) -> tuple[str, ...]:
    found = [[value] if value in there else value.split(",") for value in values]
    return tuple(dict.fromkeys(id for ids in found for id in ids if id))


def plan_of(places: Sequence[Place]) -> list[tuple[Measure, Level]]:
    """Measures on levels as the engine takes them."""
    return [(REGISTRY.get(key), _level(level)) for key, level in places]


def _level(level: str) -> Level:
    if level.isdigit():
        return int(level)
    return "all" if level == ALL_LEVELS else None

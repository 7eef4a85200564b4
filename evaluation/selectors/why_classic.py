"""The terms of the classic measures of one clustering on one level, with the names people know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from evaluation.selectors.columns import ALL_LEVELS, Column, level_choices
from evaluation.selectors.why_words import OUTLIERS
from qc4.clustering.case import Case
from qc4.measures.parts import CLASSIC_FAMILY, classic_terms
from qc4.measures.registry import REGISTRY
from qc4.measures.scoring import score_case
from qc4.views.policies import Policies


@dataclass(frozen=True, slots=True)
class ClassicView:
    """What a page shows of the classic measures on one level.

    Attributes:
        levels: (level, its words) of every level that can be chosen.
        clusters, topics: the rows of `qc4.measures.parts.ClassicTerms`, each with its ``name``.
        scores: measure key -> value; each is the mean of the terms in its column.
    """

    level: str
    levels: tuple[tuple[str, str], ...]
    clusters: list[dict[str, Any]]
    topics: list[dict[str, Any]]
    scores: Mapping[str, float | None]

    @property
    def level_words(self) -> str:
        return dict(self.levels)[self.level]


def classic_level(shown: tuple[Column, ...]) -> str | None:
    """Return the level of the first classic measure among these columns; None if there is none."""
    return next((column.level for column in shown if column.measure.family == CLASSIC_FAMILY), None)


def classic_view(case: Case, level: str, names: Mapping[str, str], paths: Mapping[str, str]) -> ClassicView:
    """Return the terms of the classic measures on this level.

    Args:
        level: "1", "2", .. or "all".
        names: cluster id -> what people call it.
        paths: topic id -> its path.
    """
    at: int | Literal["all"] = "all" if level == ALL_LEVELS else int(level)
    terms = classic_terms(case, at)
    scores = score_case(case, [(measure, at) for measure in REGISTRY.family(CLASSIC_FAMILY)], Policies())
    return ClassicView(
        level=level,
        levels=tuple(
            (one, "all levels" if one == ALL_LEVELS else f"level {one}")
            for one in level_choices(case.gold.hierarchy.n_levels)
        ),
        clusters=[{**row, "name": names[row["id"]]} for row in terms["clusters"]],
        topics=[{**row, "name": OUTLIERS if row["id"] is None else paths[row["id"]]} for row in terms["topics"]],
        scores={one.measure: one.value for one in scores},
    )

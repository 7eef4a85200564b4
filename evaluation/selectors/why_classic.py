"""The terms of the classic measures of one clustering on one level, with the names people know."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from annotations.gold.selectors import gold_tree
from evaluation import cases
from evaluation.selectors.columns import ALL_LEVELS, Column, level_choices
from evaluation.selectors.why_asked import READ, Explained, OfExplained
from evaluation.selectors.why_words import OUTLIERS
from qc4.measures.registry import REGISTRY
from qc4.model.policies import Policies
from qc4.scoring.parts import CLASSIC_FAMILY, classic_terms
from qc4.scoring.scoring import score_case
from work.answers import Answer


@dataclass(frozen=True, slots=True)
class ClassicAsked(OfExplained):
    """Args: level: "1", "2", .. or "all"."""

    of: Explained
    level: str


@dataclass(frozen=True, slots=True)
class ClassicFound:
    """The terms of the classic measures on one level.

    Attributes:
        levels: (level, its words) of every level that can be chosen.
        scores: measure key -> value; each is the mean of the terms in its column.
        clusters, topics: the rows of `qc4.scoring.parts.ClassicTerms`, each with its ``name``.
    """

    level: str
    levels: tuple[tuple[str, str], ...]
    scores: dict[str, float | None]
    n_clusters: int
    n_topics: int
    clusters: tuple[dict[str, Any], ...]
    topics: tuple[dict[str, Any], ...]

    @property
    def level_words(self) -> str:
        return dict(self.levels)[self.level]


def classic_level(shown: tuple[Column, ...]) -> str | None:
    """Return the level of the first classic measure among these columns; None if there is none."""
    return next((column.level for column in shown if column.measure.family == CLASSIC_FAMILY), None)


def _work_out(asked: ClassicAsked) -> ClassicFound:
    row, gold = asked.of.read()
    case, level = cases.case(row, gold), asked.level
    names = {cluster.id: cluster.label or cluster.id for cluster in cases.clustering(row).clusters}
    paths = {node.id: node.path for node in gold_tree(gold).nodes}
    at: int | Literal["all"] = "all" if level == ALL_LEVELS else int(level)
    terms = classic_terms(case, at)
    scores = score_case(case, [(measure, at) for measure in REGISTRY.family(CLASSIC_FAMILY)], Policies())
    return ClassicFound(
        level=level,
        levels=tuple(
            (one, "all levels" if one == ALL_LEVELS else f"level {one}")
            for one in level_choices(case.gold.hierarchy.n_levels)
        ),
        scores={one.measure: one.value for one in scores},
        n_clusters=len(terms["clusters"]),
        n_topics=len(terms["topics"]),
        clusters=tuple({**one, "name": names[one["id"]]} for one in terms["clusters"]),
        topics=tuple({**one, "name": OUTLIERS if one["id"] is None else paths[one["id"]]} for one in terms["topics"]),
    )


CLASSIC = Answer(
    "classic-terms",
    ClassicAsked,
    ClassicFound,
    _work_out,
    cost=lambda asked: asked.of.rows,
    cheap=READ,
    parts={"clusters": 100, "topics": 100},
)

"""The terms of scores: the terms of classic measures for the page, and the terms of any measure for the API."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from annotations.collections.vectors import load_vectors
from annotations.gold.selectors import gold_tree
from annotations.models import Gold, VectorSet
from evaluation.explanations.clusters import OUTLIERS
from evaluation.explanations.pair import CHEAP_ROWS, ExplanationInputs, OfExplanation
from evaluation.models import Clustering
from evaluation.scoring import cases
from evaluation.scoring.cells import looks_at_vectors
from evaluation.scoring.columns import ALL_LEVELS, BoardColumn, level_choices
from qc4.measures.registry import REGISTRY
from qc4.model.policies import Policies
from qc4.scoring.parts import CLASSIC_FAMILY, classic_terms
from qc4.scoring.scoring import score, score_case
from work.answers import Answer, InputsDeleted


@dataclass(frozen=True, slots=True)
class ClassicInputs(OfExplanation):
    """Request for the terms of the classic measures; ``level`` is "1", "2", … or "all"."""

    of: ExplanationInputs
    level: str


@dataclass(frozen=True, slots=True)
class ClassicResult:
    """The terms of the classic measures on one level.

    Attributes:
        levels: (level, label) of every level that can be chosen.
        scores: key of a measure -> value, the mean of the terms in its column.
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


def classic_level(shown: tuple[BoardColumn, ...]) -> str | None:
    """Return the level of the first classic measure among these columns; None if there is none."""
    return next((column.level for column in shown if column.measure.family == CLASSIC_FAMILY), None)


def _compute_classic(asked: ClassicInputs) -> ClassicResult:
    row, gold = asked.of.read()
    case, level = cases.case(row, gold), asked.level
    names = {cluster.id: cluster.label or cluster.id for cluster in cases.clustering(row).clusters}
    paths = {node.id: node.path for node in gold_tree(gold).nodes}
    at: int | Literal["all"] = "all" if level == ALL_LEVELS else int(level)
    terms = classic_terms(case, at)
    scores = score_case(case, [(measure, at) for measure in REGISTRY.family(CLASSIC_FAMILY)], Policies())
    return ClassicResult(
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
    ClassicInputs,
    ClassicResult,
    _compute_classic,
    cost=lambda asked: asked.of.rows,
    cheap=CHEAP_ROWS,
    parts={"clusters": 100, "topics": 100},
)


# --- Scores with the terms behind them, for the API ---

QC4_FAMILY = "qc4"


@dataclass(frozen=True, slots=True)
class ScoresInputs(OfExplanation):
    """Request for scores with their terms; ``vectors`` is the id of the vectors that some measures use."""

    of: ExplanationInputs
    measures: tuple[str, ...]
    vectors: int | None = None


@dataclass(frozen=True, slots=True)
class ExplainedScores:
    """A `ScoreResult` as JSON; ``head`` has everything but the long lists."""

    head: dict[str, Any]
    clusters: tuple[dict[str, Any], ...]
    topics: tuple[dict[str, Any], ...]
    page_coverage: tuple[dict[str, Any], ...]


def _compute_scores(asked: ScoresInputs) -> ExplainedScores:
    row, gold = asked.of.read()
    held = None if asked.vectors is None else VectorSet._default_manager.filter(pk=asked.vectors).first()
    if asked.vectors is not None and held is None:
        raise InputsDeleted
    found = score(
        cases.gold_standard(gold),
        cases.clustering(row),
        measures=asked.measures,
        policies=asked.of.policies,
        explain=True,
        vectors=None if held is None else load_vectors(held),
    ).to_dict()
    lists = {field: tuple(found.pop(field)) for field in SCORES.parts}
    return ExplainedScores(found, **lists)


def _cost(asked: ScoresInputs) -> float:
    """Return the cost: reading once, plus measures that may compare every two clusters with common pages."""
    return asked.of.rows * (1 + asked.of.overlap * len(asked.measures) / 3)


SCORES: Answer[ScoresInputs, ExplainedScores] = Answer(
    "explained-scores",
    ScoresInputs,
    ExplainedScores,
    _compute_scores,
    cost=_cost,
    cheap=CHEAP_ROWS,
    parts={"clusters": 1_000, "topics": 1_000, "page_coverage": 20_000},
)


def scores_inputs(row: Clustering, gold: Gold, keys: list[str], policies: Policies) -> ScoresInputs:
    """Return the request for a clustering and a gold standard (both already checked).

    Args:
        keys: keys of measures; if empty, all measures of the QC4 family.

    Raises:
        InputError: if a measure is unknown.
    """
    REGISTRY.select(keys)
    held = row.query.vector_sets.order_by("-pk").first() if any(map(looks_at_vectors, keys)) else None
    measures = keys or [measure.key for measure in REGISTRY.family(QC4_FAMILY)]
    return ScoresInputs(ExplanationInputs.of(row, gold, policies), tuple(measures), None if held is None else held.pk)

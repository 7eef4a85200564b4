"""Scores of a clustering with the terms that they are the means of: what the API says of why it scores as it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annotations.models import Gold, VectorSet
from annotations.selectors.vectors import read
from evaluation import cases
from evaluation.models import Clustering
from evaluation.questions import looks_at_vectors
from evaluation.selectors.why_asked import READ, Explained, OfExplained
from qc4.measures.registry import REGISTRY
from qc4.measures.scoring import score
from qc4.views.policies import Policies
from work.answers import Answer, InputsDeleted

QC4_FAMILY = "qc4"


@dataclass(frozen=True, slots=True)
class ScoresAsked(OfExplained):
    """By which measures, and the id of the vectors that some of them look at."""

    of: Explained
    measures: tuple[str, ...]
    vectors: int | None = None


@dataclass(frozen=True, slots=True)
class ExplainedScores:
    """A `ScoreResult` in JSON; ``head`` is what is none of the long lists."""

    head: dict[str, Any]
    clusters: tuple[dict[str, Any], ...]
    topics: tuple[dict[str, Any], ...]
    page_coverage: tuple[dict[str, Any], ...]


def _work_out(asked: ScoresAsked) -> ExplainedScores:
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
        vectors=None if held is None else read(held),
    ).to_dict()
    lists = {field: tuple(found.pop(field)) for field in SCORES.parts}
    return ExplainedScores(found, **lists)


def _cost(asked: ScoresAsked) -> float:
    """A case is read once; some measures look at every two clusters that share pages, or at every two pages."""
    return asked.of.rows * (1 + asked.of.overlap * len(asked.measures) / 3)


SCORES: Answer[ScoresAsked, ExplainedScores] = Answer(
    "explained-scores",
    ScoresAsked,
    ExplainedScores,
    _work_out,
    cost=_cost,
    cheap=READ,
    parts={"clusters": 1_000, "topics": 1_000, "page_coverage": 20_000},
)


def explained_scores(row: Clustering, gold: Gold, keys: list[str], policies: Policies) -> ScoresAsked:
    """What to ask of a clustering and a gold standard (both checked).

    Args:
        keys: of measures; none for those of the QC4 family.

    Raises:
        InputError: unknown measures.
    """
    REGISTRY.select(keys)
    held = row.query.vector_sets.order_by("-pk").first() if any(map(looks_at_vectors, keys)) else None
    measures = keys or [measure.key for measure in REGISTRY.family(QC4_FAMILY)]
    return ScoresAsked(Explained.of(row, gold, policies), tuple(measures), None if held is None else held.pk)

"""Compute and store scores, keyed by content: no clustering is scored twice against the same gold standard."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db import transaction

from annotations.models import Gold, VectorSet
from evaluation.models import Clustering, Evaluation, Score
from evaluation.scoring import cases
from qc4.measures.registry import REGISTRY
from qc4.model.policies import CHOICES, Policies
from qc4.scoring import results as result
from qc4.scoring import scoring
from qc4.version import ENGINE_VERSION

NO_VECTORS = "none"


@dataclass(frozen=True, slots=True)
class ScoreKey:
    """The content key of scores: one clustering against one gold standard, with one set of scoring options.

    ``vectors_sha256`` is empty for measures without vectors, and `NO_VECTORS` if a measure on vectors has none. New
    vectors change only the scores of measures on vectors.
    """

    clustering_sha256: str
    gold_sha256: str
    policies: Policies
    vectors_sha256: str = ""

    @property
    def key(self) -> dict[str, str]:
        """The columns that identify the evaluation."""
        return {
            "clustering_sha256": self.clustering_sha256,
            "gold_sha256": self.gold_sha256,
            "policies_sha256": policies_sha256(self.policies),
            "vectors_sha256": self.vectors_sha256,
        }

    def concerns(self, measure: str) -> bool:
        """True if a measure's scores have this key: measures on vectors have one with vectors."""
        return looks_at_vectors(measure) == bool(self.vectors_sha256)


def policies_of(given: Mapping[str, str]) -> Policies:
    """Read the scoring options that a URL names; omitted ones have their default.

    Raises:
        InputError: an option has no such choice.
    """
    return Policies.parse({name: given[name] for name in CHOICES if given.get(name)})


def looks_at_vectors(measure: str) -> bool:
    return "vectors" in REGISTRY.get(measure).needs


def policies_sha256(policies: Policies) -> str:
    """Return the SHA-256 of the scoring options' canonical JSON."""
    text = json.dumps(policies.to_dict(), sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def missing(question: ScoreKey, measures: Iterable[str]) -> list[str]:
    """Return the measures that have no score yet in their current version."""
    known = set(
        Score.objects.filter(**{f"evaluation__{name}": value for name, value in question.key.items()})
        .values_list("measure", "measure_version")
        .distinct()
    )
    return [measure.key for measure in REGISTRY.select(measures) if (measure.key, measure.version) not in known]


def compute(
    clustering: Clustering, gold: Gold, policies: Policies, measures: Iterable[str], vectors: VectorSet | None = None
) -> tuple[result.Score, ...]:
    """Compute these measures on each of their levels, and for nested clusterings at each depth, as `qc4.score` does.

    Raises:
        InputError: the clustering does not fit the gold standard's pages.
    """
    case = cases.case(clustering, gold, vectors)
    return scoring.score_case(case, scoring.select_measures(case.gold, measures), policies)


def store(question: ScoreKey, scores: Iterable[result.Score]) -> Evaluation:
    """Store scores under their content key and return the evaluation; existing scores are unchanged.

    Rows are inserted in sorted order, so that two workers that store the same scores wait for each other instead of
    deadlocking. The evaluation's row is locked, so that no clean-up deletes it before a run refers to it.
    """
    with transaction.atomic():
        Evaluation.objects.bulk_create(
            [Evaluation(**question.key, policies=question.policies.to_dict())], ignore_conflicts=True
        )
        evaluation = Evaluation.objects.select_for_update(no_key=True).get(**question.key)
        rows = [_row(evaluation, score) for score in scores]
        rows.sort(key=lambda row: (row.measure, row.measure_version, row.level, row.depth))
        Score.objects.bulk_create(rows, ignore_conflicts=True)
    return evaluation


def _row(evaluation: Evaluation, score: result.Score) -> Score:
    return Score(
        evaluation=evaluation,
        measure=score.measure,
        measure_version=REGISTRY.get(score.measure).version,
        level="" if score.level is None else str(score.level),
        depth=score.depth or 0,
        deepest=score.deepest or 0,
        value=score.value,
        undefined=score.undefined or "",
        flattened=score.flattened,
        engine=ENGINE_VERSION,
    )

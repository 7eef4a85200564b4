"""Similarity of two submissions' clusterings of a query, without a gold standard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from evaluation.explanations.pair import CHEAP_ROWS
from evaluation.models import Clustering
from evaluation.scoring import cases
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.policies import Policies
from qc4.scoring.two_clusterings import READ_POLICIES, compare_clusterings, symmetric_measures
from work.answers import Answer, InputsDeleted


@dataclass(frozen=True, slots=True)
class SimilarityInputs:
    """Request to compare two clusterings of a query, by ids; scoring options without effect have their defaults."""

    collection: int
    submissions: tuple[int, int]
    clusterings: tuple[int, int]
    memberships: int
    pages: int
    measures: tuple[str, ...]
    policies: Policies

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> Iterable[str]:
        return (f"submission {pk}" for pk in self.submissions)


def _compute(asked: SimilarityInputs) -> dict[str, Any]:
    """Return a `ClusteringComparison` as JSON."""
    rows = Clustering._default_manager.select_related("file", "query").in_bulk(asked.clusterings)
    if any(pk not in rows for pk in asked.clusterings):
        raise InputsDeleted
    one, other = (cases.clustering(rows[pk]) for pk in asked.clusterings)
    pages = list(rows[asked.clusterings[0]].query.pages.order_by("position").values_list("key", flat=True))
    return compare_clusterings(one, other, symmetric_measures(asked.measures), asked.policies, pages).to_dict()


SIMILARITY = Answer(
    "alike",
    SimilarityInputs,
    dict[str, Any],
    _compute,
    cost=lambda asked: 5 * asked.memberships * max(1.0, asked.memberships / max(asked.pages, 1) / 2) + asked.pages,
    cheap=CHEAP_ROWS,
)


def alike(
    row: Clustering, other: Clustering, policies: Policies, measures: Sequence[str] | None = None
) -> dict[str, Any]:
    """Compare two clusterings of a query (both already checked) on all of its pages; the result is that of `qc4 alike`.

    Args:
        measures: keys of symmetric measures; None for all of them.

    Raises:
        InputError: if a measure is unknown or not symmetric.
        Pending: the result is still being computed.
    """
    return SIMILARITY.get(
        SimilarityInputs(
            row.submission.collection_id,
            (row.submission_id, other.submission_id),
            (row.pk, other.pk),
            row.n_memberships + other.n_memberships,
            row.query.n_pages,
            tuple(measure.key for measure in symmetric_measures(measures)),
            Policies.parse({name: getattr(policies, name) for name in READ_POLICIES}),
        )
    )


@dataclass(frozen=True, slots=True)
class Similarity:
    """Similarity of two clusterings, as the page shows it.

    Attributes:
        lines: each symmetric measure that has a value, with its score.
        undefined: the other measures, as (reason, measures).
        address: scoring options, as URL parameters for the API.
    """

    lines: tuple[tuple[Measure, dict[str, Any]], ...]
    undefined: tuple[tuple[str, tuple[Measure, ...]], ...]
    address: str

    @property
    def flattened(self) -> bool:
        """True if overlap was removed for any of the scores."""
        return any(score.get("flattened") for _, score in self.lines)

    @classmethod
    def of(cls, found: dict[str, Any]) -> Similarity:
        policies, lines = Policies.parse(found["policies"]), []
        undefined: dict[str, list[Measure]] = {}
        for score in found["scores"]:
            measure = REGISTRY.get(score["measure"]).under(policies)
            if score["undefined"] is None:
                lines.append((measure, score))
            else:
                undefined.setdefault(score["undefined"], []).append(measure)
        address = urlencode({name: getattr(policies, name) for name in READ_POLICIES})
        return cls(tuple(lines), tuple((why, tuple(those)) for why, those in undefined.items()), address)

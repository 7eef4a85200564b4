"""How alike two submissions' clusterings of a query are, without a gold standard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from evaluation.explanations.pair import READ
from evaluation.models import Clustering
from evaluation.scoring import cases
from qc4.measures.registry import REGISTRY, Measure
from qc4.model.policies import Policies
from qc4.scoring.two_clusterings import READ_POLICIES, compare_clusterings, symmetric
from work.answers import Answer, InputsDeleted


@dataclass(frozen=True, slots=True)
class AlikeAsked:
    """Two clusterings of a query, by ids, and the measures; policies that they do not read are the default ones."""

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


def _work_out(asked: AlikeAsked) -> dict[str, Any]:
    """A `ClusteringComparison` in JSON."""
    rows = Clustering._default_manager.select_related("file", "query").in_bulk(asked.clusterings)
    if any(pk not in rows for pk in asked.clusterings):
        raise InputsDeleted
    one, other = (cases.clustering(rows[pk]) for pk in asked.clusterings)
    pages = list(rows[asked.clusterings[0]].query.pages.order_by("position").values_list("key", flat=True))
    return compare_clusterings(one, other, symmetric(asked.measures), asked.policies, pages).to_dict()


ALIKE = Answer(
    "alike",
    AlikeAsked,
    dict[str, Any],
    _work_out,
    cost=lambda asked: 5 * asked.memberships * max(1.0, asked.memberships / max(asked.pages, 1) / 2) + asked.pages,
    cheap=READ,
)


def alike(
    row: Clustering, other: Clustering, policies: Policies, measures: Sequence[str] | None = None
) -> dict[str, Any]:
    """Two clusterings of a query (both checked) on all of its pages, as `qc4 alike` says it in JSON.

    Args:
        measures: keys of symmetric measures; None for all of them.

    Raises:
        InputError: unknown measures, and those that need a truth.
        Pending: it is being worked out.
    """
    return ALIKE.get(
        AlikeAsked(
            row.submission.collection_id,
            (row.submission_id, other.submission_id),
            (row.pk, other.pk),
            row.n_memberships + other.n_memberships,
            row.query.n_pages,
            tuple(measure.key for measure in symmetric(measures)),
            Policies.parse({name: getattr(policies, name) for name in READ_POLICIES}),
        )
    )


@dataclass(frozen=True, slots=True)
class Alike:
    """What a page shows of how alike two clusterings are.

    Attributes:
        lines: every symmetric measure that has a value, named as its unit has it, with its score.
        undefined: why the others have none, and which they are.
        address: the policies as the API takes them.
    """

    lines: tuple[tuple[Measure, dict[str, Any]], ...]
    undefined: tuple[tuple[str, tuple[Measure, ...]], ...]
    address: str

    @property
    def flattened(self) -> bool:
        """Whether overlap was taken away for any of the scores."""
        return any(score.get("flattened") for _, score in self.lines)

    @classmethod
    def of(cls, found: dict[str, Any]) -> Alike:
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

"""A clustering and a gold standard, by their ids: the input of every stored explanation."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annotations.models import Gold
from evaluation.models import Clustering
from qc4.model.policies import Policies
from work.answers import InputsDeleted

CHEAP_ROWS = 5_000
"""Pages and memberships that are read and processed once in a tenth of a second."""


@dataclass(frozen=True, slots=True)
class ExplanationInputs:
    """A clustering and the gold standard to explain it against.

    Attributes:
        collection, submission, clustering, gold: ids; clusterings and gold standards never change.
    """

    collection: int
    submission: int
    clustering: int
    gold: int
    n_clusters: int
    n_memberships: int
    n_topics: int
    n_pages: int
    policies: Policies

    @classmethod
    def of(cls, row: Clustering, gold: Gold, policies: Policies) -> ExplanationInputs:
        """Return the request for a clustering and a gold standard of the same query, both already checked."""
        submission = row.submission
        sizes = row.n_clusters, row.n_memberships, gold.n_topics, gold.n_pages
        return cls(submission.collection_id, submission.pk, row.pk, gold.pk, *sizes, policies)

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> Iterable[str]:
        return (f"submission {self.submission}",)

    @property
    def rows(self) -> int:
        """Number of clusters, memberships, topics and pages to read."""
        return self.n_clusters + self.n_memberships + self.n_topics + self.n_pages

    @property
    def overlap(self) -> float:
        """Mean number of clusters per page, at least 1: the cost factor of measures that compare pairs of clusters."""
        return max(1.0, self.n_memberships / max(self.n_pages, 1))

    @property
    def words(self) -> str:
        """The sizes of the two, in words."""
        return f"{self.n_clusters:,} clusters with {self.n_memberships:,} pages, {self.n_topics:,} topics"

    def read(self) -> tuple[Clustering, Gold]:
        """Load the clustering and the gold standard, in a worker.

        Raises:
            Gone: if one of them has been deleted.
        """
        row = Clustering._default_manager.select_related("file", "query").filter(pk=self.clustering).first()
        gold = Gold._default_manager.select_related("file").filter(pk=self.gold).first()
        if row is None or gold is None:
            raise InputsDeleted
        return row, gold


class OfExplanation:
    """Base of requests about a clustering and a gold standard."""

    __slots__ = ()
    of: ExplanationInputs

    @property
    def scope(self) -> str:
        return self.of.scope

    @property
    def sources(self) -> Iterable[str]:
        return self.of.sources

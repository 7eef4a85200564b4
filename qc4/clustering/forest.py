"""How the clusters of a clustering lie in one another, as their parents say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qc4.arrays import IntArray
from qc4.clustering.clustering import Cluster
from qc4.problems import ProblemList
from qc4.problems.references import check_cycles, check_parent, parents_first
from qc4.problems.wording import quoted


@dataclass(frozen=True, eq=False)
class Forest:
    """Every cluster of a clustering as a node, also one that has pages only by the clusters in it.

    Attributes:
        parent: (nodes,) the node it lies in, -1 for one that lies in none.
        row: (nodes,) its row among the clusters of a case, -1 for a cluster that lists no page.
        labels: one per node, empty where the cluster has none.
    """

    parent: IntArray
    row: IntArray
    labels: tuple[str, ...]

    @cached_property
    def depth(self) -> IntArray:
        """(nodes,) how many clusters each lies in, itself counted: 1 for one that lies in none."""
        return depth_below(self.parent)

    @classmethod
    def of(cls, clusters: Sequence[Cluster], problems: ProblemList) -> Forest:
        """The forest of these clusters; parents that do not exist or go round in a circle are noted as problems."""
        numbers = {cluster.id: number for number, cluster in enumerate(clusters)}
        for number, cluster in enumerate(clusters):
            if cluster.parent not in numbers:
                where = f"clusters[{number}] (id {quoted(cluster.id)})"
                check_parent(cluster.parent, numbers, where, "the id of a cluster of this clustering", problems)
        parents = [-1 if cluster.parent is None else numbers.get(cluster.parent, -1) for cluster in clusters]
        ids = [cluster.id for cluster in clusters]
        expected = "parents that end at a cluster without one"
        check_cycles(parents_first(parents)[1], ids, "clusters", expected, problems)
        listed = np.array([bool(cluster.pages) for cluster in clusters], dtype=bool)
        row = np.where(listed, np.cumsum(listed) - 1, -1)
        labels = tuple(cluster.label for cluster in clusters)
        return cls(np.array(parents, dtype=np.int64), row.astype(np.int64), labels)

    @classmethod
    def flat(cls, n_clusters: int, labels: Sequence[str] | None = None) -> Forest:
        """As many clusters that lie in none; without ``labels`` they have none."""
        found = ("",) * n_clusters if labels is None else tuple(labels)
        return cls(np.full(n_clusters, -1, dtype=np.int64), np.arange(n_clusters), found)


def depth_below(parent: IntArray) -> IntArray:
    """(sets,) how many sets each lies in, itself counted: 1 below the root.

    Args:
        parent: (sets,) the set that each lies in, -1 for the root; a forest.
    """
    depth = np.ones(parent.size, dtype=np.int64)
    above = parent
    while (inside := above >= 0).any():
        depth += inside
        above = np.where(inside, parent[above], -1)
    return depth

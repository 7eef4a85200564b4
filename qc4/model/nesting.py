"""Clusters inside clusters: by the parents that a file names, and by the pages that sets share."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.model.clustering import Cluster, ClusterColumns
from qc4.problems import ProblemList, check_cycles, check_parent, parents_first
from qc4.wording import quoted


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


# Clusters inside clusters: a parent holds the pages of its children, whether or not a file lists them again.


def with_children(clusters: Sequence[Cluster], most: int) -> Sequence[Cluster] | None:
    """The clusters, each with the pages of its children after its own, every page once; flat clusters as they are.

    Args:
        clusters: ids come once, every parent is one of them, and none is its own ancestor.
        most: memberships that may come out: a chain of n clusters may come to n² / 2.

    Returns:
        None where there would be more than ``most``.
    """
    if ClusterColumns.of(clusters).are_flat:
        return clusters
    children, order = _children(clusters)
    held: list[dict[str, None]] = [{}] * len(clusters)
    total = 0
    for place in reversed(order):
        pages = dict.fromkeys(clusters[place].pages)
        for child in children[place]:
            pages.update(held[child])
        total += len(pages)
        if total > most:
            return None
        held[place] = pages
    return tuple(
        replace(cluster, pages=tuple(pages)) if len(pages) > len(cluster.pages) else cluster
        for cluster, pages in zip(clusters, held, strict=True)
    )


def depths_of_clusters(clusters: Sequence[Cluster]) -> list[int]:
    """How deep each cluster lies: 1 for a cluster that lies in no other, 2 for one that lies in such a cluster.

    Args:
        clusters: ids come once, every parent is one of them, and none is its own ancestor.
    """
    if ClusterColumns.of(clusters).are_flat:
        return [1] * len(clusters)
    children, order = _children(clusters)
    depths = [1] * len(clusters)
    for place in order:
        for child in children[place]:
            depths[child] = depths[place] + 1
    return depths


def path_up(parents: Mapping[str, str | None], id: str) -> list[str]:
    """The clusters that one lies in, the nearest first.

    Args:
        parents: cluster -> its parent, None where it has none. Ids that are no cluster end the path, as circles do.
    """
    found: dict[str, None] = {}
    above = parents[id]
    while above is not None and above in parents and above not in found:
        found[above] = None
        above = parents[above]
    return list(found)


def _children(clusters: Sequence[Cluster]) -> tuple[list[list[int]], list[int]]:
    """The places of each cluster's children in the order of the file, and an order with parents first."""
    places = {cluster.id: place for place, cluster in enumerate(clusters)}
    parents = [-1 if cluster.parent is None else places[cluster.parent] for cluster in clusters]
    children: list[list[int]] = [[] for _ in clusters]
    for place, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(place)
    return children, parents_first(parents)[0]


# How deeply sets of pages lie in one another, from their pages alone: names and parents play no part.


def shared_pages(sets: sp.csr_array, others: sp.csr_array) -> sp.csr_array:
    """(sets, other sets) how many pages each two of them share; both are (sets, pages) 0/1 matrices."""
    return sp.csr_array(sets.astype(np.int64) @ others.T.astype(np.int64))


def depths(incidence: sp.csr_array) -> IntArray:
    """(sets,) length of the longest chain of ever larger sets that contain the set; 0 for a set in no other.

    Args:
        incidence: (sets, pages) 0/1 CSR, none empty. Equal sets do not contain each other.
    """
    different, which = _without_copies(incidence)
    return _depths(different)[which]


def _without_copies(incidence: sp.csr_array) -> tuple[sp.csr_array, IntArray]:
    """One of each of the equal sets, and (sets,) which of these each set is: every pair is looked at later."""
    ordered = incidence.sorted_indices()
    place: dict[bytes, int] = {}
    bounds = zip(ordered.indptr[:-1], ordered.indptr[1:], strict=True)
    which = np.array([place.setdefault(ordered.indices[a:b].tobytes(), len(place)) for a, b in bounds], dtype=np.int64)
    first = np.unique(which, return_index=True)[1]
    return ordered[first], which


def _depths(incidence: sp.csr_array) -> IntArray:
    sizes = np.diff(incidence.indptr).astype(np.int64)
    shared = sp.coo_array(shared_pages(incidence, incidence))
    inner, outer = shared.row, shared.col
    contained = (shared.data == sizes[inner]) & (sizes[outer] > sizes[inner])
    inner, outer = inner[contained], outer[contained]
    depth = np.zeros(sizes.size, dtype=np.int64)
    while True:
        deeper = depth.copy()
        np.maximum.at(deeper, inner, depth[outer] + 1)
        if np.array_equal(deeper, depth):
            return depth
        depth = deeper

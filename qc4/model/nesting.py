"""Nested clusters: by the parents in a file, and by the pages that sets share."""

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
    """The clusters of a clustering as nodes, including those that have pages only through their children.

    Attributes:
        parent: (nodes,) the parent of each node, -1 for a root.
        row: (nodes,) the row of each node among the clusters of a case, -1 for a cluster that lists no page.
        labels: one label per node, empty if the cluster has none.
    """

    parent: IntArray
    row: IntArray
    labels: tuple[str, ...]

    @cached_property
    def depth(self) -> IntArray:
        """(nodes,) the depth of each node: 1 for a root."""
        return depths_of_forest(self.parent)

    @classmethod
    def of(cls, clusters: Sequence[Cluster], problems: ProblemList) -> Forest:
        """Return the forest of these clusters, and report parents that do not exist or form a cycle."""
        numbers = {cluster.id: number for number, cluster in enumerate(clusters)}
        for number, cluster in enumerate(clusters):
            if cluster.parent not in numbers:
                where = f"clusters[{number}] (id {quoted(cluster.id)})"
                check_parent(cluster.parent, numbers, where, "the id of a cluster of this clustering", problems)
        parents = [-1 if cluster.parent is None else numbers.get(cluster.parent, -1) for cluster in clusters]
        ids = [cluster.id for cluster in clusters]
        expected = "parents that lead to a cluster without a parent"
        check_cycles(parents_first(parents)[1], ids, "clusters", expected, problems)
        listed = np.array([bool(cluster.pages) for cluster in clusters], dtype=bool)
        row = np.where(listed, np.cumsum(listed) - 1, -1)
        labels = tuple(cluster.label for cluster in clusters)
        return cls(np.array(parents, dtype=np.int64), row.astype(np.int64), labels)

    @classmethod
    def flat(cls, n_clusters: int, labels: Sequence[str] | None = None) -> Forest:
        """Return this number of clusters without parents; without ``labels`` they have no labels."""
        found = ("",) * n_clusters if labels is None else tuple(labels)
        return cls(np.full(n_clusters, -1, dtype=np.int64), np.arange(n_clusters), found)


def depths_of_forest(parent: IntArray) -> IntArray:
    """Return the (sets,) depth of each set: 1 below the root.

    Args:
        parent: (sets,) the parent of each set, -1 for the root; a forest.
    """
    depth = np.ones(parent.size, dtype=np.int64)
    above = parent
    while (inside := above >= 0).any():
        depth += inside
        above = np.where(inside, parent[above], -1)
    return depth


# --- Pages of nested clusters: a parent contains the pages of its children, whether or not a file repeats them ---


def with_children(clusters: Sequence[Cluster], most: int) -> Sequence[Cluster] | None:
    """Return the clusters, each with its own pages followed by those of its children, every page once.

    Args:
        clusters: clusters with unique ids; every parent is one of them, and none is its own ancestor.
        most: the largest total number of memberships; a chain of n clusters can need n² / 2.

    Returns:
        The clusters unchanged if they are flat; None if there would be more than ``most`` memberships.
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
    """Return the depth of each cluster: 1 for a root, 2 for its children.

    Args:
        clusters: clusters with unique ids; every parent is one of them, and none is its own ancestor.
    """
    if ClusterColumns.of(clusters).are_flat:
        return [1] * len(clusters)
    children, order = _children(clusters)
    depths = [1] * len(clusters)
    for place in order:
        for child in children[place]:
            depths[child] = depths[place] + 1
    return depths


def ancestors_of(parents: Mapping[str, str | None], id: str) -> list[str]:
    """Return the ancestors of a cluster, the nearest first.

    Args:
        parents: cluster -> its parent, None if it has none. The path ends at an unknown id or at a cycle.
    """
    found: dict[str, None] = {}
    above = parents[id]
    while above is not None and above in parents and above not in found:
        found[above] = None
        above = parents[above]
    return list(found)


def _children(clusters: Sequence[Cluster]) -> tuple[list[list[int]], list[int]]:
    """Return the positions of each cluster's children in file order, and an order with parents before children."""
    places = {cluster.id: place for place, cluster in enumerate(clusters)}
    parents = [-1 if cluster.parent is None else places[cluster.parent] for cluster in clusters]
    children: list[list[int]] = [[] for _ in clusters]
    for place, parent in enumerate(parents):
        if parent >= 0:
            children[parent].append(place)
    return children, parents_first(parents)[0]


# --- Nesting depth of sets by their pages alone; names and parents are ignored ---


def shared_pages(sets: sp.csr_array, others: sp.csr_array) -> sp.csr_array:
    """Return the (sets, other sets) number of pages that each pair shares; both are (sets, pages) 0/1 matrices."""
    return sp.csr_array(sets.astype(np.int64) @ others.T.astype(np.int64))


def nesting_depths(incidence: sp.csr_array) -> IntArray:
    """Return the (sets,) length of the longest chain of strictly larger sets that contain each set, 0 for none.

    Args:
        incidence: (sets, pages) 0/1 CSR without empty rows. Equal sets do not contain each other.
    """
    different, which = _without_copies(incidence)
    return _depths(different)[which]


def _without_copies(incidence: sp.csr_array) -> tuple[sp.csr_array, IntArray]:
    """Return the distinct sets, and the (sets,) index of each set among them, as all pairs are compared later."""
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

"""Topics and clusters as trees: nested sets of pages below a root that contains every page.

A page of a cluster is also a page of its ancestors, as with topics. The root is not a topic or cluster and is not part
of either tree; its index is -1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import scipy.sparse as sp

from qc4.arrays import IntArray
from qc4.inputs.universe import Universe, universe
from qc4.inputs.view import EACH_LEVEL, WHOLE_HIERARCHY, Level, View, cached
from qc4.model.case import Case
from qc4.model.nesting import depths_of_forest, shared_pages
from qc4.model.policies import Policies

POLICIES = ("outliers", "unclustered")


@dataclass(frozen=True, eq=False)
class Tree:
    """Nested sets of pages.

    Attributes:
        parent: (sets,) the parent of each set, -1 for the root.
        pages: (sets, pages) 0/1 CSR with sorted indices, no empty row; each set is within its parent.
    """

    parent: IntArray
    pages: sp.csr_array

    @property
    def n_pages(self) -> int:
        return int(self.pages.shape[1])

    @property
    def n_sets(self) -> int:
        return int(self.pages.shape[0])

    @cached_property
    def sizes(self) -> IntArray:
        """(sets,) the number of pages in each set."""
        return np.diff(self.pages.indptr).astype(np.int64)

    @cached_property
    def parent_sizes(self) -> IntArray:
        """(sets,) the number of pages in the parent of each set."""
        return np.append(self.sizes, self.n_pages)[self.parent]

    @cached_property
    def depth(self) -> IntArray:
        """(sets,) the depth of each set: 1 below the root."""
        return depths_of_forest(self.parent)

    @property
    def n_edges(self) -> int:
        """The number of sets whose parent is not the root."""
        return int(np.count_nonzero(self.parent >= 0))

    @cached_property
    def set_of(self) -> IntArray:
        """(memberships,) the set of each membership."""
        return np.repeat(np.arange(self.n_sets), self.sizes)

    @cached_property
    def shared_among_siblings(self) -> IntArray:
        """The pages that are in several sets with the same parent; sorted, each once."""
        keys = (self.parent[self.set_of] + 1) * self.n_pages + self.pages.indices
        keys.sort()
        return np.unique(keys[1:][keys[1:] == keys[:-1]] % self.n_pages)


@dataclass(frozen=True, eq=False)
class Trees:
    """The tree of the topics of all levels and the tree of the clusters, over the same pages."""

    topics: Tree
    clusters: Tree

    @property
    def n(self) -> int:
        """The number of pages."""
        return self.topics.n_pages

    @cached_property
    def swapped(self) -> Trees:
        """Return the trees with topics and clusters exchanged."""
        return Trees(self.clusters, self.topics)


@dataclass(frozen=True, eq=False)
class LevelAndTree:
    """The topics of one level and the tree of the clusters, over the same pages.

    Attributes:
        topics: (topics, pages) 0/1 CSR with sorted indices and no empty row.
    """

    topics: sp.csr_array
    clusters: Tree


@dataclass(frozen=True, eq=False)
class Cells:
    """The pairs of a topic and a cluster that share a page.

    Attributes:
        topic, cluster: (cells,) the pair, sorted by topic and then by cluster.
        shared: (cells,) the number of pages in both, at least 1.
    """

    topic: IntArray
    cluster: IntArray
    shared: IntArray


def cells_of(topics: sp.csr_array, clusters: sp.csr_array) -> Cells:
    """Return the cells of two (sets, pages) 0/1 matrices."""
    product = shared_pages(topics, clusters)
    product.sort_indices()
    topic = np.repeat(np.arange(product.shape[0]), np.diff(product.indptr))
    return Cells(topic, product.indices.astype(np.int64), product.data)


@cached
def cells(trees: Trees) -> Cells:
    """Return the cells of all topics and all clusters."""
    return cells_of(trees.topics.pages, trees.clusters.pages)


def nodes_with_pages(case: Case) -> IntArray:
    """Return (clusters,) the nodes of the case's forest that contain a page, directly or through a descendant."""
    return np.flatnonzero(np.diff(case.held.indptr))


@cached
def whole_clusters(case: Case) -> Tree:
    """Return the tree of the clusters on all pages, without empty clusters."""
    return _occupied(case.forest.parent, case.held)


def _clusters(case: Case, left: Universe) -> Tree:
    """Return the tree of the clusters on the remaining pages; unclustered pages form new clusters below the root."""
    tree = whole_clusters(case)
    return _with_sets(tree, left.extra, left.alone, left)


def _with_sets(tree: Tree, row: IntArray, page: IntArray, left: Universe) -> Tree:
    """Return the tree on the remaining pages, with new sets below its root: ``page[i]`` is in new set ``row[i]``."""
    parent, pages = tree.parent, tree.pages
    if page.size:
        shape = (int(row.max()) + 1, pages.shape[1])
        new = sp.csr_array((np.ones(page.size, dtype=pages.dtype), (row, page)), shape=shape)
        pages = sp.csr_array(sp.vstack([pages, new], format="csr"))
        parent = np.append(parent, np.full(shape[0], -1))
    if left.pages.all():
        return Tree(parent, pages)
    return _occupied(parent, sp.csr_array(pages[:, left.pages]))


def _occupied(parent: IntArray, pages: sp.csr_array) -> Tree:
    """Return the tree without its empty sets, whose descendants are all empty."""
    kept = np.diff(pages.indptr) > 0
    if kept.all():
        return Tree(parent, pages)
    number = np.append(np.cumsum(kept) - 1, -1)
    return Tree(number[parent[kept]], sp.csr_array(pages[kept]))


def _trees(case: Case, level: Level, policies: Policies) -> Trees:
    """Return both trees on the remaining pages; remaining outliers form one topic below the root.

    Raises:
        Undefined: no page remains.
    """
    left = universe(case, policies)
    hierarchy = case.gold.hierarchy
    topics = Tree(hierarchy.parent, hierarchy.pages)
    return Trees(_with_sets(topics, np.zeros_like(left.outliers), left.outliers, left), _clusters(case, left))


def _level_and_tree(case: Case, level: Level, policies: Policies) -> LevelAndTree:
    assert isinstance(level, int)
    left = universe(case, policies)
    hierarchy = case.gold.hierarchy
    pages = sp.csr_array(hierarchy.pages[hierarchy.topics_on(level)])
    flat = Tree(np.full(pages.shape[0], -1), pages)
    topics = _with_sets(flat, np.zeros_like(left.outliers), left.outliers, left)
    return LevelAndTree(topics.pages, _clusters(case, left))


TREES: View[Trees] = View(_trees, WHOLE_HIERARCHY, POLICIES)
"""Input of measures that compare the tree of topics with the tree of clusters."""

LEVEL_AND_TREE: View[LevelAndTree] = View(_level_and_tree, EACH_LEVEL, POLICIES)
"""Input of measures that compare the topics of each level with the tree of clusters."""

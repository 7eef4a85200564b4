"""How pure the smallest clusters are that bring two pages of one topic together."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp

from qc4.arrays import BoolArray, IntArray
from qc4.measures.registry import measure
from qc4.problems.bounds import PURITY_PAIRS
from qc4.views.tree import LEVEL_AND_TREE, Cells, LevelAndTree, Tree, cells_of
from qc4.views.undefined import refuse_too_much
from qc4.views.view import ANY_CLUSTERS


@measure(
    LEVEL_AND_TREE,
    key="dendrogram_purity",
    title="Dendrogram purity",
    family="tree",
    meaning="Mean over the pairs of pages of one topic of the topic's share in the smallest cluster that holds both.",
    formula="mean_{t, {d,e} ⊆ t} |t ∩ lca(d,e)| / |lca(d,e)|, lca(d,e): the smallest cluster that holds d and e, "
    "all pages if none does",
    source="heller2005",
    accepts=ANY_CLUSTERS,
    degenerate="A page in several topics counts in each. Of equally small clusters that overlap the purer one is "
    "taken. Where no topic has two pages it is 1 if no cluster has two either, else 0.",
)
def dendrogram_purity(given: LevelAndTree) -> float:
    sizes = np.diff(given.topics.indptr).astype(np.int64)
    pairs = int((sizes * (sizes - 1) // 2).sum())
    if not pairs:
        return float(bool((given.clusters.sizes == 1).all()))
    found = _overlapping(given) if given.clusters.shared_among_siblings.size else _nested(given, sizes)
    return min(1.0, math.fsum(found) / pairs)


def _nested(given: LevelAndTree, sizes: IntArray) -> Iterator[float]:
    """Sums of purities. In a tree the pairs of a cluster are its own, less those of each cluster in it."""
    tree = given.clusters
    cells = cells_of(given.topics, tree.pages)
    pairs = cells.shared * (cells.shared - 1) // 2
    own = pairs - _pairs_below(cells, tree, pairs)
    yield from (own * (cells.shared / tree.sizes[cells.cluster])).tolist()
    below = tree.parent[cells.cluster] < 0
    held = np.zeros(sizes.size, dtype=np.int64)
    np.add.at(held, cells.topic[below], pairs[below])
    yield from ((sizes * (sizes - 1) // 2 - held) * (sizes / tree.n_pages)).tolist()


def _pairs_below(cells: Cells, tree: Tree, pairs: IntArray) -> IntArray:
    """(cells,) pairs of the cell's topic in the clusters just below the cell's cluster."""
    inside = np.flatnonzero(tree.parent[cells.cluster] >= 0)
    keys = cells.topic * tree.n_sets + cells.cluster
    places = np.searchsorted(keys, cells.topic[inside] * tree.n_sets + tree.parent[cells.cluster[inside]])
    found = np.zeros(keys.size, dtype=np.int64)
    np.add.at(found, places, pairs[inside])
    return found


def _overlapping(given: LevelAndTree) -> Iterator[float]:
    """Sums of purities, pair by pair; pages of a topic that are in the same clusters are looked at together.

    Raises:
        Undefined: too many pairs.
    """
    tree = given.clusters
    by_page = sp.csr_array(tree.pages.T)
    by_page.sort_indices()
    groups = [
        _groups(by_page, given.topics.indices[start:stop].astype(np.int64))
        for start, stop in zip(given.topics.indptr[:-1], given.topics.indptr[1:], strict=True)
    ]
    refuse_too_much(PURITY_PAIRS, sum(_work(sp.csc_array(by_page[first])) for first, _ in groups), "clusters")
    for first, weight in groups:
        yield _topic_sum(sp.csc_array(by_page[first]), weight, tree.sizes, tree.n_pages)


def _work(members: sp.csc_array) -> int:
    """Pairs of groups that `_topic_sum` looks at: all of them once, and those of each cluster."""
    return int(members.shape[0] ** 2 + (np.diff(members.indptr).astype(np.int64) ** 2).sum())


def _groups(by_page: sp.csr_array, pages: IntArray) -> tuple[IntArray, IntArray]:
    """One page of each group of pages that are in the same clusters, and (groups,) how many pages it has."""
    found: dict[bytes, list[int]] = {}
    for page in pages.tolist():
        clusters = by_page.indices[by_page.indptr[page] : by_page.indptr[page + 1]]
        found.setdefault(clusters.tobytes(), []).append(page)
    first = np.array([group[0] for group in found.values()], dtype=np.int64)
    return first, np.array([len(group) for group in found.values()], dtype=np.int64)


def _topic_sum(members: sp.csc_array, weight: IntArray, sizes: IntArray, n_pages: int) -> float:
    """Sum of the purities over the pairs of a topic's pages: clusters claim pairs, the smallest cluster first.

    Args:
        members: (groups, clusters) 0/1 CSC.
        weight: (groups,) pages of each group.
        sizes: (clusters,) pages of each cluster.
    """
    held = (weight @ members).astype(np.int64)
    unclaimed = np.ones((weight.size, weight.size), dtype=bool)
    purities, left = [], int(weight.sum()) * (int(weight.sum()) - 1) // 2
    with_pairs = np.flatnonzero(held > 1)
    for cluster in with_pairs[np.lexsort((-held[with_pairs], sizes[with_pairs]))]:
        groups = members.indices[members.indptr[cluster] : members.indptr[cluster + 1]]
        block = np.ix_(groups, groups)
        claimed = _pairs(unclaimed[block], weight[groups])
        unclaimed[block] = False
        purities.append(claimed * (int(held[cluster]) / int(sizes[cluster])))
        left -= claimed
    return math.fsum([*purities, left * (int(weight.sum()) / n_pages)])


def _pairs(marked: BoolArray, weight: IntArray) -> int:
    """Pairs of different pages whose groups are marked in a symmetric table."""
    both_orders = int(weight @ (marked @ weight))
    return (both_orders - int(weight[marked.diagonal()].sum())) // 2

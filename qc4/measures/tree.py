"""Measures of trees of clusters, which depend on nesting."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.inputs.partition import matching
from qc4.inputs.tree import LEVEL_AND_TREE, TREES, Cells, LevelAndTree, Tree, Trees, cells, cells_of
from qc4.inputs.undefined import Undefined, check_bound, number_of_pages_are
from qc4.inputs.view import ANY_CLUSTERS, Kind, cached
from qc4.measures.hypergeometric import expected_sum
from qc4.measures.registry import measure
from qc4.model.bounds import PURITY_PAIRS, TRIPLETS

# --- F of each topic with its best cluster at any depth ---


@measure(
    TREES,
    key="tree_f",
    title="Tree F",
    family="tree",
    meaning="F of each topic with its best cluster at any depth; mean over topics of all levels, weighted by size.",
    formula="Σ_t |t| max_c F(t,c) / Σ_t |t|, F(t,c) = 2|t ∩ c| / (|t| + |c|)",
    source="larsen1999",
    accepts=ANY_CLUSTERS,
    degenerate="The root, which contains every page, is not a cluster. Adding clusters never lowers the value.",
)
def tree_f(trees: Trees) -> float:
    shared, sizes = cells(trees), trees.topics.sizes
    f = 2 * shared.shared / (sizes[shared.topic] + trees.clusters.sizes[shared.cluster])
    best = np.zeros(sizes.size)
    np.maximum.at(best, shared.topic, f)
    return math.fsum(best * sizes) / int(sizes.sum())


# --- Purity of the smallest clusters that contain two pages of one topic ---


@measure(
    LEVEL_AND_TREE,
    key="dendrogram_purity",
    title="Dendrogram purity",
    family="tree",
    meaning="Mean, over pairs of pages in a topic, of the topic's fraction of the smallest cluster that contains both.",
    formula="mean_{t, {d,e} ⊆ t} |t ∩ lca(d,e)| / |lca(d,e)|, lca(d,e): the smallest cluster that contains d and e, "
    "all pages if none does",
    source="heller2005",
    accepts=ANY_CLUSTERS,
    degenerate="A page in several topics counts in each. If several clusters are equally small, the purest is "
    "used. If no topic has two pages, it is 1 if no cluster has two either, else 0.",
)
def dendrogram_purity(given: LevelAndTree) -> float:
    sizes = np.diff(given.topics.indptr).astype(np.int64)
    pairs = int((sizes * (sizes - 1) // 2).sum())
    if not pairs:
        return float(bool((given.clusters.sizes == 1).all()))
    found = _overlapping(given) if given.clusters.shared_among_siblings.size else _nested(given, sizes)
    return min(1.0, math.fsum(found) / pairs)


def _nested(given: LevelAndTree, sizes: IntArray) -> Iterator[float]:
    """Yield sums of purities. In a tree, a cluster has its own pairs except those inside each of its children."""
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
    """Return (cells,) the pairs of the cell's topic in the children of the cell's cluster."""
    inside = np.flatnonzero(tree.parent[cells.cluster] >= 0)
    keys = cells.topic * tree.n_sets + cells.cluster
    places = np.searchsorted(keys, cells.topic[inside] * tree.n_sets + tree.parent[cells.cluster[inside]])
    found = np.zeros(keys.size, dtype=np.int64)
    np.add.at(found, places, pairs[inside])
    return found


def _overlapping(given: LevelAndTree) -> Iterator[float]:
    """Yield sums of purities, pair by pair; pages of a topic in the same clusters are processed as a group.

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
    check_bound(
        PURITY_PAIRS, sum(_number_of_group_pairs(sp.csc_array(by_page[first])) for first, _ in groups), "clusters"
    )
    for first, weight in groups:
        yield _topic_sum(sp.csc_array(by_page[first]), weight, tree.sizes, tree.n_pages)


def _number_of_group_pairs(members: sp.csc_array) -> int:
    """Return the number of pairs of groups that `_topic_sum` examines: all pairs once, plus those of each cluster."""
    return int(members.shape[0] ** 2 + (np.diff(members.indptr).astype(np.int64) ** 2).sum())


def _groups(by_page: sp.csr_array, pages: IntArray) -> tuple[IntArray, IntArray]:
    """Return one page of each group of pages in the same clusters, and (groups,) the number of pages in each."""
    found: dict[bytes, list[int]] = {}
    for page in pages.tolist():
        clusters = by_page.indices[by_page.indptr[page] : by_page.indptr[page + 1]]
        found.setdefault(clusters.tobytes(), []).append(page)
    first = np.array([group[0] for group in found.values()], dtype=np.int64)
    return first, np.array([len(group) for group in found.values()], dtype=np.int64)


def _topic_sum(members: sp.csc_array, weight: IntArray, sizes: IntArray, n_pages: int) -> float:
    """Return the sum of the purities over the pairs of a topic's pages; the smallest cluster claims its pairs first.

    Args:
        members: (groups, clusters) 0/1 CSC.
        weight: (groups,) the number of pages in each group.
        sizes: (clusters,) the number of pages in each cluster.
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
    """Return the number of pairs of different pages whose groups are marked in a symmetric table."""
    both_orders = int(weight @ (marked @ weight))
    return (both_orders - int(weight[marked.diagonal()].sum())) // 2


# --- One-to-one alignments of topics and clusters, or of the edges between them ---
# Any topic of any level may be aligned with any cluster of any depth, and any edge from a topic to its child with any
# edge from a cluster to its child. Several alignments may be best, with equal agreement, which is all that is measured.
# Source: Kiritchenko, Matwin & Famili, Functional annotation of genes using hierarchical text categorization, 2005
# (precision and recall over pages with all their ancestors); the alignments are from QC4 Bench.

ALIGNED = "M the one-to-one alignment of topics and clusters of all levels with the most common pages"
NESTED: tuple[Kind, ...] = ("overlap", "hierarchy", "outliers")


@cached
def aligned_pages(trees: Trees) -> int:
    """Return the largest possible number of pages shared by aligned topics and clusters, summed over the pairs."""
    shared = cells(trees)
    shape = (trees.topics.n_sets, trees.clusters.n_sets)
    chosen = matching(shared.topic, shared.cluster, shared.shared.astype(np.float64), shape)
    return int(shared.shared[chosen].sum())


@cached
def edge_agreement(trees: Trees) -> float:
    """Return the largest possible sum, over aligned edges, of F of their parents times F of their children."""
    shared, n_clusters = cells(trees), trees.clusters.n_sets
    sizes = trees.topics.sizes[shared.topic] + trees.clusters.sizes[shared.cluster]
    f: FloatArray = 2 * shared.shared / sizes
    topic, cluster = trees.topics.parent[shared.topic], trees.clusters.parent[shared.cluster]
    child = np.flatnonzero((topic >= 0) & (cluster >= 0))
    # Parents share every page that their children share, so they have a cell.
    keys = shared.topic * n_clusters + shared.cluster
    parent = np.searchsorted(keys, topic[child] * n_clusters + cluster[child])
    agreement: FloatArray = f[parent] * f[child]
    shape = (trees.topics.n_sets, n_clusters)
    return math.fsum(agreement[matching(shared.topic[child], shared.cluster[child], agreement, shape)])


@measure(
    TREES,
    key="ancestor_p",
    title="Ancestor precision",
    family="tree",
    meaning="Fraction of pairs of a page and one of its clusters whose cluster is aligned with a topic of the page.",
    formula=f"Σ_((t,c) ∈ M) |t ∩ c| / Σ_c |c|, {ALIGNED}",
    source="kiritchenko2005",
    accepts=ANY_CLUSTERS,
)
def ancestor_p(trees: Trees) -> float:
    total = int(trees.clusters.sizes.sum())
    return aligned_pages(trees) / total if total else 0.0


@measure(
    TREES,
    key="ancestor_r",
    title="Ancestor recall",
    family="tree",
    meaning="Fraction of pairs of a page and one of its topics whose topic is aligned with a cluster of the page.",
    formula=f"Σ_((t,c) ∈ M) |t ∩ c| / Σ_t |t|, {ALIGNED}",
    source="kiritchenko2005",
    accepts=ANY_CLUSTERS,
)
def ancestor_r(trees: Trees) -> float:
    return aligned_pages(trees) / int(trees.topics.sizes.sum())


@measure(
    TREES,
    key="ancestor_f1",
    title="Ancestor F1",
    family="tree",
    meaning="Harmonic mean of ancestor precision and recall.",
    formula=f"2 Σ_((t,c) ∈ M) |t ∩ c| / (Σ_t |t| + Σ_c |c|), {ALIGNED}",
    source="kiritchenko2005",
    accepts=ANY_CLUSTERS,
    symmetric=True,
)
def ancestor_f1(trees: Trees) -> float:
    return 2 * aligned_pages(trees) / int(trees.topics.sizes.sum() + trees.clusters.sizes.sum())


@measure(
    TREES,
    key="edge_f1",
    title="Edge F1",
    family="tree",
    meaning="Agreement of the edges from parents to children, each with its aligned edge in the other tree.",
    formula="2 Σ_((s,t,b,c) ∈ M) F(s,b) F(t,c) / (|E_T| + |E_C|), E_T the edges from a topic s to its child t, "
    "E_C those from a cluster b to its child c, M the one-to-one alignment of edges with the largest sum",
    source="qc4bench",
    accepts=NESTED,
    degenerate="Undefined if no topic is inside another, because there is no edge. 0 if no cluster is inside another.",
)
def edge_f1(trees: Trees) -> float:
    edges = trees.topics.n_edges
    if not edges:
        raise Undefined("no topic is inside another, so there is no edge")
    return min(1.0, 2 * edge_agreement(trees) / (edges + trees.clusters.n_edges))


# --- Hierarchical mutual information: mutual information of two trees, branch by branch ---
# Both trees are descended together. If a topic and a cluster of the same depth both split, the mutual information of
# their parts on the common pages is added, weighted by the fraction of these pages; if one does not split, the descent
# ends. For trees of one level this is the mutual information of two partitions. A page of a set that is in none of its
# children is a part of its own. A set that contains every page is treated as the root, like the last merge of a
# dendrogram. Sources: Perotti, Tessone & Caldarelli, Physical Review E 92, 2015 (hierarchical mutual information);
# Perotti, Almeira & Saracco, Physical Review E 101, 2020 (adjusted for chance). The latter sample permutations of the
# pages. Here the mean over all permutations is computed exactly: it is a sum over pairs of sets that depends only on
# their sizes.

SPLITS: tuple[Kind, ...] = ("partition", "hierarchy")
ROUNDING = 1e-12
"""Relative differences below this are rounding errors."""
EDGE = "Undefined if a page is in several topics, or several clusters, with the same parent. "


@dataclass(frozen=True, slots=True)
class Depth:
    """The sets of a tree at one depth, with their parts at the next depth.

    Attributes:
        of: (pages,) the set of each page; meaningless if the set does not split.
        splits: (pages,) True if the page is in a set that splits.
        parts: (pages,) the part of each page whose set splits.
        sizes: (sets,) the number of pages in each set that splits.
        part_sizes: (parts,) the number of pages in each part.
    """

    of: IntArray
    splits: BoolArray
    parts: IntArray
    sizes: IntArray
    part_sizes: IntArray


def depths(tree: Tree) -> Iterator[Depth]:
    """Yield the depths of a tree whose siblings are disjoint, from the root down as long as a set splits."""
    splitting = np.zeros(tree.n_sets + 1, dtype=bool)
    splitting[tree.parent] = True  # the index of the root, -1, is the last element
    memberships = np.argsort(tree.depth[tree.set_of], kind="stable")
    bounds = np.cumsum(np.bincount(tree.depth[tree.set_of]))[:-1]
    of = np.full(tree.n_pages, -1, dtype=np.int64)
    splits = splitting[of]
    for held in np.split(memberships, bounds)[1:]:
        if not splits.any():
            return
        parts = tree.n_sets + np.arange(tree.n_pages)  # a part of its own, unless it is in a set
        parts[tree.pages.indices[held]] = tree.set_of[held]
        if parts.min() < parts.max():  # a set of all pages is treated as the root
            yield Depth(of, splits, parts, _sizes(of[splits]), _sizes(parts[splits]))
        of = np.where(parts < tree.n_sets, parts, -1)
        splits = (parts < tree.n_sets) & splitting[of]


def _sizes(codes: IntArray) -> IntArray:
    return np.unique(codes, return_counts=True)[1]


@cached
def split_depths(tree: Tree) -> tuple[Depth, ...]:
    return tuple(depths(tree))


def information(one: Tree, other: Tree) -> float:
    """Return the hierarchical mutual information in nats."""
    terms: list[float] = []
    together = np.ones(one.n_pages, dtype=bool)
    for first, second in zip(split_depths(one), split_depths(other), strict=False):
        together = together & first.splits & second.splits
        terms += _information(*(codes[together] for codes in (first.of, second.of, first.parts, second.parts))).tolist()
    return max(0.0, math.fsum(terms) / one.n_pages)


def _information(t: IntArray, s: IntArray, u: IntArray, v: IntArray) -> FloatArray:
    """Return (pages,) ln(n_uv n_ts / (n_us n_tv)) for a page in sets t and s of the two trees and their parts u and
    v."""
    n_ts, n_us, n_tv, n_uv = (_together(*codes) for codes in ((t, s), (u, s), (t, v), (u, v)))
    found: FloatArray = np.log((n_uv * n_ts) / (n_us * n_tv))
    return found


def _together(one: IntArray, other: IntArray) -> FloatArray:
    """Return (pages,) the number of pages with the same two codes."""
    first, second = (np.unique(codes, return_inverse=True)[1] for codes in (one, other))
    keys = first * (int(second.max(initial=0)) + 1) + second
    _, place, count = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(count[place], dtype=np.float64)


def expected_information(one: Tree, other: Tree) -> float:
    """Return the mean hierarchical mutual information over all permutations of the pages of one tree, in nats."""
    n = one.n_pages
    terms: list[float] = []
    for first, second in zip(split_depths(one), split_depths(other), strict=False):
        terms += [
            expected_sum(first.sizes, second.sizes, n, _x_log_x),
            -expected_sum(first.part_sizes, second.sizes, n, _x_log_x),
            -expected_sum(first.sizes, second.part_sizes, n, _x_log_x),
            expected_sum(first.part_sizes, second.part_sizes, n, _x_log_x),
        ]
    return max(0.0, math.fsum(terms) / n)


def _x_log_x(shared: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    return shared * np.log(shared)


@cached
def _own_information(tree: Tree) -> float:
    """Return the hierarchical mutual information of a tree with itself."""
    return information(tree, tree)


@cached
def _shared_information(trees: Trees) -> float:
    """Return the hierarchical mutual information of both trees.

    Raises:
        Undefined: siblings share pages.
    """
    reasons = [
        f"{number_of_pages_are(tree.shared_among_siblings.size)} in several {what} with the same parent"
        for tree, what in ((trees.topics, "topics"), (trees.clusters, "clusters"))
        if tree.shared_among_siblings.size
    ]
    if reasons:
        raise Undefined("; ".join(reasons))
    return information(trees.topics, trees.clusters)


@measure(
    TREES,
    key="hmi",
    title="Hierarchical mutual information (nats)",
    unit="nats",
    family="tree",
    meaning="Information that the parts of clusters give about the parts of topics, branch by branch, in nats.",
    formula="I(root,root), I(t,s) = Σ_{u,v} p(u,v) ln (p(u,v) / (p(u) p(v))) + Σ_{u,v} p(u,v) I(u,v), u and v the "
    "parts of t and s, p fractions of |t ∩ s|; I(t,s) = 0 where t or s has no parts",
    source="perotti2015",
    high=None,
    accepts=SPLITS,
    symmetric=True,
    degenerate=EDGE + "For trees of one level it is mutual information.",
)
def hmi(trees: Trees) -> float:
    return _shared_information(trees)


@measure(
    TREES,
    key="nhmi",
    title="Normalised HMI",
    family="tree",
    meaning="Hierarchical mutual information divided by the mean of each tree's with itself.",
    formula="2 I(T,C) / (I(T,T) + I(C,C)), I the hierarchical mutual information",
    source="perotti2015",
    accepts=SPLITS,
    symmetric=True,
    degenerate=EDGE + "If all sets of both trees contain all pages, it is 1.",
)
def nhmi(trees: Trees) -> float:
    shared, most = _shared_information(trees), _mean_own_information(trees)
    return min(1.0, shared / most) if most else 1.0


@measure(
    TREES,
    key="ahmi",
    title="Adjusted HMI",
    family="tree",
    meaning="Hierarchical mutual information adjusted for chance: 0 for shuffled pages, 1 for the same tree.",
    formula="(I(T,C) − E I) / ((I(T,T) + I(C,C)) / 2 − E I), E I the mean over all permutations of the pages",
    source="perotti2020",
    low=None,
    accepts=SPLITS,
    symmetric=True,
    degenerate=EDGE + "If chance reaches the best value, equal trees score 1 and others 0.",
)
def ahmi(trees: Trees) -> float:
    shared, most = _shared_information(trees), _mean_own_information(trees)
    by_chance = expected_information(trees.topics, trees.clusters)
    if most - by_chance <= ROUNDING * max(1.0, most):
        return float(abs(most - shared) <= ROUNDING * max(1.0, most))
    return min(1.0, (shared - by_chance) / (most - by_chance))


def _mean_own_information(trees: Trees) -> float:
    """Return the mean of each tree's hierarchical mutual information with itself."""
    return (_own_information(trees.topics) + _own_information(trees.clusters)) / 2


# --- Triples of pages: which two of the three are joined deeper? ---

Depths = npt.NDArray[np.int16]


@measure(
    TREES,
    key="triplet_agreement",
    title="Triplet agreement",
    family="tree",
    meaning="Fraction of triples with a pair joined deeper by topics whose same pair is joined deeper by clusters.",
    formula="|{de|f in both}| / |{de|f in T}|, de|f: a topic, or a cluster, that holds d and e lies deeper than all "
    "that hold f and one of them",
    source="critchlow1996",
    accepts=ANY_CLUSTERS,
    degenerate="If topics resolve no triple, it is 1 if the clusters do not either, else 0.",
)
def triplet_agreement(trees: Trees) -> float:
    overlap = trees.topics.shared_among_siblings.size or trees.clusters.shared_among_siblings.size
    agreeing, resolved = _one_by_one(trees) if overlap else (_agreeing(trees), _resolved(trees.topics))
    if not resolved:
        return float(not (_one_by_one(trees.swapped)[1] if overlap else _resolved(trees.clusters)))
    return agreeing / resolved


def _agreeing(trees: Trees) -> int:
    """Return the number of triples that both trees resolve alike. Exact in int64 up to 2.6 million pages.

    A triple de|f has one topic x just below the smallest topic of all three, and x contains d and e: f is in the parent
    of x but not in x. The same is true for a cluster y. So for x and y, the pairs inside both count once for each page
    that is in both parents but in neither x nor y.
    """
    shared = cells(trees)
    n_clusters = trees.clusters.n_sets
    keys = shared.topic * n_clusters + shared.cluster

    def pages_in(above_topic: bool, above_cluster: bool) -> npt.NDArray[np.int64]:
        """Return (cells,) the pages in the cell's topic or its parent, and in its cluster or its parent."""
        topic = trees.topics.parent[shared.topic] if above_topic else shared.topic
        cluster = trees.clusters.parent[shared.cluster] if above_cluster else shared.cluster
        places = np.searchsorted(keys, np.maximum(topic, 0) * n_clusters + np.maximum(cluster, 0))
        found = shared.shared[np.minimum(places, keys.size - 1)]
        found = np.where(topic < 0, np.append(trees.clusters.sizes, trees.n)[cluster], found)
        return np.where((cluster < 0) & (topic >= 0), trees.topics.sizes[topic], found)

    apart = pages_in(True, True) - pages_in(True, False) - pages_in(False, True) + shared.shared
    return int((shared.shared * (shared.shared - 1) // 2 * apart).sum())


def _resolved(tree: Tree) -> int:
    """Return the number of triples with a pair joined deeper, for a tree whose siblings are disjoint."""
    pairs = tree.sizes * (tree.sizes - 1) // 2
    return int((pairs * (tree.parent_sizes - tree.sizes)).sum())


def _one_by_one(trees: Trees) -> tuple[int, int]:
    """Return the triples that both trees resolve alike, and those that the topics resolve. Any overlap is allowed.

    Raises:
        Undefined: more pages than `TRIPLETS`.
    """
    check_bound(TRIPLETS, trees.n, "topics and clusters")
    topics, clusters = _joined(trees.topics), _joined(trees.clusters)
    agreeing = resolved = 0
    for third in range(trees.n):
        by_topics = _closer(topics, third)
        resolved += int(np.count_nonzero(by_topics))
        agreeing += int(np.count_nonzero(by_topics & _closer(clusters, third)))
    return agreeing // 2, resolved // 2


def _joined(tree: Tree) -> Depths:
    """Return (pages, pages) the depth of the deepest set that contains both pages; 0 if only the root does."""
    found: Depths = np.zeros((tree.n_pages, tree.n_pages), dtype=np.int16)
    for each in np.argsort(tree.depth, kind="stable"):
        held = tree.pages.indices[tree.pages.indptr[each] : tree.pages.indptr[each + 1]]
        found[np.ix_(held, held)] = tree.depth[each]
    return found


def _closer(joined: Depths, third: int) -> BoolArray:
    """Return (pages, pages) True for pairs joined deeper than either is with the third; False if it includes the
    third."""
    with_third = joined[third]
    found: BoolArray = (joined > with_third[:, None]) & (joined > with_third[None, :])
    np.fill_diagonal(found, val=False)
    found[third] = found[:, third] = False
    return found

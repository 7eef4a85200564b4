"""Measures of the tree: which clusters lie in which, not only what they hold. Importing the package declares all."""

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
from qc4.inputs.undefined import Undefined, pages_are, refuse_too_much
from qc4.inputs.view import ANY_CLUSTERS, Kind, remembered
from qc4.measures.hypergeometric import expected_sum
from qc4.measures.registry import measure
from qc4.model.bounds import PURITY_PAIRS, TRIPLETS

# F of each topic with its best cluster, wherever in the tree that is.


@measure(
    TREES,
    key="tree_f",
    title="Tree F",
    family="tree",
    meaning="F of each topic with its best cluster of any depth, mean over the topics of all levels by their sizes.",
    formula="Σ_t |t| max_c F(t,c) / Σ_t |t|, F(t,c) = 2|t ∩ c| / (|t| + |c|)",
    source="larsen1999",
    accepts=ANY_CLUSTERS,
    degenerate="The root, which holds every page, is no cluster. More clusters never lower it.",
)
def tree_f(trees: Trees) -> float:
    shared, sizes = cells(trees), trees.topics.sizes
    f = 2 * shared.shared / (sizes[shared.topic] + trees.clusters.sizes[shared.cluster])
    best = np.zeros(sizes.size)
    np.maximum.at(best, shared.topic, f)
    return math.fsum(best * sizes) / int(sizes.sum())


# How pure the smallest clusters are that bring two pages of one topic together.


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


# Topics and clusters, or the edges between them, aligned one to one, and how far both trees then agree. Every topic
# of every level may be aligned with every cluster of every depth, and every edge from a topic to one in it with every
# edge from a cluster to one in it. There may be several best alignments; all of them agree equally well, which is all
# that is measured. Source: Kiritchenko, Matwin & Famili, Functional annotation of genes using hierarchical text
# categorization, 2005 (precision and recall over pages with all their ancestors); the alignments are QC4 Bench's.

ALIGNED = "M the one-to-one alignment of topics and clusters of all levels that shares most pages"
NESTED: tuple[Kind, ...] = ("overlap", "hierarchy", "outliers")


@remembered
def aligned_pages(trees: Trees) -> int:
    """Pages shared by aligned topics and clusters, counted once for each pair: as many as there can be."""
    shared = cells(trees)
    shape = (trees.topics.n_sets, trees.clusters.n_sets)
    chosen = matching(shared.topic, shared.cluster, shared.shared.astype(np.float64), shape)
    return int(shared.shared[chosen].sum())


@remembered
def edge_agreement(trees: Trees) -> float:
    """Sum over aligned edges of F of their parents times F of their children: as much as there can be."""
    shared, n_clusters = cells(trees), trees.clusters.n_sets
    sizes = trees.topics.sizes[shared.topic] + trees.clusters.sizes[shared.cluster]
    f: FloatArray = 2 * shared.shared / sizes
    topic, cluster = trees.topics.parent[shared.topic], trees.clusters.parent[shared.cluster]
    child = np.flatnonzero((topic >= 0) & (cluster >= 0))
    # Parents share the pages that their children do, so they have a cell.
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
    meaning="Share of the pairs of a page and a cluster on its path whose cluster is aligned with a topic of the page.",
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
    meaning="Share of the pairs of a page and a topic on its path whose topic is aligned with a cluster of the page.",
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
    meaning="How far the edges from parents to children agree, each with the edge of the other tree aligned with it.",
    formula="2 Σ_((s,t,b,c) ∈ M) F(s,b) F(t,c) / (|E_T| + |E_C|), E_T the edges from a topic s to a topic t in it, "
    "E_C those from a cluster b to a cluster c in it, M the one-to-one alignment of edges with the largest sum",
    source="qc4bench",
    accepts=NESTED,
    degenerate="Undefined where no topic lies in another one: there is no edge to find. 0 where no cluster does.",
)
def edge_f1(trees: Trees) -> float:
    edges = trees.topics.n_edges
    if not edges:
        raise Undefined("no topic lies in another one, so there is no edge to find")
    return min(1.0, 2 * edge_agreement(trees) / (edges + trees.clusters.n_edges))


# Mutual information of two trees: what the parts of one say about the parts of the other, branch by branch. The trees
# are walked down together. Where a topic and a cluster of the same depth both split, the mutual information of their
# parts on the pages they share counts, by the share of these pages; where one of them does not, the walk ends. Trees
# of one level have the mutual information of two partitions. A page of a set in none of the sets below is a part of
# its own there. A set that holds every page is the root itself, as the last merger of a dendrogram is. Sources:
# Perotti, Tessone & Caldarelli, Physical Review E 92, 2015 (hierarchical mutual information); Perotti, Almeira &
# Saracco, Physical Review E 101, 2020 (adjusted for chance). The latter draw permutations of the pages. Here the mean
# over all of them is computed: it is a sum over pairs of sets, and what two sets share by chance depends on their
# sizes.

SPLITS: tuple[Kind, ...] = ("partition", "hierarchy")
ROUNDING = 1e-12
"""Differences below this share are rounding."""
EDGE = "Undefined where a page is in several topics, or several clusters, of one parent. "


@dataclass(frozen=True, slots=True)
class Depth:
    """The sets of a tree at one depth, whose parts are one deeper.

    Attributes:
        of: (pages,) the set of each page; without meaning where it does not split.
        splits: (pages,) whether the page is in a set that splits.
        parts: (pages,) the part of each page whose set splits.
        sizes: (sets,) pages of the sets that split.
        part_sizes: (parts,) pages of their parts.
    """

    of: IntArray
    splits: BoolArray
    parts: IntArray
    sizes: IntArray
    part_sizes: IntArray


def depths(tree: Tree) -> Iterator[Depth]:
    """The depths of a tree whose siblings share no page, from the root down while a set splits."""
    splitting = np.zeros(tree.n_sets + 1, dtype=bool)
    splitting[tree.parent] = True  # the root, -1, is the last
    memberships = np.argsort(tree.depth[tree.set_of], kind="stable")
    bounds = np.cumsum(np.bincount(tree.depth[tree.set_of]))[:-1]
    of = np.full(tree.n_pages, -1, dtype=np.int64)
    splits = splitting[of]
    for held in np.split(memberships, bounds)[1:]:
        if not splits.any():
            return
        parts = tree.n_sets + np.arange(tree.n_pages)  # a part of its own, unless a set holds it
        parts[tree.pages.indices[held]] = tree.set_of[held]
        if parts.min() < parts.max():  # a set of all pages is the root itself
            yield Depth(of, splits, parts, _sizes(of[splits]), _sizes(parts[splits]))
        of = np.where(parts < tree.n_sets, parts, -1)
        splits = (parts < tree.n_sets) & splitting[of]


def _sizes(codes: IntArray) -> IntArray:
    return np.unique(codes, return_counts=True)[1]


@remembered
def split_depths(tree: Tree) -> tuple[Depth, ...]:
    return tuple(depths(tree))


def information(one: Tree, other: Tree) -> float:
    """Hierarchical mutual information in nats."""
    terms: list[float] = []
    together = np.ones(one.n_pages, dtype=bool)
    for first, second in zip(split_depths(one), split_depths(other), strict=False):
        together = together & first.splits & second.splits
        terms += _information(*(codes[together] for codes in (first.of, second.of, first.parts, second.parts))).tolist()
    return max(0.0, math.fsum(terms) / one.n_pages)


def _information(t: IntArray, s: IntArray, u: IntArray, v: IntArray) -> FloatArray:
    """(pages,) ln(n_uv n_ts / (n_us n_tv)) for a page in sets t and s of either tree and their parts u and v."""
    n_ts, n_us, n_tv, n_uv = (_together(*codes) for codes in ((t, s), (u, s), (t, v), (u, v)))
    found: FloatArray = np.log((n_uv * n_ts) / (n_us * n_tv))
    return found


def _together(one: IntArray, other: IntArray) -> FloatArray:
    """(pages,) how many pages have the same two codes."""
    first, second = (np.unique(codes, return_inverse=True)[1] for codes in (one, other))
    keys = first * (int(second.max(initial=0)) + 1) + second
    _, place, count = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(count[place], dtype=np.float64)


def expected_information(one: Tree, other: Tree) -> float:
    """Mean of the hierarchical mutual information over all permutations of the pages of one tree, in nats."""
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


@remembered
def _own(tree: Tree) -> float:
    """What a tree says about itself."""
    return information(tree, tree)


@remembered
def _shared(trees: Trees) -> float:
    """What the trees say about each other.

    Raises:
        Undefined: siblings share pages.
    """
    reasons = [
        f"{pages_are(tree.shared_among_siblings.size)} in several {what} of one parent"
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
    meaning="What the parts of the clusters say about the parts of the topics, branch by branch, in nats.",
    formula="I(root,root), I(t,s) = Σ_{u,v} p(u,v) ln (p(u,v) / (p(u) p(v))) + Σ_{u,v} p(u,v) I(u,v), u and v the "
    "parts of t and s, p shares of |t ∩ s|; I(t,s) = 0 where t or s has no parts",
    source="perotti2015",
    high=None,
    accepts=SPLITS,
    symmetric=True,
    degenerate=EDGE + "Of trees of one level it is their mutual information.",
)
def hmi(trees: Trees) -> float:
    return _shared(trees)


@measure(
    TREES,
    key="nhmi",
    title="Normalised HMI",
    family="tree",
    meaning="Hierarchical mutual information over the mean of what either tree says about itself.",
    formula="2 I(T,C) / (I(T,T) + I(C,C)), I the hierarchical mutual information",
    source="perotti2015",
    accepts=SPLITS,
    symmetric=True,
    degenerate=EDGE + "Two trees of nothing but sets of all pages score 1.",
)
def nhmi(trees: Trees) -> float:
    shared, most = _shared(trees), _most(trees)
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
    degenerate=EDGE + "Where chance reaches the best value, the same trees score 1 and others 0.",
)
def ahmi(trees: Trees) -> float:
    shared, most = _shared(trees), _most(trees)
    by_chance = expected_information(trees.topics, trees.clusters)
    if most - by_chance <= ROUNDING * max(1.0, most):
        return float(abs(most - shared) <= ROUNDING * max(1.0, most))
    return min(1.0, (shared - by_chance) / (most - by_chance))


def _most(trees: Trees) -> float:
    """Mean of what either tree says about itself."""
    return (_own(trees.topics) + _own(trees.clusters)) / 2


# Triples of pages: which two of three belong closer together.

Depths = npt.NDArray[np.int16]


@measure(
    TREES,
    key="triplet_agreement",
    title="Triplet agreement",
    family="tree",
    meaning="How often clusters join two of three pages deeper than either with the third, where topics do.",
    formula="|{de|f in both}| / |{de|f in T}|, de|f: a topic, or a cluster, that holds d and e lies deeper than all "
    "that hold f and one of them",
    source="critchlow1996",
    accepts=ANY_CLUSTERS,
    degenerate="Where the topics tell no two of three pages apart it is 1 if the clusters do not either, else 0.",
)
def triplet_agreement(trees: Trees) -> float:
    overlap = trees.topics.shared_among_siblings.size or trees.clusters.shared_among_siblings.size
    agreeing, resolved = _one_by_one(trees) if overlap else (_agreeing(trees), _resolved(trees.topics))
    if not resolved:
        return float(not (_one_by_one(trees.swapped)[1] if overlap else _resolved(trees.clusters)))
    return agreeing / resolved


def _agreeing(trees: Trees) -> int:
    """Triples that both trees resolve alike. Exact in int64 up to 2.6 million pages.

    A triple de|f has one topic x just below the smallest one of all three, which holds d and e: f is in x's parent and
    not in x. The same holds for a cluster y. So x and y together have the pairs inside both, each with the pages that
    both parents hold and neither x nor y does.
    """
    shared = cells(trees)
    n_clusters = trees.clusters.n_sets
    keys = shared.topic * n_clusters + shared.cluster

    def pages_in(above_topic: bool, above_cluster: bool) -> npt.NDArray[np.int64]:
        """(cells,) pages in the cell's topic or its parent, and in its cluster or its parent."""
        topic = trees.topics.parent[shared.topic] if above_topic else shared.topic
        cluster = trees.clusters.parent[shared.cluster] if above_cluster else shared.cluster
        places = np.searchsorted(keys, np.maximum(topic, 0) * n_clusters + np.maximum(cluster, 0))
        found = shared.shared[np.minimum(places, keys.size - 1)]
        found = np.where(topic < 0, np.append(trees.clusters.sizes, trees.n)[cluster], found)
        return np.where((cluster < 0) & (topic >= 0), trees.topics.sizes[topic], found)

    apart = pages_in(True, True) - pages_in(True, False) - pages_in(False, True) + shared.shared
    return int((shared.shared * (shared.shared - 1) // 2 * apart).sum())


def _resolved(tree: Tree) -> int:
    """Triples of which a tree whose siblings share no page joins two deeper than the third."""
    pairs = tree.sizes * (tree.sizes - 1) // 2
    return int((pairs * (tree.parent_sizes - tree.sizes)).sum())


def _one_by_one(trees: Trees) -> tuple[int, int]:
    """Triples that both trees resolve alike, and those that the topics resolve, whatever overlaps.

    Raises:
        Undefined: more pages than `TRIPLETS`.
    """
    refuse_too_much(TRIPLETS, trees.n, "topics and clusters")
    topics, clusters = _joined(trees.topics), _joined(trees.clusters)
    agreeing = resolved = 0
    for third in range(trees.n):
        by_topics = _closer(topics, third)
        resolved += int(np.count_nonzero(by_topics))
        agreeing += int(np.count_nonzero(by_topics & _closer(clusters, third)))
    return agreeing // 2, resolved // 2


def _joined(tree: Tree) -> Depths:
    """(pages, pages) depth of the deepest set that holds both; 0 where only the root does."""
    found: Depths = np.zeros((tree.n_pages, tree.n_pages), dtype=np.int16)
    for each in np.argsort(tree.depth, kind="stable"):
        held = tree.pages.indices[tree.pages.indptr[each] : tree.pages.indptr[each + 1]]
        found[np.ix_(held, held)] = tree.depth[each]
    return found


def _closer(joined: Depths, third: int) -> BoolArray:
    """(pages, pages) whether two pages are joined deeper than either is with the third; False for it, and for one."""
    with_third = joined[third]
    found: BoolArray = (joined > with_third[:, None]) & (joined > with_third[None, :])
    np.fill_diagonal(found, val=False)
    found[third] = found[:, third] = False
    return found

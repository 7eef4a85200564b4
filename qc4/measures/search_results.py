"""Measures of search results: how much a user reads before finding the subtopics."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, replace

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.cover import PageSets
from qc4.inputs.result_list import RESULT_LIST, RESULT_LISTS, ResultList, rank_order
from qc4.inputs.tree import Tree, whole_clusters
from qc4.inputs.undefined import Undefined
from qc4.inputs.view import ANY_CLUSTERS, CLUSTERS_ALONE, EACH_LEVEL, FLAT_CLUSTERS, Level, View
from qc4.measures.parameters import CUTOFF, Parameter
from qc4.measures.registry import measure
from qc4.model.case import Case
from qc4.model.nesting import nesting_depths
from qc4.model.policies import Policies

# --- How soon a list shows every subtopic, for a clustering read as a list (see `result_list`) ---

CUTS = (5, 10, 20)
"""The cut-offs of the catalogue's measures of lists."""
TIES = 12
"""The number of decimals in which gains are compared, so that the order of summation does not matter."""
AT = Parameter(CUTOFF, "number of pages of the list that are counted", 1, 1_000, whole=True, symbol="k")


@measure(
    RESULT_LIST,
    key="s_recall",
    title="S-recall@{cutoff}",
    family="search-results",
    meaning="Fraction of the subtopics shown by the first {cutoff} pages, one from each cluster in turn: intent recall "
    "(I-rec).",
    formula="|⋃_(i ≤ {cutoff}) T(d_i)| / |T|",
    source="zhai2003",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(AT,),
    stored={f"s_recall_{k}": k for k in CUTS},
)
def s_recall(results: ResultList, cutoff: int) -> float:
    return np.unique(results.topics_by_page[results.clustered_order[:cutoff]].indices).size / results.n_topics


@measure(
    RESULT_LIST,
    key="s_precision",
    title="S-precision at {percent} %",
    family="search-results",
    meaning="Length of the shortest list that shows {percent} % of the subtopics, divided by that of this list.",
    formula="minrank(best list, {percent} %) / minrank(list, {percent} %), at most 1; the best list is found greedily",
    source="zhai2003",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(Parameter("percent", "percentage of the subtopics to show", 1, 100, whole=True, symbol="p"),),
    stored={f"s_precision_{percent}": percent for percent in (50, 75, 100)},
)
def s_precision(results: ResultList, percent: int) -> float:
    needed = -(-percent * results.n_topics // 100)
    page_at = np.empty(results.n_pages, dtype=np.int64)
    page_at[results.clustered_order] = np.arange(1, results.n_pages + 1)
    first = np.minimum.reduceat(page_at[results.topics.indices], results.topics.indptr[:-1])
    read = int(np.sort(first)[needed - 1])
    return min(1.0, _shortest_cover(results, needed) / read)


def _shortest_cover(results: ResultList, needed: int) -> int:
    """Return the length of a greedy list that shows enough topics: each page adds most new topics, ties by rank.

    Finding the shortest list is NP-hard; this is the approximation of the source. Gains only shrink, so a page whose
    gain was just computed and is still the largest is best. Of pages in the same topics only the first can have a gain.
    """
    members, start = results.topics_by_page, results.topics_by_page.indptr
    _, first_alike = np.unique(PageSets(results.topics).kind_of, return_index=True)
    queue = [(int(start[page] - start[page + 1]), int(page)) for page in first_alike]
    heapq.heapify(queue)
    seen = np.zeros(results.n_topics, dtype=bool)
    length, found = 0, 0
    while found < needed:
        _, page = heapq.heappop(queue)
        topics = members.indices[start[page] : start[page + 1]]
        gain = int((~seen[topics]).sum())
        if queue and (-gain, page) > queue[0]:
            heapq.heappush(queue, (-gain, page))
            continue
        seen[topics] = True
        length, found = length + 1, found + gain
    return length


@measure(
    RESULT_LIST,
    key="alpha_ndcg",
    title="α-nDCG@{cutoff}",
    family="search-results",
    meaning="Gain of the first {cutoff} pages relative to the best list; each time a subtopic is repeated, its gain is "
    "multiplied by 1 − α, α = {alpha}.",
    formula="DCG / DCG(best list), at most 1, DCG = Σ_(i ≤ {cutoff}) Σ_(t ∈ T(d_i)) (1 − α)^(times t was seen) "
    "/ log₂(1 + i), α = {alpha}; the best list is found greedily",
    source="clarke2008",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(
        replace(AT, high=100),
        Parameter("alpha", "fraction of its gain that a subtopic loses each time it is seen", 0, 1, 0.5, symbol="α"),
    ),
    stored={f"alpha_ndcg_{k}": k for k in CUTS},
)
def alpha_ndcg(results: ResultList, cutoff: int, alpha: float = 0.5) -> float:
    k = min(cutoff, results.n_pages)
    gains = _gains(results, results.clustered_order[:k], 1 - alpha)
    return min(1.0, discounted(gains) / discounted(_ideal_gains(results, k, 1 - alpha)))


def _gains(results: ResultList, order: IntArray, left: float) -> list[float]:
    """Return the gain of each page; each time a subtopic is seen, its gain is multiplied by ``left``."""
    worth = np.ones(results.n_topics)
    members = results.topics_by_page
    gains = []
    for page in order:
        topics = members.indices[members.indptr[page] : members.indptr[page + 1]]
        gains.append(math.fsum(worth[topics]))
        worth[topics] *= left
    return gains


def _ideal_gains(results: ResultList, k: int, left: float) -> list[float]:
    """Return the gains of the greedy best list: each page has the largest gain, ties by rank."""
    members = results.topics_by_page.astype(np.float64)
    worth, unread = np.ones(results.n_topics), np.ones(results.n_pages, dtype=bool)
    gains = []
    for _ in range(k):
        gain: FloatArray = np.where(unread, np.asarray(members @ worth), -1.0)
        page = int(gain.round(TIES).argmax())
        gains.append(float(gain[page]))
        unread[page] = False
        worth[members.indices[members.indptr[page] : members.indptr[page + 1]]] *= left
    return gains


def discounted(gains: list[float]) -> float:
    """Return the sum of gains, each divided by the binary logarithm of its rank plus 1."""
    return math.fsum(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1))


# --- D♯-measures: how soon a list shows every subtopic, and how many of its pages are relevant ---
# The gain of a page is the fraction of the subtopics that it is in: subtopics are equally likely, and relevance is
# binary. D-nDCG is the discounted gain of the list divided by that of the pages sorted by gain. D♯-nDCG is its weighted
# mean with intent recall, which is S-recall. Sources: Sakai & Song, Evaluating diversified search results using
# per-intent graded relevance, SIGIR 2011; for hierarchies of subtopics Wang, Dou, Sakai & Wen, Evaluating search result
# diversity using intent hierarchies, SIGIR 2016.

GAMMA = Parameter("gamma", "weight of intent recall; D-nDCG has the rest", 0, 1, 0.5, symbol="γ")


@measure(
    RESULT_LIST,
    key="d_ndcg",
    title="D-nDCG@{cutoff}",
    family="search-results",
    meaning="Gain of the first {cutoff} pages relative to the best list; the gain of a page is its fraction of the "
    "subtopics.",
    formula="DCG / DCG(pages by gain), DCG = Σ_(i ≤ {cutoff}) (|T(d_i)| / |T|) / log₂(1 + i)",
    source="sakai2011",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(AT,),
    stored={f"d_ndcg_{k}": k for k in CUTS},
)
def d_ndcg(results: ResultList, cutoff: int) -> float:
    topics = np.diff(results.topics_by_page.indptr)
    best = np.sort(topics)[::-1][:cutoff]
    return min(1.0, discounted(topics[results.clustered_order[:cutoff]].tolist()) / discounted(best.tolist()))


@measure(
    RESULT_LIST,
    key="d_sharp_ndcg",
    title="D♯-nDCG@{cutoff}",
    family="search-results",
    meaning="Mean of intent recall (S-recall) and D-nDCG of the first {cutoff} pages, with weights γ = {gamma} and "
    "1 − γ.",
    formula="γ · S-recall + (1 − γ) · D-nDCG, γ = {gamma}, both of the first {cutoff} pages",
    source="sakai2011",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(AT, GAMMA),
    stored={f"d_sharp_ndcg_{k}": k for k in CUTS},
)
def d_sharp_ndcg(results: ResultList, cutoff: int, gamma: float = 0.5) -> float:
    return min(1.0, gamma * s_recall(results, cutoff) + (1 - gamma) * d_ndcg(results, cutoff))


@measure(
    RESULT_LISTS,
    key="hd_sharp_ndcg",
    title="HD♯-nDCG@{cutoff}",
    family="search-results",
    meaning="Mean over the levels of the hierarchy of D♯-nDCG of the first {cutoff} pages, with equal weights.",
    formula="mean_l (γ · S-recall + (1 − γ) · D-nDCG), γ = {gamma}, both of the first {cutoff} pages on level l",
    source="sakai2011; wang2016",
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(AT, GAMMA),
    stored={f"hd_sharp_ndcg_{k}": k for k in CUTS},
)
def hd_sharp_ndcg(levels: tuple[ResultList, ...], cutoff: int, gamma: float = 0.5) -> float:
    return sum(d_sharp_ndcg(results, cutoff, gamma) for results in levels) / len(levels)


# --- Reach time: how much is read, going down the tree of clusters, until the first page of a subtopic is found ---
# Labels are read from the top until the cluster to open; inside it, either the labels of its clusters or its pages by
# rank are read in the same way. Each label and each page costs 1, and a user who looks for a subtopic takes the
# shortest path. A subtopic without a page in any cluster is searched in the plain list, after all labels at the top.
# Without nesting this is the measure of the source: Carpineto, Mizzaro, Romano & Snidero, Mobile information retrieval
# with search results clustering, JASIST 60, 2009.


@dataclass(frozen=True, eq=False)
class ResultTree:
    """The ranked list with the topics of a level, and the tree of the clusters; pages are numbered by rank."""

    results: ResultList
    clusters: Tree


def _result_tree(case: Case, level: Level, policies: Policies) -> ResultTree:
    results = RESULT_LIST.of(case, level, policies)
    tree = whole_clusters(case)
    ranked = tree.pages[:, rank_order(case.gold)]
    ranked.sort_indices()
    return ResultTree(results, Tree(tree.parent, ranked))


RESULT_TREE: View[ResultTree] = View(_result_tree, EACH_LEVEL)
"""Input of measures of reading nested clusters."""


@measure(
    RESULT_TREE,
    key="reach_time",
    title="Reach time",
    family="search-results",
    meaning="Labels and pages read down the tree until a page of a subtopic is found; mean over the subtopics.",
    formula="mean_t min_(d ∈ t ∩ c) labels read on the way to c + rank of d in c",
    source="carpineto2009",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "page ranks"),
    degenerate="A subtopic in no cluster costs all labels at the top plus its first rank in the plain list.",
)
def reach_time(given: ResultTree) -> float:
    topics, tree = given.results.topics, given.clusters
    place = np.arange(tree.set_of.size) - tree.pages.indptr[:-1][tree.set_of] + 1
    cost = np.full(tree.n_pages, np.inf)
    np.minimum.at(cost, tree.pages.indices, labels_read(tree)[tree.set_of] + place)
    shortest = _smallest(cost[topics.indices], topics)
    in_list = int((tree.parent < 0).sum()) + _smallest(topics.indices.astype(np.float64) + 1, topics)
    return int(np.where(np.isinf(shortest), in_list, shortest).sum()) / given.results.n_topics


def labels_read(tree: Tree) -> IntArray:
    """Return (sets,) the labels read to reach each set: up to its own in its list and in those of its ancestors."""
    place = np.empty(tree.n_sets, dtype=np.int64)
    order = np.argsort(tree.parent, kind="stable")
    parents = tree.parent[order]
    starts = np.flatnonzero(np.append(True, parents[1:] != parents[:-1])[: order.size])
    place[order] = np.arange(order.size) - np.repeat(starts, np.diff(np.append(starts, order.size))) + 1
    read, above = place.copy(), tree.parent
    while (inside := above >= 0).any():
        read += np.where(inside, place[above], 0)
        above = np.where(inside, tree.parent[above], -1)
    return read


def _smallest(values: FloatArray, topics: sp.csr_array) -> FloatArray:
    """Return (topics,) the smallest value among each topic's pages; every topic has a page."""
    return np.asarray(np.minimum.reduceat(values, topics.indptr[:-1]), dtype=np.float64)


# --- kSSL, subtopic search length: how much is read until k pages of a subtopic are seen, mean over the subtopics ---
# A subtopic with fewer than k pages counts until its last page. In the list, each page costs 1. With clusters, labels
# are read from the top; every cluster with a page of the subtopic is opened and read from its top until k such pages
# are seen; pages still missing are searched in the plain list. Each label and each page costs 1.

SEEN = Parameter("k", "number of pages of a subtopic to see", 1, 1_000, whole=True)
PAGES = (1, 2, 3, 4)


@measure(
    RESULT_LIST,
    key="kssl",
    title="{k}SSL",
    family="search-results",
    meaning="Labels and pages read until page number {k} of a subtopic is seen; mean over the subtopics.",
    formula="mean_t labels read + pages read until min({k}, |t|) pages of t are seen, in clusters and then in the list",
    source="bernardini2009",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(SEEN,),
    stored={f"kssl_{k}": k for k in PAGES},
)
def kssl(results: ResultList, k: int) -> float:
    member = _members_by_topic(results)
    lengths = []
    for topic in range(results.n_topics):
        pages = results.topics.indices[results.topics.indptr[topic] : results.topics.indptr[topic + 1]]
        lengths.append(_search_length(results, pages.astype(np.int64), member[topic], min(k, pages.size)))
    return math.fsum(lengths) / results.n_topics


@measure(
    RESULT_LIST,
    key="kssl_list",
    title="{k}SSL of the list",
    family="search-results",
    meaning="Pages of the ranked list read until page number {k} of a subtopic is seen; a baseline for clusters.",
    formula="mean_t rank of t's page number min({k}, |t|)",
    source="bernardini2009",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=FLAT_CLUSTERS,
    needs=("gold topics", "page ranks"),
    parameters=(SEEN,),
    stored={f"kssl_list_{k}": k for k in PAGES},
)
def kssl_list(results: ResultList, k: int) -> float:
    start = results.topics.indptr
    ranks = results.topics.indices[np.minimum(start[:-1] + k, start[1:]) - 1]
    return int(ranks.sum() + ranks.size) / results.n_topics


def _members_by_topic(results: ResultList) -> list[IntArray]:
    """Return the memberships in clusters of each topic's pages, in the order of reading."""
    topics_of = results.topics_by_page[results.clusters.indices]
    counts = np.diff(topics_of.indptr)
    membership = np.repeat(np.arange(counts.size), counts)
    order = np.argsort(topics_of.indices, kind="stable")
    bounds = np.cumsum(np.bincount(topics_of.indices, minlength=results.n_topics))[:-1]
    return np.split(membership[order], bounds)


def _search_length(results: ResultList, pages: IntArray, members: IntArray, wanted: int) -> int:
    """Return the labels and pages read until ``wanted`` of the pages (sorted by rank) are seen.

    Args:
        members: the pages' memberships in clusters, in the order of reading.
    """
    page, cluster = results.clusters.indices[members], results.cluster_of[members]
    _, first = np.unique(page, return_index=True)
    new = np.sort(first)
    if new.size >= wanted:
        last = new[wanted - 1]
        opened = np.unique(cluster[:last])
        before = opened[opened < cluster[last]]
        return int(cluster[last] + 1 + results.cluster_sizes[before].sum() + results.place[members[last]] + 1)
    read = int(results.cluster_sizes.size + results.cluster_sizes[np.unique(cluster)].sum())
    missing = np.setdiff1d(pages, page)
    return read + int(missing[wanted - new.size - 1]) + 1


# --- Descriptive statistics of the clusters. Less reading counts as better, but none measures quality. ---


def _clusters(case: Case, level: Level, policies: Policies) -> sp.csr_array:
    """Return the (clusters, pages) 0/1 CSR."""
    return case.clusters


CLUSTERS: View[sp.csr_array] = View(_clusters, CLUSTERS_ALONE)
"""Input of measures that ignore the gold standard."""


def _some_clusters(clusters: sp.csr_array) -> None:
    if not clusters.shape[0]:
        raise Undefined("there is no cluster")


@measure(
    CLUSTERS,
    key="page_coverage",
    title="Page coverage",
    family="search-results",
    meaning="Fraction of the pages that are in a cluster.",
    formula="|⋃_c D_c| / |D|",
    source="qc4bench",
    accepts=ANY_CLUSTERS,
    needs=(),
)
def page_coverage(clusters: sp.csr_array) -> float:
    return np.unique(clusters.indices).size / clusters.shape[1]


@measure(
    CLUSTERS,
    key="cluster_count",
    title="Number of clusters",
    family="search-results",
    meaning="Number of labels to read.",
    formula="|C|",
    source="qc4bench",
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def cluster_count(clusters: sp.csr_array) -> float:
    return float(clusters.shape[0])


@measure(
    CLUSTERS,
    key="cluster_size",
    title="Mean size of clusters",
    family="search-results",
    meaning="Mean number of pages to read in a cluster.",
    formula="mean_c |D_c|",
    source="qc4bench",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def cluster_size(clusters: sp.csr_array) -> float:
    _some_clusters(clusters)
    return clusters.nnz / clusters.shape[0]


@measure(
    CLUSTERS,
    key="cluster_overlap",
    title="Overlap of clusters",
    family="search-results",
    meaning="Mean number of clusters that a clustered page is in: 1 without overlap.",
    formula="Σ_c |D_c| / |⋃_c D_c|",
    source="qc4bench",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def cluster_overlap(clusters: sp.csr_array) -> float:
    _some_clusters(clusters)
    return clusters.nnz / np.unique(clusters.indices).size


@measure(
    CLUSTERS,
    key="cluster_depth",
    title="Depth of clusters",
    family="search-results",
    meaning="Length of the longest chain of clusters inside each other: 1 if no cluster contains another.",
    formula="max length of c₁ ⊃ c₂ ⊃ …",
    source="qc4bench",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def cluster_depth(clusters: sp.csr_array) -> float:
    _some_clusters(clusters)
    return float(nesting_depths(clusters).max() + 1)

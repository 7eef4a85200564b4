"""Reach time: how much is read until the first page of a subtopic is found, going down the tree of clusters.

Labels are read from the top until the cluster to open is met; inside it, the labels of its clusters are read in the
same way, or its pages by rank. Each label and each page read costs 1, and whoever looks for a subtopic takes the
shortest way there is. A subtopic without a page in any cluster is looked for in the plain list, after all labels at the
top. Without nesting this is the measure of the source.

Source: Carpineto, Mizzaro, Romano & Snidero, Mobile information retrieval with search results clustering, JASIST 60,
2009.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.clustering.case import Case
from qc4.measures.registry import measure
from qc4.views.policies import Policies
from qc4.views.result_list import RESULT_LIST, ResultList, rank_order
from qc4.views.tree import Tree, whole_clusters
from qc4.views.view import ANY_CLUSTERS, EACH_LEVEL, Level, View


@dataclass(frozen=True, eq=False)
class ResultTree:
    """The ranked list with the topics of a level, and the tree of the clusters with pages numbered by rank."""

    results: ResultList
    clusters: Tree


def _result_tree(case: Case, level: Level, policies: Policies) -> ResultTree:
    results = RESULT_LIST.of(case, level, policies)
    tree = whole_clusters(case)
    ranked = tree.pages[:, rank_order(case.gold)]
    ranked.sort_indices()
    return ResultTree(results, Tree(tree.parent, ranked))


RESULT_TREE: View[ResultTree] = View(_result_tree, EACH_LEVEL)
"""Measures of what is read of nested clusters."""


@measure(
    RESULT_TREE,
    key="reach_time",
    title="Reach time",
    family="search-results",
    meaning="Labels and pages read down the tree until a page of a subtopic is found, mean over the subtopics.",
    formula="mean_t min_(d ∈ t ∩ c) labels read on the way to c + rank of d in c",
    source="carpineto2009",
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=("gold topics", "page ranks"),
    degenerate="A subtopic in no cluster costs all labels at the top and its first rank in the plain list.",
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
    """(sets,) labels read on the way to each: its own and those above it in its list, and in the lists on the way."""
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
    """(topics,) the smallest value of each topic's pages, of which it has some."""
    return np.asarray(np.minimum.reduceat(values, topics.indptr[:-1]), dtype=np.float64)

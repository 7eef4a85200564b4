"""Why a cluster or a topic scores what it does: the parts of QC4 that only a reader of one cluster needs.

Worked out on demand, cluster by cluster, straight from the definitions; the scores themselves come from `qc4`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.clustering.case import Case
from qc4.gold.hierarchy import topological_order
from qc4.gold.standard import GoldStandard
from qc4.measures.qc4.prepared import prepared
from qc4.measures.qc4.quality import recall_of
from qc4.measures.qc4.removal import remaining_clusters
from qc4.measures.qc4.result import QC4Result
from qc4.views.policies import Recall
from qc4.views.remembered import remembered

SAME = 1e-12
"""Candidates for tb whose sums differ by less than this are equally good; the one easiest to explain is named."""


class TopicShare(NamedTuple):
    """How many pages a cluster shares with one topic of its level.

    ``topic`` is None for the outlier topic. ``precision`` is the share of the cluster, ``recall`` that of the topic.
    """

    topic: str | None
    pages: int
    precision: float
    recall: float


class ForeignPage(NamedTuple):
    """A page of a cluster that is not in the cluster's best topic.

    ``topics`` are those it is in on the cluster's level; none for an outlier.
    """

    page: str
    topics: tuple[str, ...]
    outlier: bool


class RunnerUp(NamedTuple):
    """The topic with the second largest F, on whatever level it starts."""

    topic: str
    level: int
    f: float


@dataclass(frozen=True)
class ClusterExplanation:
    """What stands behind one cluster's quality.

    Attributes:
        entropy_topic, recall_topic: the tb that gives E(c) and S_recall(c); None for the outlier topic. Where several
            are equally good, the cluster's best topic if it is one of them, else the one that shares most pages.
        mix: the topics of the cluster's level with common pages, most pages first, outliers included.
        runner_up: None if no second topic shares a page with the cluster.
        foreign_pages: in the order of the page list.
    """

    entropy_topic: str | None
    recall_topic: str | None
    mix: tuple[TopicShare, ...]
    runner_up: RunnerUp | None
    foreign_pages: tuple[ForeignPage, ...]


@dataclass(frozen=True, eq=False)
class PageCoverage:
    """Where coverage is won and lost.

    Attributes:
        pages: (topics, pages) PC(d, t, l) with l the level t starts on, for every page of every topic of every level;
            the same entries as ``hierarchy.pages``, zeros stored. Rows of level-1 topics hold PC(d, t, 1).
        topics: (topics,) the mean of each row; of a level-1 topic that is CV(t).
    """

    pages: sp.csr_array
    topics: FloatArray


def explain_cluster(case: Case, result: QC4Result, cluster_index: int) -> ClusterExplanation:
    """Explain ``result.clusters[cluster_index]``.

    Raises:
        IndexError: there is no such remaining cluster.
    """
    cluster = result.clusters[cluster_index]
    hierarchy, ids = case.gold.hierarchy, (*case.gold.topic_ids, None)
    row = int(remaining_clusters(case)[cluster_index])
    members = _members(case, row)
    local = _topics_by_page(case.gold)[members]
    outliers = int(case.gold.is_outlier[members].sum())
    common = np.append(np.bincount(local.indices, minlength=hierarchy.n_topics), outliers)

    on_level = np.append(hierarchy.topics_on(cluster.level), hierarchy.n_topics)
    ranked = _ranked_by_f(hierarchy.first, hierarchy.sizes, common[:-1], members.size)
    best = int(ranked[0])
    touched = on_level[common[on_level] > 0]
    touched = touched[np.lexsort((-common[touched], touched != best))]
    entropy_topic, recall_topic = _choose_tb(case, result.recall, cluster.level, members, touched, common)
    by_pages = touched[np.argsort(-common[touched], kind="stable")]
    sizes = np.append(hierarchy.sizes, hierarchy.outliers.size)
    return ClusterExplanation(
        entropy_topic=ids[entropy_topic],
        recall_topic=ids[recall_topic],
        mix=tuple(
            TopicShare(ids[t], int(common[t]), int(common[t]) / members.size, int(common[t]) / int(sizes[t]))
            for t in by_pages.tolist()
        ),
        runner_up=_runner_up(case.gold, ranked, common, members.size),
        foreign_pages=_foreign_pages(case.gold, members, local, best, set(on_level.tolist())),
    )


def page_coverage(case: Case, result: QC4Result) -> PageCoverage:
    """PC(d, t, l) for every page of every topic, with l the level the topic starts on."""
    pages = case.gold.hierarchy.pages
    values = _reached(case, result)
    children = case.gold.hierarchy.children
    for topic in topological_order(case.gold.hierarchy.parent)[::-1].tolist():
        if topic in children:
            _add_from_below(pages, topic, children[topic], values)
    coverage = sp.csr_array((values, pages.indices, pages.indptr), shape=pages.shape)
    means = np.asarray(coverage.sum(axis=1), dtype=np.float64) / np.maximum(case.gold.hierarchy.sizes, 1)
    return PageCoverage(coverage, means)


def _members(case: Case, row: int) -> IntArray:
    return np.sort(case.clusters.indices[case.clusters.indptr[row] : case.clusters.indptr[row + 1]].astype(np.int64))


@remembered
def _topics_by_page(gold: GoldStandard) -> sp.csr_array:
    """(pages, topics) CSR whose values are the positions of the entries in ``hierarchy.pages``."""
    pages = gold.hierarchy.pages
    positions = sp.csr_array((np.arange(pages.nnz), pages.indices, pages.indptr), shape=pages.shape)
    return sp.csr_array(positions.T.tocsr())


def _ranked_by_f(first: IntArray, sizes: IntArray, common: IntArray, size: int) -> IntArray:
    """Topics by falling F; ties: smallest level number, then file order."""
    order = np.arange(sizes.size)
    return order[np.lexsort((order, first, -(common / (size + sizes))))]


def _runner_up(gold: GoldStandard, ranked: IntArray, common: IntArray, size: int) -> RunnerUp | None:
    if ranked.size < 2 or not common[ranked[1]]:
        return None
    topic = int(ranked[1])
    f = 2 * int(common[topic]) / (size + int(gold.hierarchy.sizes[topic]))
    return RunnerUp(gold.topic_ids[topic], int(gold.hierarchy.first[topic]), f)


def _foreign_pages(
    gold: GoldStandard, members: IntArray, local: sp.csr_array, best: int, on_level: set[int]
) -> tuple[ForeignPage, ...]:
    found = []
    for i, page in enumerate(members.tolist()):
        topics = local.indices[local.indptr[i] : local.indptr[i + 1]].tolist()
        if best not in topics:
            named = tuple(gold.topic_ids[t] for t in topics if t in on_level)
            found.append(ForeignPage(gold.page_ids[page], named, bool(gold.is_outlier[page])))
    return tuple(found)


def _choose_tb(
    case: Case, which: Recall, level: int, members: IntArray, touched: IntArray, common: IntArray
) -> tuple[int, int]:
    """The tb that minimises the entropy and the one that maximises the recall sum.

    Candidates are the touched topics in the given order and then one topic of the level without common pages.
    """
    gold = prepared(case.gold)
    candidates = touched
    free = np.setdiff1d(gold.levels[level - 1].topics, touched)
    if free.size:
        candidates = np.append(touched, free[0])
    entropy, recall = np.empty(candidates.size), np.empty(candidates.size)
    inside = _incidence_within(case.gold, members, touched)
    scale = recall_of(gold, touched, common[touched].astype(np.float64), which)
    for i, tb in enumerate(candidates.tolist()):
        weights = _modified_precision(inside, touched == tb)
        positive = weights[weights > 0]
        entropy[i] = -float(positive @ np.log(positive))
        recall[i] = float(weights @ scale)
    least, most = entropy.min() + SAME, recall.max() - SAME
    return int(candidates[np.argmax(entropy <= least)]), int(candidates[np.argmax(recall >= most)])


def _incidence_within(gold: GoldStandard, members: IntArray, topics: IntArray) -> FloatArray:
    """(members, topics) 0/1; the outlier topic may be among the topics."""
    column = np.full(gold.hierarchy.n_topics + 1, -1)
    column[topics] = np.arange(topics.size)
    local = _topics_by_page(gold)[members]
    inside = np.zeros((members.size, topics.size))
    rows = np.repeat(np.arange(members.size), np.diff(local.indptr))
    kept = column[local.indices] >= 0
    inside[rows[kept], column[local.indices[kept]]] = 1.0
    if column[-1] >= 0:
        inside[gold.is_outlier[members], column[-1]] = 1.0
    return inside


def _modified_precision(inside: FloatArray, is_tb: np.ndarray[tuple[int], np.dtype[np.bool_]]) -> FloatArray:
    """(topics,) P'(c, t, tb), the definition word for word; ``is_tb`` is all False for a tb without common pages."""
    size = inside.shape[0]
    in_tb = inside[:, is_tb].any(axis=1)
    left = inside[~in_tb].sum(axis=0)
    total = left.sum()
    precision = (size - in_tb.sum()) / size * left / total if total else np.zeros(is_tb.size)
    precision[is_tb] = in_tb.sum() / size
    return np.asarray(precision)


def _reached(case: Case, result: QC4Result) -> FloatArray:
    """For every entry of ``hierarchy.pages`` the largest PC'(d, t, l) over the levels l of t."""
    hierarchy = case.gold.hierarchy
    by_page = _topics_by_page(case.gold)
    reached = np.zeros(hierarchy.pages.nnz)
    for row, cluster in zip(remaining_clusters(case).tolist(), result.clusters, strict=True):
        local = by_page[_members(case, row)]
        here = (hierarchy.first[local.indices] <= cluster.level) & (cluster.level <= hierarchy.last[local.indices])
        topics, places = local.indices[here], local.data[here]
        worth = np.bincount(topics, minlength=hierarchy.n_topics) / cluster.size * min(1.0, cluster.s_random)
        reached[places] = np.maximum(reached[places], worth[topics])
    return reached


def _add_from_below(pages: sp.csr_array, topic: int, children: list[int], values: FloatArray) -> None:
    """Raise the values of a topic's pages to the mean over its children that hold the page."""
    own = slice(pages.indptr[topic], pages.indptr[topic + 1])
    place = np.searchsorted(pages.indices[own], pages[children].indices)
    below = np.concatenate([values[pages.indptr[child] : pages.indptr[child + 1]] for child in children])
    size = own.stop - own.start
    mean = np.bincount(place, weights=below, minlength=size) / np.bincount(place, minlength=size)
    values[own] = np.maximum(values[own], mean)

"""Explanations of the scores of a cluster or a topic: parts of QC4 that are only needed for a single cluster.

They are computed on demand with the same functions as the scores: common pages of a cluster and topics, the result for
every tb, and the slots of pages."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.measures.qc4.calculation import CoverageTally, are_disjoint, qc4, remaining_clusters, shares_of_blocks
from qc4.measures.qc4.counting import Entries, Shares, Table, count_levels, count_shares
from qc4.measures.qc4.prepared import PreparedGold, prepared, prepared_page_by_page
from qc4.measures.qc4.quality import OwnEntries, candidates, own_entries, own_regions
from qc4.measures.qc4.result import QC4Result
from qc4.model.case import Case
from qc4.model.nesting import shared_pages
from qc4.model.policies import Recall

SAME = 1e-12
"""Candidates for tb whose sums differ by less than this are tied; the one easiest to explain is chosen."""


class TopicShare(NamedTuple):
    """The number of pages that a cluster shares with one topic of its level.

    ``topic`` is None for the outlier topic. ``precision`` is the fraction of the cluster, ``recall`` that of the topic.
    """

    topic: str | None
    pages: int
    precision: float
    recall: float


class ForeignPage(NamedTuple):
    """A page of a cluster that is not in the cluster's best topic.

    ``topics`` are the page's topics on the cluster's level; empty for an outlier.
    """

    page: str
    topics: tuple[str, ...]
    outlier: bool


class RunnerUp(NamedTuple):
    """The topic with the second largest F, on the level on which it starts."""

    topic: str
    level: int
    f: float


@dataclass(frozen=True)
class ClusterExplanation:
    """The details of one cluster's quality.

    Attributes:
        entropy_topic, recall_topic: the tb that gives E(c) and S_recall(c); None for the outlier topic. Ties go to the
            cluster's best topic, or else to the topic that shares most pages.
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
    """The coverage of each page in each of its topics.

    Attributes:
        pages: (topics, pages) PC(d, t, l) where l is the level t starts on, for every page of every topic; the same
            entries as ``hierarchy.pages``, with zeros stored. Rows of level-1 topics contain PC(d, t, 1).
        topics: (topics,) the mean of each row; for a level-1 topic this is CV(t).
    """

    pages: sp.csr_array
    topics: FloatArray


def explain_cluster(case: Case, result: QC4Result, cluster_index: int) -> ClusterExplanation:
    """Explain ``result.clusters[cluster_index]``.

    Raises:
        IndexError: there is no remaining cluster with this index.
    """
    gold, ids = prepared(case.gold), (*case.gold.topic_ids, None)
    begin, end = case.clusters.indptr[remaining_clusters(case)[cluster_index] + np.arange(2)].tolist()
    members = np.sort(case.clusters.indices[begin:end]).astype(np.int64)
    shares = count_shares(gold, np.array([members.size]), members, gold.leaves.code[members])
    levels = count_levels(gold, shares)
    own = own_entries(gold, shares, levels, result.columns.level[[cluster_index]])
    best = int(result.columns.best_topic[cluster_index])
    by_pages = np.lexsort((own.topic, own.topic != best, -own.common))
    entropy_topic, recall_topic = _choose_tb(gold, shares, own, result.recall, best)
    return ClusterExplanation(
        entropy_topic=ids[entropy_topic],
        recall_topic=ids[recall_topic],
        mix=tuple(
            TopicShare(ids[topic], int(common), common / members.size, common / gold.sizes.item(topic))
            for topic, common in zip(own.topic[by_pages].tolist(), own.common[by_pages].tolist(), strict=True)
        ),
        runner_up=_runner_up(case, gold, shares, levels, best),
        foreign_pages=_foreign_pages(case, shares, own, members, best),
    )


def page_coverage(case: Case, result: QC4Result) -> PageCoverage:
    """Return PC(d, t, l) for every page of every topic, where l is the level the topic starts on."""
    gold, clusters = prepared_page_by_page(case.gold), case.clusters[remaining_clusters(case)]
    tally = CoverageTally(gold, are_disjoint(clusters))
    for block, shares in shares_of_blocks(gold, clusters):
        own = own_entries(gold, shares, count_levels(gold, shares), result.columns.level[block])
        tally.add(shares, own, result.columns.s_random[block])
    slots, leaves = gold.slots, gold.leaves
    topic, page = np.empty(slots.size, dtype=np.int64), np.empty(slots.size, dtype=np.int64)
    page[slots.at] = np.flatnonzero(leaves.code < 0)[leaves.anchor_page]
    for level, at in zip(gold.levels, slots.at, strict=True):
        topic[at] = level.topics[level.of_leaf[leaves.anchor_leaf]]
    coverage = sp.csr_array((tally.slot_coverage(), (topic, page)), shape=case.gold.hierarchy.pages.shape)
    means = np.asarray(coverage.sum(axis=1), dtype=np.float64) / np.maximum(case.gold.hierarchy.sizes, 1)
    return PageCoverage(coverage, means)


def _choose_tb(gold: PreparedGold, shares: Shares, own: OwnEntries, recall: Recall, best: int) -> tuple[int, int]:
    """Return the tb that minimises the entropy and the tb that maximises the recall sum, for the only cluster."""
    found = candidates(gold, shares, own, own_regions(gold, shares, own), recall)
    size = float(shares.cluster_sizes[0])
    easiest = np.lexsort((own.topic, -own.common, own.topic != best))
    topics = own.topic[easiest]
    entropy, sums = np.log(size) + found.entropy[easiest] / size, found.recall[easiest] / size
    if own.lengths[0] < own.k[0]:
        free = min(set(gold.levels[own.level[0] - 1].topics.tolist()).difference(topics.tolist()))
        topics = np.append(topics, free)
        entropy, sums = np.append(entropy, found.free_entropy), np.append(sums, found.free_recall)
    least, most = entropy.min() + SAME, sums.max() - SAME
    return int(topics[np.argmax(entropy <= least)]), int(topics[np.argmax(sums >= most)])


def _runner_up(
    case: Case, gold: PreparedGold, shares: Shares, levels: list[Entries | Table], best: int
) -> RunnerUp | None:
    """Return the topic with the second largest F; ties go to the smallest level number, then to file order."""
    ranked = []
    for number, (level, counts) in enumerate(zip(gold.levels, levels, strict=True), start=1):
        entries = counts.entries(level, shares)
        halves = entries.halves(level, shares.cluster_sizes.astype(np.float64))
        topics = level.topics[entries.number].tolist()
        ranked += [
            (-half, number, topic)
            for half, topic in zip(halves.tolist(), topics, strict=True)
            if topic not in (best, gold.n_topics)
        ]
    if not ranked:
        return None
    half, number, topic = min(ranked)
    return RunnerUp(case.gold.topic_ids[topic], number, -2 * half)


def _foreign_pages(
    case: Case, shares: Shares, own: OwnEntries, members: IntArray, best: int
) -> tuple[ForeignPage, ...]:
    """Return the pages of the only cluster that are not in its best topic, with their topics on the cluster's level."""
    multi, gold = shares.multi, case.gold
    several = np.repeat(members[prepared(gold).leaves.code[members] < 0], np.diff(multi.ptr))
    pages = np.concatenate([shares.single_page, several])
    topics = own.topic[own.of_run[np.concatenate([shares.single_run, multi.run])]]
    found: dict[int, list[int]] = {}
    for page, topic in np.unique(np.stack([pages, topics], axis=1), axis=0).tolist():
        found.setdefault(page, []).append(topic)
    return tuple(
        ForeignPage(
            gold.page_ids[page],
            tuple(gold.topic_ids[topic] for topic in held if topic < gold.hierarchy.n_topics),
            bool(gold.is_outlier[page]),
        )
        for page, held in found.items()
        if best not in held
    )


# --- How well each cluster matches its best topic: precision and recall of section 2.2 of the QC4 paper ---
# These numbers explain a cluster. QC4 itself does not use them.


class ClusterMatch(NamedTuple):
    """One remaining cluster c and its best topic t, the topic with the largest F.

    Attributes:
        common: |D_c,t|, the number of pages of the cluster in its best topic.
        best_size: |D_t|.
        precision: P(c,t) = |D_c,t| / |D_c|, in (0, 1].
        recall: R(c,t) = |D_c,t| / |D_t|, in (0, 1].
    """

    common: int
    best_size: int
    precision: float
    recall: float


def cluster_matches(case: Case, result: QC4Result) -> tuple[ClusterMatch, ...]:
    """Return the matches of ``result.clusters``, in their order.

    Source: Crabtree, Andreae & Gao, PAKDD 2007, section 2.2: precision and recall of a cluster.
    """
    columns = result.columns
    best_size = case.gold.hierarchy.sizes[columns.best_topic]
    common = np.rint(columns.f * (columns.size + best_size) / 2).astype(np.int64)
    parts = (common, best_size, common / columns.size, common / best_size)
    return tuple(map(ClusterMatch._make, zip(*(part.tolist() for part in parts), strict=True)))


def common_pages(case: Case, clusters: sp.csr_array) -> sp.csr_array:
    """Return (clusters, topics + 1) the number of pages each cluster shares with each topic, the outlier topic last."""
    outliers = sp.csr_array(case.gold.is_outlier[np.newaxis].astype(np.int32))
    return shared_pages(clusters, sp.vstack([case.gold.hierarchy.pages, outliers], format="csr"))


# --- The fate of each topic in a clustering: covered, merged, split or missed ---
# It is determined from the clusters that QC4 evaluates (without those that are mostly outliers) with one threshold, a
# half, so that every topic has exactly one fate. It is accompanied by QC4's own value for the topic, the mean of PC(d,
# t, l) over its pages (`page_coverage`); for a level-1 topic this is CV(t).

HALF = 0.5
"""A cluster contains a topic if it has at least this fraction of the topic's pages. It is about the topic if at least
this fraction of its own pages are the topic's."""


class Fate(StrEnum):
    """The fate of a topic: the first of these conditions that is true.

    COVERED: one cluster contains it and is about it. MERGED: one cluster contains it, but has more pages of others.
    SPLIT: no cluster contains it, but the clusters about it do together. MISSED: none of these.
    """

    COVERED = "covered"
    MERGED = "merged"
    SPLIT = "split"
    MISSED = "missed"


class TopicFate(NamedTuple):
    """A topic's fate.

    Attributes:
        id: id of the topic.
        depth: the level it starts on, 1 for the coarsest.
        size: the number of its pages.
        fate: its fate.
        coverage: mean of PC(d, t, l) over its pages, in [0, 1].
        cluster: id of the cluster with most of its pages (ties: highest precision); None if no cluster has any.
        recall: the fraction of the topic's pages in that cluster.
        precision: the fraction of that cluster's pages that are in the topic.
    """

    id: str
    depth: int
    size: int
    fate: Fate
    coverage: float
    cluster: str | None
    recall: float
    precision: float


def topic_fates(case: Case) -> tuple[TopicFate, ...]:
    """Return the fate of every topic of every level, in the order of the gold standard."""
    hierarchy, rows = case.gold.hierarchy, remaining_clusters(case)
    clusters = case.clusters[rows]
    sizes = np.diff(clusters.indptr).astype(np.int64)
    coverage = page_coverage(case, qc4(case)).topics
    shared = common_pages(case, clusters).T.tocsr()
    found = []
    for topic, topic_id in enumerate(case.gold.topic_ids):
        place = slice(shared.indptr[topic], shared.indptr[topic + 1])
        which, common = shared.indices[place].astype(np.int64), shared.data[place]
        size = int(hierarchy.sizes[topic])
        recall, precision = common / max(size, 1), common / sizes[which]
        best = int(np.lexsort((which, -precision, -recall))[0]) if which.size else None
        about = which[precision >= HALF]
        found.append(
            TopicFate(
                id=topic_id,
                depth=int(hierarchy.first[topic]),
                size=size,
                fate=_fate(recall >= HALF, precision >= HALF, _held(case, topic, rows[about]) >= HALF * size),
                coverage=float(coverage[topic]),
                cluster=None if best is None else case.cluster_ids[int(rows[which[best]])],
                recall=0.0 if best is None else float(recall[best]),
                precision=0.0 if best is None else float(precision[best]),
            )
        )
    return tuple(found)


def _fate(holds: BoolArray, about: BoolArray, together: bool) -> Fate:
    if (holds & about).any():
        return Fate.COVERED
    if holds.any():
        return Fate.MERGED
    return Fate.SPLIT if about.any() and together else Fate.MISSED


def _held(case: Case, topic: int, rows: IntArray) -> int:
    """Return the number of a topic's pages that are in any of these clusters."""
    pages = case.gold.hierarchy.pages
    own = pages.indices[pages.indptr[topic] : pages.indptr[topic + 1]]
    return int(np.isin(own, case.clusters[rows].indices).sum())

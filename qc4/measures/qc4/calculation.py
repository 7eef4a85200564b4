"""QC4 of a case: removal of clusters of outliers, quality of the clusters, and coverage of the topics."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.view import cached_on
from qc4.measures.qc4.counting import Shares, choose_levels, count_levels, count_shares
from qc4.measures.qc4.prepared import PreparedGold, prepared
from qc4.measures.qc4.quality import OwnEntries, cluster_quality, own_entries, own_regions
from qc4.measures.qc4.result import ClusterColumns, QC4Result, TopicCoverage
from qc4.measures.qc4.sorting import ranges, running_count
from qc4.model.case import Case
from qc4.model.policies import Recall

# --- Clusters that QC4 evaluates: those with more than half outliers are removed first ---
# Source: Crabtree, Andreae & Gao, PAKDD 2007, section 3.


def removed_clusters(case: Case) -> tuple[str, ...]:
    """Return the ids of the clusters of which more than half of the pages are outliers, in file order."""
    return tuple(case.cluster_ids[row] for row in np.flatnonzero(_outlier_majority(case)).tolist())


def remaining_clusters(case: Case) -> IntArray:
    """Return the rows of the clusters that QC4 evaluates, in file order."""
    return np.flatnonzero(~_outlier_majority(case))


def _outlier_majority(case: Case) -> npt.NDArray[np.bool_]:
    """Return (clusters,) True if more than half of the cluster's pages are outliers."""
    if not case.gold.hierarchy.outliers.size:
        return np.zeros(case.n_clusters, dtype=bool)
    before = np.concatenate([[0], np.cumsum(case.gold.is_outlier[case.clusters.indices])])
    outliers = before[case.clusters.indptr[1:]] - before[case.clusters.indptr[:-1]]
    return np.asarray(2 * outliers > case.sizes)


# --- Clusters of one page: those whose page has the same leaves get the same parts, so only one is measured ---


@dataclass(frozen=True, eq=False)
class AlikeSingletons:
    """The mapping from clusters to the measured clusters that represent them.

    Attributes:
        measured: the clusters to measure, ascending: all except repeated singletons of a kind.
        others: all other clusters, ascending.
        stand_in: (clusters,) the position in ``measured`` of the cluster itself, or of the first singleton of its kind.
    """

    measured: IntArray
    others: IntArray
    stand_in: IntArray


def alike_singletons(gold: PreparedGold, incidence: sp.csr_array) -> AlikeSingletons | None:
    """Group singletons among clusters (clusters x pages) by the leaves of their page; return None if all differ."""
    rows = np.flatnonzero(np.diff(incidence.indptr) == 1)
    if rows.size < 2:
        return None
    kinds = _kinds(gold, incidence.indices[incidence.indptr[rows]].astype(np.int64))
    first = np.empty(int(kinds.max()) + 1, dtype=np.int64)
    first[kinds[::-1]] = rows[::-1]  # the last assignment wins, so this is the first row of the kind
    same_as = np.arange(incidence.shape[0])
    same_as[rows] = first[kinds]
    is_measured = same_as == np.arange(same_as.size)
    if is_measured.all():
        return None
    place = running_count(is_measured) - 1
    return AlikeSingletons(np.flatnonzero(is_measured), np.flatnonzero(~is_measured), place[same_as])


def _kinds(gold: PreparedGold, pages: IntArray) -> IntArray:
    """Return a number for the exact set of leaves of each page: the leaf, or the region on the finest level."""
    kinds = gold.leaves.code[pages].astype(np.int64)
    several = np.flatnonzero(kinds < 0)
    kinds[several] = gold.leaves.topics.size + gold.levels[-1].region[-1 - kinds[several]]
    return kinds


# --- Topic coverage CV(t): how well the pages of each level-1 topic are found in clusters of their own topics ---
# A page with one leaf is in one topic on every level, so PC(d, t, 1) is the value of its best cluster. Only pages with
# several leaves need the recursion over levels, which runs over (page, topic) slots from the bottom up.


class CoverageTally:
    """Collects the coverage of pages block by block of clusters, and averages it over the topics at the end."""

    def __init__(self, gold: PreparedGold, disjoint: bool = False) -> None:
        """``disjoint``: no page is in two clusters, so no maximum over clusters is needed."""
        self._gold = gold
        self._disjoint = disjoint
        self._best = np.zeros(gold.n_pages)
        self._reached = np.zeros(gold.slots.size)

    def add(self, shares: Shares, own: OwnEntries, s_random: FloatArray) -> None:
        """Add clusters with their S_random(c). PC'(d, t, l) is a maximum, so the order does not matter."""
        precision = own.common / np.repeat(shares.cluster_sizes[own.order].astype(np.float64), own.lengths)
        # The value of a membership for a page in the topic: P(c, t) min(1, S_random(c)), with t on the cluster's level.
        worth = (precision * np.repeat(np.minimum(1.0, s_random)[own.order], own.lengths))[own.of_run]
        self._raise(self._best, shares.single_page, worth.take(shares.single_run))
        multi = shares.multi
        level = np.repeat(own.level[multi.cluster], np.diff(multi.ptr))
        self._reach(level, multi.anchor, worth.take(multi.run))

    def add_singletons(self, pages: IntArray, level: IntArray, s_random: FloatArray) -> None:
        """Add clusters of one page each, given their L(c) and S_random(c); P(c, t) is 1 for the topics of the page."""
        worth = np.minimum(1.0, s_random)
        leaves = self._gold.leaves
        code = leaves.code[pages]
        single, several = np.flatnonzero(code >= 0), np.flatnonzero(code < 0)
        self._raise(self._best, pages[single], worth[single])
        number = -1 - code[several]
        count = leaves.ptr[number + 1] - leaves.ptr[number]
        anchor = ranges(leaves.ptr[number], count)
        self._reach(np.repeat(level[several], count), anchor, np.repeat(worth[several], count))

    def _reach(self, level: IntArray, anchor: IntArray, worth: FloatArray) -> None:
        """Add the values of memberships of multi pages for the anchors' topics on the clusters' levels."""
        at = self._gold.slots.at
        self._raise(self._reached, at.ravel().take((level - 1) * at.shape[1] + anchor), worth)

    def _raise(self, values: FloatArray, places: IntArray, worth: FloatArray) -> None:
        """Set each place to the larger of its value and ``worth``."""
        if self._disjoint:  # repeated places are anchors under one topic, with equal values
            values[places] = worth
        else:
            np.maximum.at(values, places, worth)

    def slot_coverage(self) -> FloatArray:
        """Return (slots,) PC(d, t, first level of t).

        It is the larger of the value from clusters of t and the mean over the child topics of t that contain d.
        """
        values = self._reached.copy()
        for split in reversed(self._gold.slots.splits):
            if split.parents.size:
                mean = np.bincount(split.of_child, weights=values[split.children]) / split.counts
                values[split.parents] = np.maximum(values[split.parents], mean)
        return values

    def topic_coverage(self) -> FloatArray:
        """Return (topics + 1,) CV(t) of the topics of level 1, 0 for all others."""
        gold, slots = self._gold, self._gold.slots
        roots = self.slot_coverage()[: slots.root_topic.size]
        covered = np.bincount(gold.root_of_page, weights=self._best, minlength=gold.sizes.size)
        covered += np.bincount(slots.root_topic, weights=roots, minlength=gold.sizes.size)
        covered[gold.n_topics] = 0.0
        return np.asarray(covered / np.maximum(gold.sizes, 1.0))


BLOCK = 2**15
"""The number of memberships processed at a time, so that working arrays fit into the CPU cache."""


def qc4(case: Case, recall: Recall = "modified") -> QC4Result:
    """Return QC4 with all its parts, computed once per case.

    Source: Crabtree, Andreae & Gao, PAKDD 2007, section 3.2:
    QU(c) = (1 - E(c)) min(1, S_recall(c), S_random(c)); AQ, WQ average it over the clusters; AC, WC average
    CV(t) = mean over d in t of PC(d, t, 1) over the topics of level 1.

    Args:
        recall: the recall averaged by S_recall: R' (``modified``), or R (``standard``, the variant of section 4.3).

    Returns:
        A result with all values in [0, 1], 1 for every ideal clustering; 0 if no cluster remains.
    """
    return cached_on(case, (qc4, recall), lambda: _computed(case, recall))


def _computed(case: Case, recall: Recall) -> QC4Result:
    gold = prepared(case.gold)
    kept, removed = remaining_clusters(case), removed_clusters(case)
    incidence = case.clusters[kept] if removed else case.clusters
    tally = CoverageTally(gold, are_disjoint(incidence))
    columns = _columns(gold, incidence, tally, recall)
    ids = tuple(case.cluster_ids[row] for row in kept.tolist()) if removed else case.cluster_ids
    return QC4Result.of_parts(removed, _topics(case, tally.topic_coverage()), columns, ids, case.gold.topic_ids, recall)


def _columns(gold: PreparedGold, incidence: sp.csr_array, tally: CoverageTally, recall: Recall) -> ClusterColumns:
    """Return the parts of all clusters, and add their coverage to the tally. One singleton of each kind is measured."""
    alike = alike_singletons(gold, incidence)
    if alike is None:
        return _measure_all(gold, incidence, tally, recall)
    columns = _measure_all(gold, incidence[alike.measured], tally, recall).take(alike.stand_in)
    pages = incidence.indices[incidence.indptr[alike.others]].astype(np.int64)
    tally.add_singletons(pages, columns.level[alike.others], columns.s_random[alike.others])
    return columns


def _measure_all(gold: PreparedGold, incidence: sp.csr_array, tally: CoverageTally, recall: Recall) -> ClusterColumns:
    """Return the parts of all clusters, each measured, block by block."""
    blocks = [_measure(gold, shares, tally, recall) for _, shares in shares_of_blocks(gold, incidence)]
    return ClusterColumns.joined([ClusterColumns.empty(), *blocks])


def shares_of_blocks(gold: PreparedGold, incidence: sp.csr_array) -> Iterator[tuple[slice, Shares]]:
    """Yield the shares of consecutive clusters, and the slice of these clusters."""
    indptr = incidence.indptr.astype(np.int64)
    code = gold.leaves.code[incidence.indices]  # for all memberships at once, which uses the CPU cache better
    for block in _blocks(indptr):
        members = slice(indptr[block.start], indptr[block.stop])
        pages = incidence.indices[members].astype(np.int64)
        yield block, count_shares(gold, np.diff(indptr[block.start : block.stop + 1]), pages, code[members])


def are_disjoint(incidence: sp.csr_array) -> bool:
    """Return True if no page is in two clusters."""
    is_in_one = np.zeros(incidence.shape[1], dtype=bool)
    is_in_one[incidence.indices] = True
    return int(np.count_nonzero(is_in_one)) == incidence.indices.size


def _blocks(indptr: IntArray) -> list[slice]:
    """Return slices of consecutive clusters with about `BLOCK` memberships; a larger cluster is a block of its own."""
    bounds = np.searchsorted(indptr, np.arange(0, indptr[-1] + BLOCK, BLOCK), side="left")
    bounds = np.unique(np.append(bounds, indptr.size - 1)).clip(max=indptr.size - 1).tolist()
    return [slice(start, stop) for start, stop in pairwise(bounds) if start < stop]


def _measure(gold: PreparedGold, shares: Shares, tally: CoverageTally, recall: Recall) -> ClusterColumns:
    """Return the parts of some clusters, and add their coverage to the tally."""
    levels = count_levels(gold, shares)
    choice = choose_levels(gold, shares, levels)
    own = own_entries(gold, shares, levels, choice.level)
    quality = cluster_quality(gold, shares, own, own_regions(gold, shares, own), recall)
    tally.add(shares, own, quality.s_random)
    return ClusterColumns(
        level=choice.level,
        best_topic=choice.best_topic,
        f=choice.f,
        size=shares.cluster_sizes,
        entropy=quality.entropy,
        s_recall=quality.s_recall,
        s_random=quality.s_random,
        quality=quality.quality,
    )


def _topics(case: Case, coverage: FloatArray) -> tuple[TopicCoverage, ...]:
    topics = case.gold.hierarchy.topics_on(1)
    ids = [case.gold.topic_ids[topic] for topic in topics.tolist()]
    sizes = case.gold.hierarchy.sizes[topics].tolist()
    return tuple(map(TopicCoverage._make, zip(ids, sizes, coverage[topics].tolist(), strict=True)))

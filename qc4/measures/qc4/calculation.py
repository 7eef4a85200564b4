"""QC4 of a case: remove clusters of outliers, then quality of the clusters and coverage of the topics."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.clustering.case import Case
from qc4.measures.qc4.counting import Shares, choose_levels, count_levels, count_shares
from qc4.measures.qc4.coverage import CoverageTally
from qc4.measures.qc4.prepared import PreparedGold, prepared
from qc4.measures.qc4.quality import cluster_quality, own_entries, own_regions
from qc4.measures.qc4.removal import remaining_clusters, removed_clusters
from qc4.measures.qc4.result import ClusterColumns, QC4Result, TopicCoverage
from qc4.measures.qc4.singletons import alike_singletons
from qc4.views.policies import Recall
from qc4.views.remembered import once

BLOCK = 2**15
"""Memberships handled at a time: the working arrays stay in the cache, and memory stays bounded."""


def qc4(case: Case, recall: Recall = "modified") -> QC4Result:
    """QC4 with all its parts, computed once per case.

    Source: Crabtree, Andreae & Gao, PAKDD 2007, section 3.2:
    QU(c) = (1 - E(c)) min(1, S_recall(c), S_random(c)); AQ, WQ average it over the clusters; AC, WC average
    CV(t) = mean over d in t of PC(d, t, 1) over the topics of level 1.

    Args:
        recall: what S_recall averages: R' (``modified``), or R (``standard``, the variant of section 4.3).

    Returns:
        Everything in [0, 1], 1 for every ideal clustering; 0 where no cluster remains.
    """
    return once(case, (qc4, recall), lambda: _computed(case, recall))


def _computed(case: Case, recall: Recall) -> QC4Result:
    gold = prepared(case.gold)
    kept, removed = remaining_clusters(case), removed_clusters(case)
    incidence = case.clusters[kept] if removed else case.clusters
    tally = CoverageTally(gold, are_disjoint(incidence))
    columns = _columns(gold, incidence, tally, recall)
    ids = tuple(case.cluster_ids[row] for row in kept.tolist()) if removed else case.cluster_ids
    return QC4Result.of_parts(removed, _topics(case, tally.topic_coverage()), columns, ids, case.gold.topic_ids, recall)


def _columns(gold: PreparedGold, incidence: sp.csr_array, tally: CoverageTally, recall: Recall) -> ClusterColumns:
    """The parts of all clusters; what they cover goes to the tally. Singletons of one kind are measured once."""
    alike = alike_singletons(gold, incidence)
    if alike is None:
        return _measure_all(gold, incidence, tally, recall)
    columns = _measure_all(gold, incidence[alike.measured], tally, recall).take(alike.stand_in)
    pages = incidence.indices[incidence.indptr[alike.others]].astype(np.int64)
    tally.add_singletons(pages, columns.level[alike.others], columns.s_random[alike.others])
    return columns


def _measure_all(gold: PreparedGold, incidence: sp.csr_array, tally: CoverageTally, recall: Recall) -> ClusterColumns:
    """The parts of all clusters, each measured, block by block."""
    blocks = [_measure(gold, shares, tally, recall) for _, shares in shares_of_blocks(gold, incidence)]
    return ClusterColumns.joined([ClusterColumns.empty(), *blocks])


def shares_of_blocks(gold: PreparedGold, incidence: sp.csr_array) -> Iterator[tuple[slice, Shares]]:
    """The shares of consecutive clusters, and which clusters these are."""
    indptr = incidence.indptr.astype(np.int64)
    code = gold.leaves.code[incidence.indices]  # of all memberships at once: block by block the cache would forget it
    for block in _blocks(indptr):
        members = slice(indptr[block.start], indptr[block.stop])
        pages = incidence.indices[members].astype(np.int64)
        yield block, count_shares(gold, np.diff(indptr[block.start : block.stop + 1]), pages, code[members])


def are_disjoint(incidence: sp.csr_array) -> bool:
    """Whether no page is in two clusters."""
    is_in_one = np.zeros(incidence.shape[1], dtype=bool)
    is_in_one[incidence.indices] = True
    return int(np.count_nonzero(is_in_one)) == incidence.indices.size


def _blocks(indptr: IntArray) -> list[slice]:
    """Consecutive clusters with about `BLOCK` memberships together; a larger cluster is a block of its own."""
    bounds = np.searchsorted(indptr, np.arange(0, indptr[-1] + BLOCK, BLOCK), side="left")
    bounds = np.unique(np.append(bounds, indptr.size - 1)).clip(max=indptr.size - 1).tolist()
    return [slice(start, stop) for start, stop in pairwise(bounds) if start < stop]


def _measure(gold: PreparedGold, shares: Shares, tally: CoverageTally, recall: Recall) -> ClusterColumns:
    """The parts of some clusters; what they cover goes to the tally."""
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

"""How well each cluster matches its best topic, and how mixed it is: section 2.2 of the QC4 paper, per cluster.

These numbers explain; QC4 itself does not use them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from qc4.arrays import FloatArray, IntArray
from qc4.clustering.case import Case
from qc4.measures.qc4.removal import remaining_clusters
from qc4.measures.qc4.result import QC4Result


class ClusterMatch(NamedTuple):
    """One remaining cluster c, its best topic t (the one with the largest F) and the topics T of its level L(c).

    T is every topic whose span holds L(c), and the outlier topic where there are outliers, as for E(c).

    Attributes:
        common: |D_c,t|, pages of the cluster in its best topic.
        best_size: |D_t|.
        precision: P(c,t) = |D_c,t| / |D_c|, in (0, 1].
        recall: R(c,t) = |D_c,t| / |D_t|, in (0, 1].
        purity: the largest P(c,t') over T, in (0, 1]; above ``precision`` where a larger topic has more of the cluster.
        classic_entropy: -sum over T of P(c,t') log P(c,t') to base |T|, at least 0; 0 if |T| = 1. E(c) is this one made
            fit for topics that overlap; where those of a level do not, both are the same.
    """

    common: int
    best_size: int
    precision: float
    recall: float
    purity: float
    classic_entropy: float


def cluster_matches(case: Case, result: QC4Result) -> tuple[ClusterMatch, ...]:
    """The matches of ``result.clusters``, in their order.

    Source: Crabtree, Andreae & Gao, PAKDD 2007, section 2.2: precision, recall, purity and entropy of a cluster.
    """
    columns, hierarchy = result.columns, case.gold.hierarchy
    precision, size = _precision(case), hierarchy.sizes
    rows, topics = np.repeat(np.arange(columns.size.size), np.diff(precision.indptr)), precision.indices
    first, last = np.append(hierarchy.first, 1), np.append(hierarchy.last, hierarchy.n_levels)
    on_level = (first[topics] <= columns.level[rows]) & (columns.level[rows] <= last[topics])
    rows, shares = rows[on_level], precision.data[on_level]
    purity = np.zeros(columns.size.size)
    np.maximum.at(purity, rows, shares)
    entropy = np.bincount(rows, weights=-shares * np.log(shares), minlength=purity.size).astype(np.float64)
    bases = _log_topics(case)[columns.level - 1]
    entropy = np.divide(entropy, bases, out=np.zeros_like(entropy), where=bases > 0)
    common = np.rint(columns.f * (columns.size + size[columns.best_topic]) / 2).astype(np.int64)
    best_size = size[columns.best_topic]
    parts = (common, best_size, common / columns.size, common / best_size, purity, np.maximum(entropy, 0.0))
    return tuple(map(ClusterMatch._make, zip(*(part.tolist() for part in parts), strict=True)))


def common_pages(case: Case, clusters: sp.csr_array) -> sp.csr_array:
    """(clusters, topics + 1) how many pages each cluster shares with each topic, the outlier topic last."""
    outliers = sp.csr_array(case.gold.is_outlier[np.newaxis].astype(np.int64))
    topics = sp.vstack([case.gold.hierarchy.pages.astype(np.int64), outliers], format="csr")
    return sp.csr_array(clusters.astype(np.int64) @ topics.T)


def _precision(case: Case) -> sp.csr_array:
    """(remaining clusters, topics + 1) P(c,t) where it is not 0."""
    common = common_pages(case, case.clusters[remaining_clusters(case)])
    sizes: IntArray = case.sizes[remaining_clusters(case)]
    values: FloatArray = common.data / np.repeat(sizes, np.diff(common.indptr))
    return sp.csr_array((values, common.indices, common.indptr), shape=common.shape)


def _log_topics(case: Case) -> FloatArray:
    """(levels,) log |T_l|."""
    hierarchy = case.gold.hierarchy
    outlier_topic = int(hierarchy.outliers.size > 0)
    return np.log([len(hierarchy.topics_on(level)) + outlier_topic for level in hierarchy.levels])

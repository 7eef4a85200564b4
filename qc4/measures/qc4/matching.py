"""How well each cluster matches its best topic: precision and recall of section 2.2 of the QC4 paper, per cluster.

These numbers explain a cluster. QC4 itself does not use them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from qc4.clustering.case import Case
from qc4.clustering.containment import shared_pages
from qc4.measures.qc4.result import QC4Result


class ClusterMatch(NamedTuple):
    """One remaining cluster c and its best topic t, the topic with the largest F.

    Attributes:
        common: |D_c,t|, pages of the cluster in its best topic.
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
    """(clusters, topics + 1) how many pages each cluster shares with each topic, the outlier topic last."""
    outliers = sp.csr_array(case.gold.is_outlier[np.newaxis].astype(np.int32))
    return shared_pages(clusters, sp.vstack([case.gold.hierarchy.pages, outliers], format="csr"))

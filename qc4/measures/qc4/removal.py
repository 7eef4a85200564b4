"""Which clusters QC4 looks at: a cluster of which more than half of the pages are outliers is removed first.

Source: Crabtree, Andreae & Gao, PAKDD 2007, section 3.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from qc4.arrays import IntArray
from qc4.clustering.case import Case


def removed_clusters(case: Case) -> tuple[str, ...]:
    """Ids of the clusters of which more than half of the pages are outliers, in file order."""
    return tuple(case.cluster_ids[row] for row in np.flatnonzero(_outlier_majority(case)).tolist())


def remaining_clusters(case: Case) -> IntArray:
    """Rows of the clusters QC4 looks at, in file order."""
    return np.flatnonzero(~_outlier_majority(case))


def _outlier_majority(case: Case) -> npt.NDArray[np.bool_]:
    """(clusters,) whether more than half of the cluster's pages are outliers."""
    if not case.gold.hierarchy.outliers.size:
        return np.zeros(case.n_clusters, dtype=bool)
    before = np.concatenate([[0], np.cumsum(case.gold.is_outlier[case.clusters.indices])])
    outliers = before[case.clusters.indptr[1:]] - before[case.clusters.indptr[:-1]]
    return np.asarray(2 * outliers > case.sizes)

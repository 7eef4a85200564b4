"""What the clusters look like, whatever they hold. Less to read is called better; none of these speaks of quality."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from qc4.clustering.case import Case
from qc4.clustering.containment import depths
from qc4.measures.registry import measure
from qc4.views.policies import Policies
from qc4.views.undefined import Undefined
from qc4.views.view import ANY_CLUSTERS, CLUSTERS_ALONE, Level, View


def _clusters(case: Case, level: Level, policies: Policies) -> sp.csr_array:
    """(clusters, pages) 0/1 CSR."""
    return case.clusters


CLUSTERS: View[sp.csr_array] = View(_clusters, CLUSTERS_ALONE)
"""Measures that do not look at the gold standard."""


def _some_clusters(clusters: sp.csr_array) -> None:
    if not clusters.shape[0]:
        raise Undefined("there is no cluster")


@measure(
    CLUSTERS,
    key="page_coverage",
    title="Page coverage",
    family="search-results",
    meaning="Share of the pages that are in a cluster.",
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
    meaning="How many labels there are to read.",
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
    meaning="How many pages there are to read in a cluster.",
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
    meaning="In how many clusters a clustered page is on average: 1 without overlap.",
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
    meaning="Length of the longest chain of ever smaller clusters inside each other: 1 where none contains another.",
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
    return float(depths(clusters).max() + 1)

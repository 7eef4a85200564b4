"""What the clusters look like, whatever they hold. Less to read is called better; none of these speaks of quality."""

from __future__ import annotations

import numpy as np

from qc4.clustering.case import Case
from qc4.clustering.containment import depths
from qc4.measures.registry import measure
from qc4.views.policies import Policies
from qc4.views.view import Kind, Level, Undefined, View

OURS = "QC4 Bench"
ANY_CLUSTERS: tuple[Kind, ...] = ("partition", "overlap", "hierarchy", "outliers")


def _itself(case: Case, level: Level, policies: Policies) -> Case:
    return case


CLUSTERS: View[Case] = View("the clusters alone", lambda gold: (None,), _itself)
"""Measures that do not look at the gold standard."""


def _some_clusters(case: Case) -> None:
    if not case.n_clusters:
        raise Undefined("there is no cluster")


@measure(
    CLUSTERS,
    key="page_coverage",
    title="Page coverage",
    family="search-results",
    meaning="Share of the pages that are in a cluster.",
    formula="|⋃_c D_c| / |D|",
    source=OURS,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def page_coverage(case: Case) -> float:
    return np.unique(case.clusters.indices).size / case.n_pages


@measure(
    CLUSTERS,
    key="cluster_count",
    title="Number of clusters",
    family="search-results",
    meaning="How many labels there are to read.",
    formula="|C|",
    source=OURS,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def cluster_count(case: Case) -> float:
    return float(case.n_clusters)


@measure(
    CLUSTERS,
    key="cluster_size",
    title="Mean size of clusters",
    family="search-results",
    meaning="How many pages there are to read in a cluster.",
    formula="mean_c |D_c|",
    source=OURS,
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def cluster_size(case: Case) -> float:
    _some_clusters(case)
    return int(case.sizes.sum()) / case.n_clusters


@measure(
    CLUSTERS,
    key="cluster_overlap",
    title="Overlap of clusters",
    family="search-results",
    meaning="In how many clusters a clustered page is on average: 1 without overlap.",
    formula="Σ_c |D_c| / |⋃_c D_c|",
    source=OURS,
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def cluster_overlap(case: Case) -> float:
    _some_clusters(case)
    return int(case.sizes.sum()) / np.unique(case.clusters.indices).size


@measure(
    CLUSTERS,
    key="cluster_depth",
    title="Depth of clusters",
    family="search-results",
    meaning="Length of the longest chain of ever smaller clusters inside each other: 1 where none contains another.",
    formula="max length of c₁ ⊃ c₂ ⊃ …",
    source=OURS,
    low=1.0,
    high=None,
    better="lower",
    gold_is_best=False,
    accepts=ANY_CLUSTERS,
    needs=(),
)
def cluster_depth(case: Case) -> float:
    _some_clusters(case)
    return float(depths(case.clusters).max() + 1)

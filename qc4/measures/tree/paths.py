"""Topics and clusters, or the edges between them, aligned one to one, and how far both trees then agree.

Every topic of every level may be aligned with every cluster of every depth, and every edge from a topic to one in it
with every edge from a cluster to one in it. There may be several best alignments; all of them agree equally well, which
is all that is measured.

Source: Kiritchenko, Matwin & Famili, Functional annotation of genes using hierarchical text categorization, 2005
(precision and recall over pages with all their ancestors); the alignments are QC4 Bench's.
"""

from __future__ import annotations

import math

import numpy as np

from qc4.arrays import FloatArray
from qc4.measures.registry import measure
from qc4.views.matching import matching
from qc4.views.remembered import remembered
from qc4.views.tree import TREES, Trees, cells
from qc4.views.undefined import Undefined
from qc4.views.view import ANY_CLUSTERS, Kind

ALIGNED = "M the one-to-one alignment of topics and clusters of all levels that shares most pages"
NESTED: tuple[Kind, ...] = ("overlap", "hierarchy", "outliers")


@remembered
def aligned_pages(trees: Trees) -> int:
    """Pages shared by aligned topics and clusters, counted once for each pair: as many as there can be."""
    shared = cells(trees)
    shape = (trees.topics.n_sets, trees.clusters.n_sets)
    chosen = matching(shared.topic, shared.cluster, shared.shared.astype(np.float64), shape)
    return int(shared.shared[chosen].sum())


@remembered
def edge_agreement(trees: Trees) -> float:
    """Sum over aligned edges of F of their parents times F of their children: as much as there can be."""
    shared, n_clusters = cells(trees), trees.clusters.n_sets
    sizes = trees.topics.sizes[shared.topic] + trees.clusters.sizes[shared.cluster]
    f: FloatArray = 2 * shared.shared / sizes
    topic, cluster = trees.topics.parent[shared.topic], trees.clusters.parent[shared.cluster]
    child = np.flatnonzero((topic >= 0) & (cluster >= 0))
    # Parents share the pages that their children do, so they have a cell.
    keys = shared.topic * n_clusters + shared.cluster
    parent = np.searchsorted(keys, topic[child] * n_clusters + cluster[child])
    agreement: FloatArray = f[parent] * f[child]
    shape = (trees.topics.n_sets, n_clusters)
    return math.fsum(agreement[matching(shared.topic[child], shared.cluster[child], agreement, shape)])


@measure(
    TREES,
    key="ancestor_p",
    title="Ancestor precision",
    family="tree",
    meaning="Share of the pairs of a page and a cluster on its path whose cluster is aligned with a topic of the page.",
    formula=f"Σ_((t,c) ∈ M) |t ∩ c| / Σ_c |c|, {ALIGNED}",
    source="kiritchenko2005",
    accepts=ANY_CLUSTERS,
)
def ancestor_p(trees: Trees) -> float:
    total = int(trees.clusters.sizes.sum())
    return aligned_pages(trees) / total if total else 0.0


@measure(
    TREES,
    key="ancestor_r",
    title="Ancestor recall",
    family="tree",
    meaning="Share of the pairs of a page and a topic on its path whose topic is aligned with a cluster of the page.",
    formula=f"Σ_((t,c) ∈ M) |t ∩ c| / Σ_t |t|, {ALIGNED}",
    source="kiritchenko2005",
    accepts=ANY_CLUSTERS,
)
def ancestor_r(trees: Trees) -> float:
    return aligned_pages(trees) / int(trees.topics.sizes.sum())


@measure(
    TREES,
    key="ancestor_f1",
    title="Ancestor F1",
    family="tree",
    meaning="Harmonic mean of ancestor precision and recall.",
    formula=f"2 Σ_((t,c) ∈ M) |t ∩ c| / (Σ_t |t| + Σ_c |c|), {ALIGNED}",
    source="kiritchenko2005",
    accepts=ANY_CLUSTERS,
    symmetric=True,
)
def ancestor_f1(trees: Trees) -> float:
    return 2 * aligned_pages(trees) / int(trees.topics.sizes.sum() + trees.clusters.sizes.sum())


@measure(
    TREES,
    key="edge_f1",
    title="Edge F1",
    family="tree",
    meaning="How far the edges from parents to children agree, each with the edge of the other tree aligned with it.",
    formula="2 Σ_((s,t,b,c) ∈ M) F(s,b) F(t,c) / (|E_T| + |E_C|), E_T the edges from a topic s to a topic t in it, "
    "E_C those from a cluster b to a cluster c in it, M the one-to-one alignment of edges with the largest sum",
    source="qc4bench",
    accepts=NESTED,
    degenerate="Undefined where no topic lies in another one: there is no edge to find. 0 where no cluster does.",
)
def edge_f1(trees: Trees) -> float:
    edges = trees.topics.n_edges
    if not edges:
        raise Undefined("no topic lies in another one, so there is no edge to find")
    return min(1.0, 2 * edge_agreement(trees) / (edges + trees.clusters.n_edges))

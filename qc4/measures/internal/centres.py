"""Measures of points and the centres of their clusters; time grows with points x dimensions."""

from __future__ import annotations

import numpy as np

from qc4.measures.internal.distances import distances_within
from qc4.measures.internal.scikit_learn import require_scikit_learn
from qc4.measures.registry import measure
from qc4.problems.bounds import CENTRES, MASKED_PAGES
from qc4.views.points import VECTORS, ClusteredPoints
from qc4.views.undefined import Undefined, refuse_too_much

ROUNDING = 1e-8
"""Centres nearer than this share of the largest coordinate are one place: means carry rounding errors, and scikit-learn
answers 0, the best value, where all centres are that near."""


@measure(
    VECTORS,
    key="ssq",
    title="Sum of squares",
    family="internal",
    meaning="Sum of squared distances of the pages from the centre of their cluster; what K-means minimises.",
    formula="Σᵢ Σ_{x ∈ Cᵢ} ‖x − μᵢ‖²",
    source="han2006, 7.4 (square-error criterion)",
    high=None,
    better="lower",
    needs=("vectors",),
)
def ssq(clustered: ClusteredPoints) -> float:
    return float(clustered.scatter.sum())


@measure(
    VECTORS,
    key="calinski_harabasz",
    title="Caliński–Harabasz",
    family="internal",
    meaning="Spread of the cluster centres over the spread of the pages in clusters, each per degree of freedom.",
    formula="(Σᵢ nᵢ ‖μᵢ − μ‖² / (k − 1)) / (Σᵢ Σ_{x ∈ Cᵢ} ‖x − μᵢ‖² / (n − k))",
    source="calinski1974",
    high=None,
    needs=("vectors",),
)
def calinski_harabasz(clustered: ClusteredPoints) -> float:
    clustered.require_clusters()
    if not clustered.scatter.any():
        raise Undefined("all pages of each cluster are at one place, so the spread inside clusters is 0")
    _refuse_many_clusters(clustered)
    require_scikit_learn()
    from sklearn.metrics import calinski_harabasz_score  # a second to load, so only when it is needed

    return float(calinski_harabasz_score(clustered.points - clustered.mean, clustered.labels))


@measure(
    VECTORS,
    key="davies_bouldin",
    title="Davies–Bouldin",
    family="internal",
    meaning="How alike each cluster is to the cluster most like it: their mean radii over the distance of the centres.",
    formula="(1/k) Σᵢ max_{j ≠ i} (sᵢ + sⱼ) / ‖μᵢ − μⱼ‖, sᵢ = (1/nᵢ) Σ_{x ∈ Cᵢ} ‖x − μᵢ‖",
    source="davies1979 (q = 1, p = 2)",
    high=None,
    better="lower",
    needs=("vectors",),
)
def davies_bouldin(clustered: ClusteredPoints) -> float:
    clustered.require_clusters()
    refuse_too_much(CENTRES, clustered.k, "vectors")
    centred = clustered.points - clustered.mean
    size = float(np.abs(centred).max())
    if distances_within(clustered.centres - clustered.mean).min() <= ROUNDING * size:
        raise Undefined("two clusters have the same centre, so the distance between their centres is 0")
    _refuse_many_clusters(clustered)
    require_scikit_learn()
    from sklearn.metrics import davies_bouldin_score

    # The index does not depend on the unit, but scikit-learn takes lengths below 1e-8 for 0.
    return float(davies_bouldin_score(centred / size, clustered.labels))


@measure(
    VECTORS,
    key="stdi",
    title="STDI",
    family="internal",
    meaning="Variance of the cluster centres around the mean of all pages, over the sum of the clusters' variances.",
    formula="(1/K) Σₖ ‖cₖ − x̄‖² / Σₖ (1/nₖ) Σ_{x ∈ Cₖ} ‖x − cₖ‖², x̄ the mean of all pages",
    source="xie2017, eq. 9",
    high=None,
    needs=("vectors",),
)
def stdi(clustered: ClusteredPoints) -> float:
    tightness = float((clustered.scatter / clustered.sizes).sum())
    if not tightness:
        raise Undefined("all pages of each cluster are at one place, so the sum of the clusters' variances is 0")
    offsets = clustered.centres - clustered.mean
    return float(np.einsum("ij,ij->", offsets, offsets)) / clustered.k / tightness


def _refuse_many_clusters(clustered: ClusteredPoints) -> None:
    given = f"{clustered.n:,} pages, {clustered.k:,} clusters"
    refuse_too_much(MASKED_PAGES, clustered.n * clustered.k, "vectors", given)

"""Measures of points and the centres of their clusters, in time proportional to points x dimensions."""

from __future__ import annotations

import numpy as np

from qc4.inputs.points import VECTORS, ClusteredPoints
from qc4.inputs.undefined import Undefined, check_bound
from qc4.measures.internal.distances import distances_within
from qc4.measures.registry import measure
from qc4.model.bounds import CENTRES, DISTANCES, MASKED_PAGES
from qc4.problems import missing_package

# --- Measures computed by scikit-learn, which are undefined if it is not installed ---


def require_scikit_learn() -> None:
    """Raise Undefined, with what to install, if scikit-learn is missing."""
    if reason := missing_package("scikit-learn"):
        raise Undefined(reason)


ROUNDING = 1e-8
"""Centres closer than this fraction of the largest coordinate are treated as equal, because means have rounding errors
and scikit-learn returns 0, the best value, if all centres are that close."""


@measure(
    VECTORS,
    key="ssq",
    title="Sum of squares",
    family="internal",
    meaning="Sum of squared distances of the pages from the centre of their cluster; minimised by K-means.",
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
    meaning="Spread of the cluster centres divided by the spread of pages within clusters, each per degree of freedom.",
    formula="(Σᵢ nᵢ ‖μᵢ − μ‖² / (k − 1)) / (Σᵢ Σ_{x ∈ Cᵢ} ‖x − μᵢ‖² / (n − k))",
    source="calinski1974",
    high=None,
    needs=("vectors",),
)
def calinski_harabasz(clustered: ClusteredPoints) -> float:
    clustered.require_clusters()
    if not clustered.scatter.any():
        raise Undefined("all pages of each cluster have the same vector, so the spread inside clusters is 0")
    _refuse_many_clusters(clustered)
    require_scikit_learn()
    from sklearn.metrics import calinski_harabasz_score  # imported here because it takes a second to load

    return float(calinski_harabasz_score(clustered.points - clustered.mean, clustered.labels))


@measure(
    VECTORS,
    key="davies_bouldin",
    title="Davies–Bouldin",
    family="internal",
    meaning="Mean similarity of each cluster to its most similar one: their mean radii over the distance of centres.",
    formula="(1/k) Σᵢ max_{j ≠ i} (sᵢ + sⱼ) / ‖μᵢ − μⱼ‖, sᵢ = (1/nᵢ) Σ_{x ∈ Cᵢ} ‖x − μᵢ‖",
    source="davies1979 (q = 1, p = 2)",
    high=None,
    better="lower",
    needs=("vectors",),
)
def davies_bouldin(clustered: ClusteredPoints) -> float:
    clustered.require_clusters()
    check_bound(CENTRES, clustered.k, "vectors")
    centred = clustered.points - clustered.mean
    size = float(np.abs(centred).max())
    if distances_within(clustered.centres - clustered.mean).min() <= ROUNDING * size:
        raise Undefined("two clusters have the same centre, so the distance between their centres is 0")
    _refuse_many_clusters(clustered)
    require_scikit_learn()
    from sklearn.metrics import davies_bouldin_score

    # The index does not depend on the unit, but scikit-learn treats lengths below 1e-8 as 0.
    return float(davies_bouldin_score(centred / size, clustered.labels))


@measure(
    VECTORS,
    key="stdi",
    title="STDI",
    family="internal",
    meaning="Variance of the cluster centres around the mean of all pages, over the sum of cluster variances.",
    formula="(1/K) Σₖ ‖cₖ − x̄‖² / Σₖ (1/nₖ) Σ_{x ∈ Cₖ} ‖x − cₖ‖², x̄ the mean of all pages",
    source="xie2017, eq. 9",
    high=None,
    needs=("vectors",),
)
def stdi(clustered: ClusteredPoints) -> float:
    tightness = float((clustered.scatter / clustered.sizes).sum())
    if not tightness:
        raise Undefined("all pages of each cluster have the same vector, so the sum of the clusters' variances is 0")
    offsets = clustered.centres - clustered.mean
    return float(np.einsum("ij,ij->", offsets, offsets)) / clustered.k / tightness


def _refuse_many_clusters(clustered: ClusteredPoints) -> None:
    given = f"{clustered.n:,} pages, {clustered.k:,} clusters"
    check_bound(MASKED_PAGES, clustered.n * clustered.k, "vectors", given)


# --- The silhouette coefficient, computed by scikit-learn in chunks ---

WORKING_MEBIBYTES = 64


@measure(
    VECTORS,
    key="silhouette",
    title="Silhouette",
    family="internal",
    meaning="Mean, over pages, of how much closer their own cluster is than the next one; singletons count 0.",
    formula="(1/n) Σₓ (b(x) − a(x)) / max(a(x), b(x)), "
    "a the mean distance to x's own cluster, b to the nearest other cluster",
    source="rousseeuw1987",
    low=-1.0,
    needs=("vectors",),
)
def silhouette(clustered: ClusteredPoints) -> float:
    clustered.require_clusters()
    check_bound(DISTANCES, clustered.n, "vectors")
    require_scikit_learn()
    import sklearn  # imported here because it takes a second to load
    from sklearn.metrics import silhouette_score

    # Centred, because scikit-learn computes distances from products, which lose digits far from the origin.
    with sklearn.config_context(working_memory=WORKING_MEBIBYTES):
        return float(silhouette_score(clustered.points - clustered.mean, clustered.labels))

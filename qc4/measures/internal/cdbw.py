"""CDbw: density within and between clusters, measured at several representatives of each cluster.

A cluster has at most 10 representatives: the page farthest from the centre, then repeatedly the page farthest from
those already chosen. Ties go to the smallest coordinates, so that page order does not matter. σᵢ is the root mean
squared distance of cluster i's pages from its centre, σ the mean of all σᵢ.
"""

from __future__ import annotations

import numpy as np

from qc4.arrays import FloatArray
from qc4.inputs.points import VECTORS, ClusteredPoints
from qc4.inputs.undefined import Undefined, check_bound
from qc4.measures.internal.distances import distances
from qc4.measures.registry import measure
from qc4.model.bounds import CDBW_CLUSTERS, CDBW_PAGES

REPRESENTATIVES = 10
ROUNDING = 1e-9
"""The tolerance that keeps a page on the border of a neighbourhood inside it whatever the order of summation."""
SHRINKING = tuple(step / 10 for step in range(1, 9))
"""The fractions by which representatives are moved towards the centre of their cluster."""


@measure(
    VECTORS,
    key="cdbw",
    title="CDbw",
    family="internal",
    meaning="Product of cohesion, compactness and separation of clusters, from the density at several "
    "representatives of each cluster and half-way between neighbouring clusters.",
    formula="Cohesion · Compactness · Sep; "
    "Compactness = mean over s of Intra(s), Intra(s) = (1/kσ) Σᵢ mean_v |{x ∈ Cᵢ: ‖x − vˢ‖ ≤ σ}| / nᵢ; "
    "Cohesion = Compactness / (1 + mean |Intra(sₜ₊₁) − Intra(sₜ)|); "
    "Sep = meanᵢ minⱼ Dist(i, j) / (1 + meanᵢ maxⱼ Dens(i, j))",
    source="halkidi2008",
    high=None,
    needs=("vectors",),
)
def cdbw(clustered: ClusteredPoints) -> float:
    clustered.require_clusters()
    check_bound(CDBW_CLUSTERS, clustered.k, "vectors")
    given = f"{clustered.n:,} pages, {clustered.k:,} clusters"
    check_bound(CDBW_PAGES, clustered.n * clustered.k, "vectors", given)
    radii = np.sqrt(clustered.scatter / clustered.sizes)
    if not radii.any():
        raise Undefined("all pages of each cluster have the same vector, so no density can be computed")
    representatives = [_representatives(clustered.cluster(number)) for number in range(clustered.k)]
    density = np.array(
        [_density_inside(clustered, representatives, shrink, float(radii.mean())) for shrink in SHRINKING]
    )
    compactness = float(density.mean())
    cohesion = compactness / (1 + float(np.abs(np.diff(density)).mean()))
    return cohesion * compactness * _separation(clustered, representatives, radii)


def _representatives(cluster: FloatArray) -> FloatArray:
    """Return (at most `REPRESENTATIVES`, dimensions) points of the cluster, the farthest first."""
    points = cluster[np.lexsort(cluster.T[::-1])]
    distance = distances(points, points.mean(axis=0, keepdims=True))[:, 0]
    chosen = [int(distance.argmax())]
    distance = distances(points, points[chosen])[:, 0]
    while len(chosen) < REPRESENTATIVES and distance.max() > 0:
        chosen.append(int(distance.argmax()))
        distance = np.minimum(distance, distances(points, points[chosen[-1:]])[:, 0])
    return points[chosen]


def _density_inside(
    clustered: ClusteredPoints, representatives: list[FloatArray], shrink: float, radius: float
) -> float:
    """Return Intra(s): the fraction of a cluster's pages near its moved representatives, per unit of length."""
    total = 0.0
    for cluster, chosen in enumerate(representatives):
        moved = chosen + shrink * (clustered.centres[cluster] - chosen)
        total += float((distances(moved, clustered.cluster(cluster)) <= radius * (1 + ROUNDING)).mean())
    return total / (clustered.k * radius)


def _separation(clustered: ClusteredPoints, representatives: list[FloatArray], radii: FloatArray) -> float:
    distance = np.full((clustered.k, clustered.k), np.inf)
    density = np.zeros((clustered.k, clustered.k))
    for one in range(clustered.k):
        for other in range(one):
            distance[one, other], density[one, other] = _between(clustered, representatives, radii, one, other)
    distance, density = np.minimum(distance, distance.T), np.maximum(density, density.T)
    return float(distance.min(axis=1).mean()) / (1 + float(density.max(axis=1).mean()))


def _between(
    clustered: ClusteredPoints, representatives: list[FloatArray], radii: FloatArray, one: int, other: int
) -> tuple[float, float]:
    """Return Dist and Dens of two clusters, over the pairs of representatives that are each other's nearest:
    the mean length, and the mean of length / 2σ times the fraction of both clusters' pages within σ of the midpoint."""
    between = distances(representatives[one], representatives[other])
    mutual = (between == between.min(axis=0)) & (between == between.min(axis=1, keepdims=True))
    left, right = np.nonzero(mutual)
    lengths = between[mutual]
    radius = float(radii[one] + radii[other]) / 2
    if not radius:
        return float(lengths.mean()), 0.0
    middles = (representatives[one][left] + representatives[other][right]) / 2
    near = sum(
        (distances(middles, clustered.cluster(side)) < radius * (1 - ROUNDING)).sum(axis=1) for side in (one, other)
    )
    share = near / (clustered.sizes[one] + clustered.sizes[other])
    return float(lengths.mean()), float((lengths / (2 * radius) * share).mean())

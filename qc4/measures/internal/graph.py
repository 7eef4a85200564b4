"""Measures of the complete graph whose edges are weighted by distance, after Zaki & Meira.

W(S, R) is the sum of distances from the pages of S to the pages of R. Weights are distances, not similarities: good
clusters have light edges inside, so a large normalized cut is good and a large modularity is bad.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray
from qc4.inputs.points import VECTORS, ClusteredPoints
from qc4.inputs.undefined import Undefined, check_bound
from qc4.inputs.view import cached
from qc4.measures.internal.distances import number_of_pairs, pair_blocks
from qc4.measures.registry import measure
from qc4.model.bounds import DISTANCES

ONE_PLACE = "all pages have the same vector, so every distance is 0"


@dataclass(frozen=True, slots=True)
class PairSums:
    """Statistics from one pass over all pairs of points.

    Attributes:
        inside: (clusters,) the sum of distances of the pairs inside each cluster.
        cut: (clusters,) the sum of distances from each cluster to all other pages.
        pairs_within, pairs_between: the numbers of pairs inside and between clusters.
        farthest_within: the longest distance inside a cluster (-inf if there is no such pair).
        nearest_between: the shortest distance between two clusters (inf if there is no such pair).
        shortest, longest: the extremes of all distances.
        squares: the sum of squared deviations of all distances from their mean.
    """

    inside: FloatArray
    cut: FloatArray
    pairs_within: int
    pairs_between: int
    farthest_within: float
    nearest_between: float
    shortest: float
    longest: float
    squares: float

    @property
    def volumes(self) -> FloatArray:
        """(clusters,) W(Cᵢ, V)."""
        return 2 * self.inside + self.cut

    def require_both(self) -> None:
        """Raise Undefined unless there are pairs inside clusters and pairs between them."""
        if not self.pairs_between:
            raise Undefined("all pages are in one cluster, so no pair is between clusters")
        if not self.pairs_within:
            raise Undefined("every page is alone in its cluster, so no pair is inside a cluster")


@cached
def pair_sums(clustered: ClusteredPoints) -> PairSums:
    """Compute the statistics in one pass over all pairs.

    Raises:
        Undefined: fewer than 2 points, or more pages than `DISTANCES`.
    """
    if clustered.n < 2:
        raise Undefined("a single page has no distances")
    check_bound(DISTANCES, clustered.n, "vectors")
    inside, cut = np.zeros(clustered.n), np.zeros(clustered.n)  # per point; each pair inside a cluster once
    farthest, nearest, shortest, longest = -math.inf, math.inf, math.inf, -math.inf
    spread = _Spread()
    for block in pair_blocks(clustered):
        rows = slice(block.start, block.start + block.distance.shape[0])
        inside[rows] += np.where(block.within, block.distance, 0.0).sum(axis=1)
        across = np.where(block.between, block.distance, 0.0)
        cut[rows] += across.sum(axis=1)
        cut[block.start :] += across.sum(axis=0)
        farthest = max(farthest, float(block.distance.max(where=block.within, initial=-math.inf)))
        nearest = min(nearest, float(block.distance.min(where=block.between, initial=math.inf)))
        distances = block.distance[block.within | block.between]
        shortest, longest = min(shortest, float(distances.min())), max(longest, float(distances.max()))
        spread.add(distances)
    pairs_within = sum(map(number_of_pairs, clustered.sizes.tolist()))
    return PairSums(
        inside=np.add.reduceat(inside, clustered.starts),
        cut=np.add.reduceat(cut, clustered.starts),
        pairs_within=pairs_within,
        pairs_between=number_of_pairs(clustered.n) - pairs_within,
        farthest_within=farthest,
        nearest_between=nearest,
        shortest=shortest,
        longest=longest,
        squares=spread.squares,
    )


class _Spread:
    """Sum of squared deviations from the mean, updated block by block, without the cancellation of E[d²] − E[d]²."""

    def __init__(self) -> None:
        self.count = 0
        self.mean = 0.0
        self.squares = 0.0

    def add(self, values: FloatArray) -> None:
        mean = float(values.mean())
        step, total = mean - self.mean, self.count + values.size
        self.squares += float(np.square(values - mean).sum()) + step * step * self.count * values.size / total
        self.mean += step * values.size / total
        self.count = total


@measure(
    VECTORS,
    key="dunn",
    title="Dunn",
    family="internal",
    meaning="Shortest distance between pages of two clusters, divided by the longest distance inside a cluster.",
    formula="min_{i ≠ j} min_{x ∈ Cᵢ, y ∈ Cⱼ} ‖x − y‖ / maxᵢ max_{x, y ∈ Cᵢ} ‖x − y‖",
    source="dunn1974",
    high=None,
    needs=("vectors",),
)
def dunn(clustered: ClusteredPoints) -> float:
    sums = pair_sums(clustered)
    sums.require_both()
    if not sums.farthest_within:
        raise Undefined("all pages of each cluster have the same vector, so the longest distance inside a cluster is 0")
    return sums.nearest_between / sums.farthest_within


@measure(
    VECTORS,
    key="beta_cv",
    title="BetaCV",
    family="internal",
    meaning="Mean distance of page pairs inside clusters divided by the mean distance of pairs between clusters.",
    formula="(W_in / N_in) / (W_out / N_out), sums and numbers of the pairs inside and between clusters",
    source="zaki2020, 17.2",
    high=None,
    better="lower",
    needs=("vectors",),
)
def beta_cv(clustered: ClusteredPoints) -> float:
    sums = pair_sums(clustered)
    sums.require_both()
    between = float(sums.cut.sum()) / 2
    if not between:
        raise Undefined(ONE_PLACE if not sums.longest else "all distances between clusters are 0")
    return (float(sums.inside.sum()) / sums.pairs_within) / (between / sums.pairs_between)


@measure(
    VECTORS,
    key="normalized_cut",
    title="Normalized cut",
    family="internal",
    meaning="Sum, over clusters, of the fraction of their distances that go outside; at most the number of clusters.",
    formula="Σᵢ W(Cᵢ, V ∖ Cᵢ) / W(Cᵢ, V), W sums of distances",
    source="zaki2020, 17.2",
    high=None,
    needs=("vectors",),
)
def normalized_cut(clustered: ClusteredPoints) -> float:
    sums = pair_sums(clustered)
    if not sums.longest:
        raise Undefined(ONE_PLACE)
    return float((sums.cut / sums.volumes).sum())


@measure(
    VECTORS,
    key="modularity",
    title="Modularity",
    family="internal",
    meaning="Fraction of the distances that is inside clusters, minus its expected value by chance; lower is better.",
    formula="Σᵢ (W(Cᵢ, Cᵢ) / W(V, V) − (W(Cᵢ, V) / W(V, V))²), W sums of distances",
    source="zaki2020, 17.2",
    low=-1.0,
    better="lower",
    needs=("vectors",),
)
def modularity(clustered: ClusteredPoints) -> float:
    sums = pair_sums(clustered)
    if not sums.longest:
        raise Undefined(ONE_PLACE)
    total = float(sums.volumes.sum())
    return float((2 * sums.inside / total - np.square(sums.volumes / total)).sum())

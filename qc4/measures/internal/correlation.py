"""Measures that relate the distances of all pairs of pages to whether the pairs share a cluster.

Notation: N_in and N_out are the numbers of pairs inside and between clusters, N their sum. Every pair inside is
compared with every pair between: s⁺ counts comparisons in which the pair inside is strictly closer, s⁻ those in which
it is strictly farther apart.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from qc4.arrays import FloatArray
from qc4.inputs.points import VECTORS, ClusteredPoints
from qc4.inputs.undefined import Undefined, check_bound
from qc4.inputs.view import cached
from qc4.measures.internal.distances import BLOCK, number_of_pairs, pair_blocks
from qc4.measures.internal.graph import pair_sums
from qc4.measures.registry import measure
from qc4.model.bounds import RANKED_DISTANCES

EQUALLY_FAR = "all pages have the same distance from each other"


@dataclass(frozen=True, slots=True)
class RankCounts:
    """Statistics of the sorted distances.

    Attributes:
        pairs_within, pairs_between: N_in and N_out.
        concordant, discordant: s⁺ and s⁻, exact.
        above_least: the sum of distances inside clusters minus the sum of the N_in smallest distances.
        below_most: the sum of the N_in largest distances minus the sum of distances inside clusters.
    """

    pairs_within: int
    pairs_between: int
    concordant: int
    discordant: int
    above_least: float
    below_most: float


@cached
def rank_counts(clustered: ClusteredPoints) -> RankCounts:
    """Return the statistics of all sorted distances.

    Raises:
        Undefined: no pair inside a cluster, none between clusters, or more pages than `RANKED_DISTANCES`.
    """
    clustered.require_clusters()
    check_bound(RANKED_DISTANCES, clustered.n, "vectors")
    return _count(*_sorted_distances(clustered))


def _sorted_distances(clustered: ClusteredPoints) -> tuple[FloatArray, FloatArray]:
    """Return the distances inside and between clusters, each in ascending order, as two parts of one array."""
    n_within = sum(map(number_of_pairs, clustered.sizes.tolist()))
    stored = np.empty(number_of_pairs(clustered.n))
    within, between = stored[:n_within], stored[n_within:]
    filled_within = filled_between = 0
    for block in pair_blocks(clustered):
        for part, filled, mask in ((within, filled_within, block.within), (between, filled_between, block.between)):
            found = block.distance[mask]
            part[filled : filled + found.size] = found
        filled_within += int(block.within.sum())
        filled_between += int(block.between.sum())
    within.sort()
    between.sort()
    return within, between


def _count(within: FloatArray, between: FloatArray) -> RankCounts:
    few, many = sorted((within, between), key=len)
    nearer = farther = 0  # comparisons in which the distance in `few` is smaller, or larger
    for values in _blocks(few):
        farther += int(np.searchsorted(many, values, "left").sum())
        nearer += values.size * many.size - int(np.searchsorted(many, values, "right").sum())
    concordant, discordant = (nearer, farther) if few is within else (farther, nearer)
    # If t is the N_in-th smallest distance, the sum inside clusters minus the N_in smallest distances is Σ_in max(d −
    # t, 0) + Σ_out max(t − d, 0). It has no cancellation and is exactly 0 for the best clustering.
    least = _kth_smallest(within, between, within.size)
    most = _kth_smallest(within, between, between.size + 1)
    return RankCounts(
        pairs_within=within.size,
        pairs_between=between.size,
        concordant=concordant,
        discordant=discordant,
        above_least=_excess(within, least) + _shortfall(between, least),
        below_most=_shortfall(within, most) + _excess(between, most),
    )


def _kth_smallest(one: FloatArray, other: FloatArray, k: int) -> float:
    """Return the k-th smallest value (k from 1) of two sorted arrays together."""
    low, high = max(0, k - other.size), min(k, one.size)
    while low < high:
        taken = (low + high) // 2
        if one[taken] < other[k - taken - 1]:
            low = taken + 1
        else:
            high = taken
    candidates = [array[count - 1] for array, count in ((one, low), (other, k - low)) if count]
    return float(max(candidates))


def _excess(values: FloatArray, threshold: float) -> float:
    """Return Σ max(value − threshold, 0) of sorted values."""
    above = values[np.searchsorted(values, threshold, "right") :]
    return math.fsum(float((block - threshold).sum()) for block in _blocks(above))


def _shortfall(values: FloatArray, threshold: float) -> float:
    """Return Σ max(threshold − value, 0) of sorted values."""
    below = values[: np.searchsorted(values, threshold, "left")]
    return math.fsum(float((threshold - block).sum()) for block in _blocks(below))


def _blocks(values: FloatArray) -> Iterator[FloatArray]:
    for start in range(0, values.size, BLOCK):
        yield values[start : start + BLOCK]


@measure(
    VECTORS,
    key="c_index",
    title="C index",
    family="internal",
    meaning="Position of the sum of distances inside clusters between its smallest and largest possible values.",
    formula="(W_in − W_min) / (W_max − W_min), W_min and W_max the sums of the N_in smallest and largest distances",
    source="hubert1976",
    better="lower",
    needs=("vectors",),
)
def c_index(clustered: ClusteredPoints) -> float:
    counts = rank_counts(clustered)
    span = counts.above_least + counts.below_most
    if not span:
        raise Undefined(EQUALLY_FAR)
    return counts.above_least / span


@measure(
    VECTORS,
    key="baker_hubert_gamma",
    title="Gamma",
    family="internal",
    meaning="Page pairs inside clusters compared with pairs between: fraction closer minus fraction farther.",
    formula="(s⁺ − s⁻) / (s⁺ + s⁻)",
    source="baker1975",
    low=-1.0,
    needs=("vectors",),
)
def baker_hubert_gamma(clustered: ClusteredPoints) -> float:
    counts = rank_counts(clustered)
    decided = counts.concordant + counts.discordant
    if not decided:
        raise Undefined(EQUALLY_FAR)
    return (counts.concordant - counts.discordant) / decided


@measure(
    VECTORS,
    key="tau",
    title="Tau",
    family="internal",
    meaning="Rank correlation of distance and being in two clusters; Kendall's τ_b if all distances differ.",
    formula="(s⁺ − s⁻) / √(N_in · N_out · N(N − 1)/2)",
    source="rohlf1974; milligan1981",
    low=-1.0,
    needs=("vectors",),
)
def tau(clustered: ClusteredPoints) -> float:
    counts = rank_counts(clustered)
    comparisons = number_of_pairs(counts.pairs_within + counts.pairs_between)
    scale = math.sqrt(counts.pairs_within * counts.pairs_between * comparisons)
    return (counts.concordant - counts.discordant) / scale


@measure(
    VECTORS,
    key="point_biserial",
    title="Point-biserial",
    family="internal",
    meaning="Correlation of a pair's distance with being in two clusters.",
    formula="(d̄_out − d̄_in) √(N_in N_out) / (N s_d), s_d the standard deviation of all N distances",
    source="milligan1981",
    low=-1.0,
    needs=("vectors",),
)
def point_biserial(clustered: ClusteredPoints) -> float:
    sums = pair_sums(clustered)
    sums.require_both()
    if sums.shortest == sums.longest:
        raise Undefined(EQUALLY_FAR)
    inside = float(sums.inside.sum()) / sums.pairs_within
    between = float(sums.cut.sum()) / 2 / sums.pairs_between
    pairs = sums.pairs_within + sums.pairs_between
    correlation = (between - inside) * math.sqrt(sums.pairs_within * sums.pairs_between / (pairs * sums.squares))
    return max(-1.0, min(1.0, correlation))  # rounding may push a perfect correlation above 1

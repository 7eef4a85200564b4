"""Measures for static data, computed on the same points for comparison with CMM.

They need every point in one cluster. A point in several clusters is assigned to the one it is deepest in (distance from
the centre divided by radius; ties go to the first). Points in no cluster form one more cluster, and noise one more
class.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from qc4.arrays import FloatArray, IntArray
from qc4.inputs.partition import Contingency
from qc4.inputs.points import ClusteredPoints
from qc4.inputs.undefined import Undefined
from qc4.measures.registry import REGISTRY
from qc4.streams.faults import FoundCluster

EXTERNAL = ("ari", "purity", "f_zaki", "v_measure", "van_dongen", "vi")
"""Measures of two partitions, by their keys in the catalogue."""
INTERNAL = ("silhouette", "c_index", "ssq")
"""Measures of points and clusters."""
SAMPLE = 500
"""Measures of all pairs of points use at most this number of points, so that they are fast enough for a stream."""


def one_cluster_each(points: FloatArray, clusters: Sequence[FoundCluster]) -> IntArray:
    """Return (points,) the one cluster that each point is assigned to, -1 for none."""
    deepest = np.full(len(points), np.inf)
    chosen = np.full(len(points), -1)
    for number, cluster in enumerate(clusters):
        if cluster.ball is None:
            continue
        distance = cluster.ball.distances(points[cluster.indices])
        depth = distance / cluster.ball.radius if cluster.ball.radius else np.zeros_like(distance)
        deeper = depth < deepest[cluster.indices]
        chosen[cluster.indices[deeper]] = number
        deepest[cluster.indices[deeper]] = depth[deeper]
    return chosen


def external_values(classes: IntArray, chosen: IntArray) -> dict[str, float]:
    """Return `EXTERNAL` by key, transformed so that 1 is best: 1 - van Dongen, 1 - VI / ln n."""
    table = Contingency.from_labels(classes, chosen)
    values = {key: float(REGISTRY.get(key).function(table)) for key in EXTERNAL}
    values["van_dongen"] = _rescaled_distance(values["van_dongen"])
    values["vi"] = 1 - values["vi"] / math.log(table.n) if table.n > 1 else 1.0
    return values


def internal_values(
    points: FloatArray, clusters: Sequence[FoundCluster], chosen: IntArray, seed: int = 0
) -> tuple[dict[str, float], dict[str, str]]:
    """Return the value of each measure of `INTERNAL`, or the reason why it has none.

    Silhouette (as (1 + s) / 2) and C index (as 1 - C) are transformed so that 1 is best, and use the points in
    clusters. SSQ is defined as in stream clustering: it uses every point, including unclustered ones, and its nearest
    cluster centre.
    """
    values: dict[str, float] = {}
    reasons: dict[str, str] = {}
    balls = [cluster.ball for cluster in clusters if cluster.ball is not None]
    if balls:
        nearest = np.min([ball.distances(points) for ball in balls], axis=0)
        values["ssq"] = float(np.square(nearest).sum())
    else:
        reasons["ssq"] = "there is no cluster"
    held = np.flatnonzero(chosen >= 0)
    if held.size > SAMPLE:
        held = np.random.default_rng(seed).choice(held, SAMPLE, replace=False)
    sample = ClusteredPoints.from_labels(points[held], chosen[held]) if held.size else None
    for key, turned in (("silhouette", _rescaled_silhouette), ("c_index", _rescaled_distance)):
        try:
            if sample is None:
                raise Undefined("no point is in a cluster")
            values[key] = turned(float(REGISTRY.get(key).function(sample)))
        except Undefined as reason:
            reasons[key] = str(reason)
    return values, reasons


def _rescaled_silhouette(silhouette: float) -> float:
    return (1 + silhouette) / 2


def _rescaled_distance(distance: float) -> float:
    return 1 - distance

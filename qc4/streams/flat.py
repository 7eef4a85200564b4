"""Measures for static data on the same points, to be drawn beside CMM.

They need every point in one cluster. A point in several counts for the one it lies deepest in (distance from the centre
over radius; the first of equal ones); points in none are one more cluster, as noise is one more class.
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
"""Measures of all pairs of points look at this many at most, so that they keep pace with the stream."""


def one_cluster_each(points: FloatArray, clusters: Sequence[FoundCluster]) -> IntArray:
    """(points,) the one cluster each point counts for, -1 for none."""
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
    """`EXTERNAL` by key, each turned so that 1 is best: 1 - van Dongen, 1 - VI / ln n."""
    table = Contingency.from_labels(classes, chosen)
    values = {key: float(REGISTRY.get(key).function(table)) for key in EXTERNAL}
    values["van_dongen"] = _reversed(values["van_dongen"])
    values["vi"] = 1 - values["vi"] / math.log(table.n) if table.n > 1 else 1.0
    return values


def internal_values(
    points: FloatArray, clusters: Sequence[FoundCluster], chosen: IntArray, seed: int = 0
) -> tuple[dict[str, float], dict[str, str]]:
    """Return the value of each measure of `INTERNAL`, or why it has none.

    Silhouette (as (1 + s) / 2) and C index (as 1 - C) are turned so that 1 is best and look at the points in clusters.
    SSQ is read as stream clustering does: every point, also one in no cluster, against the nearest cluster centre.
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
    for key, turned in (("silhouette", _upwards), ("c_index", _reversed)):
        try:
            if sample is None:
                raise Undefined("no point is in a cluster")
            values[key] = turned(float(REGISTRY.get(key).function(sample)))
        except Undefined as reason:
            reasons[key] = str(reason)
    return values, reasons


def _upwards(silhouette: float) -> float:
    return (1 + silhouette) / 2


def _reversed(distance: float) -> float:
    return 1 - distance

"""Time and memory of internal measures, compared with computing all distances, and with sorting them."""

from __future__ import annotations

import tracemalloc
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.spatial.distance import pdist
from sklearn.metrics import silhouette_score

from bench.qc4 import interleaved
from qc4.arrays import FloatArray, IntArray
from qc4.inputs.points import ClusteredPoints
from qc4.measures.registry import REGISTRY

PAGES = 4_000
DIMENSIONS = 50
CLUSTERS = 20
FROM_SUMS = ("dunn", "beta_cv", "normalized_cut", "modularity", "point_biserial")
FROM_RANKS = ("c_index", "baker_hubert_gamma", "tau")


def run() -> list[dict[str, Any]]:
    """Return rows of seconds against a floor from the same run, then rows of bytes against the distance matrix."""
    points, labels = data()

    def ours(*keys: str) -> Callable[[], None]:
        def compute() -> None:
            clustered = ClusteredPoints.from_labels(
                points, labels
            )  # new each time, so that nothing is cached between runs
            for key in keys:
                REGISTRY.get(key).function(clustered)

        return compute

    sums, ranks, silhouette = ours(*FROM_SUMS), ours(*FROM_RANKS), ours("silhouette")
    return [
        _time(
            f"{len(FROM_SUMS)} measures from sums of distances", "scipy pdist alone", sums, lambda: pdist(points), 3.0
        ),
        _time(
            f"{len(FROM_RANKS)} measures from ranks of distances",
            "scipy pdist and np.sort",
            ranks,
            lambda: np.sort(pdist(points)),
            1.5,
        ),
        _time("silhouette", "scikit-learn in one chunk", silhouette, lambda: silhouette_score(points, labels), 2.0),
        _memory("measures from sums of distances", sums, 0.5),
        _memory("measures from ranks of distances", ranks, 1.0),
        _memory("silhouette", silhouette, 1.0),
    ]


def data() -> tuple[FloatArray, IntArray]:
    """Return points around random centres, and their labels."""
    random = np.random.default_rng(2007)
    labels = random.integers(0, CLUSTERS, PAGES)
    return random.normal(size=(CLUSTERS, DIMENSIONS))[labels] + random.normal(size=(PAGES, DIMENSIONS)), labels


def peak_bytes(function: Callable[[], None]) -> int:
    """Return the peak of the additional memory of Python and numpy during a call, in bytes."""
    tracemalloc.start()
    try:
        function()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def _time(work: str, peer: str, ours: Callable[[], None], floor: Callable[[], object], goal: float) -> dict[str, Any]:
    seconds, peer_seconds = interleaved(ours, floor)
    title = f"{work}, {PAGES:,} pages x {DIMENSIONS}"
    times = {"seconds": seconds, "peer_seconds": peer_seconds, "ratio": seconds / peer_seconds}
    return {"work": title, "peer": peer, "goal": goal, **times}


def _memory(work: str, ours: Callable[[], None], goal: float) -> dict[str, Any]:
    matrix = PAGES * PAGES * 8
    peak = peak_bytes(ours)
    sizes = {"bytes": peak, "peer_bytes": matrix, "ratio": peak / matrix}
    return {"work": f"{work}: peak memory", "peer": "pages x pages matrix of distances", "goal": goal, **sizes}

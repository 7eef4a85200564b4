"""Adjusted mutual information against scikit-learn: one million pages, 1,000 classes, 1,000 clusters."""

from __future__ import annotations

from time import perf_counter
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_mutual_info_score

from bench.qc4 import interleaved
from qc4.inputs.partition import Contingency
from qc4.measures.information import ami

PAGES = 1_000_000
CLASSES = 1_000
GOAL = 1 / 100


def run() -> list[dict[str, Any]]:
    """Return one row: our median seconds, the seconds of one run of scikit-learn (about two minutes), and the ratio."""
    random = np.random.default_rng(2007)
    classes = random.integers(0, CLASSES, PAGES)
    clusters = np.where(random.random(PAGES) < 0.5, classes, random.integers(0, CLASSES, PAGES))
    (ours,) = interleaved(lambda: ami(Contingency.from_labels(classes, clusters)))
    start = perf_counter()
    adjusted_mutual_info_score(classes, clusters)
    peer = perf_counter() - start
    return [
        {
            "work": f"ami, {PAGES:,} pages, {CLASSES:,} classes and clusters",
            "peer": "scikit-learn, one run",
            "seconds": ours,
            "peer_seconds": peer,
            "ratio": ours / peer,
            "goal": GOAL,
        }
    ]

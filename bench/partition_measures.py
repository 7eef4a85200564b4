"""All partition measures of the catalogue together, compared with scikit-learn's V-measure alone.

Both use the same arrays of one million integer labels, and their runs are interleaved in one process.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics import v_measure_score

from bench.qc4 import interleaved
from qc4.arrays import IntArray
from qc4.inputs.partition import PARTITION, Contingency
from qc4.measures.registry import REGISTRY

PAGES = 1_000_000
CLASSES = 100
GOAL = 0.5


def run() -> list[dict[str, Any]]:
    """Return one row: median seconds of both, and the ratio."""
    measures = [measure.function for measure in REGISTRY.all() if measure.view is PARTITION]
    classes, clusters = labels()

    def all_measures() -> None:
        table = Contingency.from_labels(classes, clusters)
        for function in measures:
            function(table)

    ours, peer = interleaved(all_measures, lambda: v_measure_score(classes, clusters))
    return [
        {
            "work": f"{len(measures)} partition measures together, {PAGES:,} pages, {CLASSES} classes",
            "peer": "scikit-learn v_measure_score alone",
            "seconds": ours,
            "peer_seconds": peer,
            "ratio": ours / peer,
            "goal": GOAL,
        }
    ]


def labels() -> tuple[IntArray, IntArray]:
    """Return classes, and clusters that agree with them on two thirds of the pages."""
    random = np.random.default_rng(2007)
    classes = random.integers(0, CLASSES, PAGES)
    noise = random.integers(0, CLASSES, PAGES)
    return classes, np.where(random.random(PAGES) < 2 / 3, classes, noise)

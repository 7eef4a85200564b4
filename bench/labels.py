"""The adjusted Rand index of labels through `qc4.score`, which builds a gold standard and a clustering from them.

The peer is scikit-learn's function on the same two arrays, which builds neither. Times are processor times.
"""

from __future__ import annotations

from statistics import median
from time import process_time
from typing import Any

import numpy as np
from sklearn.metrics import adjusted_rand_score

import qc4

PAGES = 1_000_000
SIZES = (100, 10_000)
"""Number of topics, and of clusters."""
RUNS = 5
GOAL = 3.0


def run() -> list[dict[str, Any]]:
    """Return one row for few topics and one for many."""
    random = np.random.default_rng(2007)
    rows = []
    for size in SIZES:
        topics, clusters = random.integers(0, size, (2, PAGES))
        own: list[float] = []
        other: list[float] = []
        for _ in range(RUNS):
            for function, kept in (
                (lambda a=topics, b=clusters: qc4.score(a, b, "ari"), own),
                (lambda a=topics, b=clusters: adjusted_rand_score(a, b), other),
            ):
                start = process_time()
                function()
                kept.append(process_time() - start)
        amounts = {"seconds": median(own), "peer_seconds": median(other), "ratio": median(own) / median(other)}
        work = f"ARI through score, {PAGES:,} labels, {size:,} topics"
        rows.append({"work": work, "peer": "scikit-learn adjusted_rand_score", **amounts, "goal": GOAL})
    return rows

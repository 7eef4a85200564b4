"""Comparing systems: seconds and memory of a complete comparison of all pairs with 10,000 draws.

The peer is the limit, so the goal is a ratio of 1. SciPy is not a peer, because it tests one pair at a time.
"""

from __future__ import annotations

import subprocess
import sys
from typing import Any

SIZES = ((20, 44, 1.0), (200, 500, 10.0))
MOST_BYTES = 1e9
_RUN = """
import resource, sys, time
import numpy as np
from qc4.stats import compare
systems, queries = map(int, sys.argv[1:])
random = np.random.default_rng(2007)
scores = 0.5 + random.normal(0, 0.1, queries) + random.normal(0, 0.02, (systems, 1))
scores = scores + random.normal(0, 0.1, (systems, queries))
compare(scores[:2, :20])  # warm-up
start = time.perf_counter()
compare(scores)
print(time.perf_counter() - start, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)
"""


def run() -> list[dict[str, Any]]:
    """Return two rows per size: seconds (the median of three runs) and memory. Each run has its own process."""
    rows = []
    for systems, queries, limit in SIZES:
        runs = [_measured(systems, queries) for _ in range(3)]
        seconds = sorted(seconds for seconds, _ in runs)[1]
        used = max(used for _, used in runs)
        work = f"{systems} systems x {queries} queries, all pairs"
        rows += [
            {"work": work, "peer": f"limit of {limit:g} s", "seconds": seconds, "peer_seconds": limit}
            | {"ratio": seconds / limit, "goal": 1.0},
            {"work": work, "peer": "limit of 1 GB", "bytes": used, "peer_bytes": MOST_BYTES}
            | {"ratio": used / MOST_BYTES, "goal": 1.0},
        ]
    return rows


def _measured(systems: int, queries: int) -> tuple[float, float]:
    command = [sys.executable, "-c", _RUN, str(systems), str(queries)]
    seconds, used = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()  # noqa: S603  # our own code
    return float(seconds), float(used)

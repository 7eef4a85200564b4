"""A stream small enough to reckon by hand: two far classes of three points each, and one noise point."""

from __future__ import annotations

import json
from typing import Any

STREAM = b"""time,class,x1,x2
0,a,0,0
1,b,9,9
2,a,0,1
3,b,9,8
4,noise,4,5
5,a,1,0
6,b,8,9
"""

A, B, NOISE = [0, 2, 5], [1, 3, 6], [4]
GOLD = [{"time": 6, "clusters": [{"id": "a", "points": A}, {"id": "b", "points": B}]}]
"""The classes as they are: CMM is 1."""
MISSING_B = [{"time": 6, "clusters": [{"id": "a", "points": A}]}]
"""Half of the class points are in no cluster."""
OVER_TIME = [
    {"time": -1, "clusters": []},
    {"time": 3, "clusters": [{"id": "a", "points": [0, 2]}, {"id": "b", "points": [1, 3]}]},
    {"time": 6, "clusters": [{"id": "a", "points": A}]},
]
"""Before the first point; right; without class b."""


def clusterings(snapshots: list[dict[str, Any]], algorithm: str = "DenStream", stream: str = "mercury") -> bytes:
    """A ``qc4-stream-clustering/1`` file."""
    return json.dumps(
        {
            "format": "qc4-stream-clustering/1",
            "stream": stream,
            "algorithm": algorithm,
            "parameters": {"eps": 0.1},
            "snapshots": snapshots,
        }
    ).encode()

"""How much evaluations take from people, and how much they keep and show; the rest stands in `annotations.limits`."""

from __future__ import annotations

# --- Submissions and imports -----------------------------------------------------------------------------------------
ALGORITHM_CHARS = 120
"""The name on the leaderboard."""
PARAMETER_BYTES = 64 * 1024
"""What a submission's parameters may weigh: lists of submissions carry them."""
SEPARATOR_CHARS = 20
"""What splits the names of topics into levels."""
FILES_AT_ONCE = 200
"""In one form; a ZIP holds more."""
KEPT_PROBLEMS = 200
"""Problems kept with a refused file or a failed run; the sentence says how many there are."""

# --- Numbers that are asked for --------------------------------------------------------------------------------------
LARGEST_ID = 2**63 - 1
LARGEST_SEED = 2**32 - 1
"""What numpy's generators take."""
SWEEP_CLUSTERS = 400
SWEEP_SUBMISSIONS = 500
"""A sweep makes at most this many."""
SWEEP_CHARS = SWEEP_SUBMISSIONS * len(f"{SWEEP_CLUSTERS}, ")
"""Its numbers of clusters as they are typed."""
TEXT_COMPONENTS = 1_000
"""Dimensions of vectors that are made from page text."""
AGGLOMERATIVE_PAGES = 10_000
"""All pairwise distances are held at once: 8 bytes x pages^2 / 2, 400 MB at this size."""

# --- Streams ---------------------------------------------------------------------------------------------------------
LAST_POINTS = 10_000_000
"""Points of a horizon."""
NEIGHBOURS = 1_000
"""CMM's k."""
DRAWN_SUBMISSIONS = 12
"""Submissions drawn over each other at once."""
DRAWN_MOMENTS = 400
"""Of longer series the page draws and lists only every so manyth moment; the files have all."""

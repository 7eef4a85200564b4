"""Where a measure of overlap is quadratic by definition: how many pairs of page groups it looks at, at most."""

from __future__ import annotations

from qc4.problems.effort import Effort
from qc4.views.undefined import refuse_too_much

MOST_PAIRS = 2_000_000_000
"""Pairs of page groups looked at, at most."""

SECONDS_PER_PAIR = 1e-8
"""What a pair takes on a machine of 2026, for the estimate people are told."""


def refuse_many_pairs(pairs: int) -> None:
    """Undefined, with an estimate of the time, if there are more pairs than `MOST_PAIRS`."""
    work = f"pages overlap so much that to compare {pairs:,} pairs of page groups"
    refuse_too_much(Effort(work, pairs, MOST_PAIRS, SECONDS_PER_PAIR, "pairs"))

"""Where a measure of overlap is quadratic by definition: what it would take, and when it is refused."""

from __future__ import annotations

from qc4.views.view import Undefined

MOST_PAIRS = 2_000_000_000
"""Pairs of page groups looked at, at most."""

SECONDS_PER_PAIR = 1e-8
"""What a pair takes on a machine of 2026, for the estimate people are told."""


def refuse_above(pairs: int, most: int = MOST_PAIRS) -> None:
    """Undefined, with an estimate of the time, if there are more pairs than ``most``."""
    if pairs > most:
        raise Undefined(
            f"pages overlap so much that {pairs:,} pairs of page groups would have to be compared, which takes about "
            f"{pairs * SECONDS_PER_PAIR:,.0f} seconds; the limit is {most:,} pairs"
        )

"""Whole numbers that addresses and forms name things by."""

from __future__ import annotations

MOST_DIGITS = 18
"""Of the number of a row: every column that holds such numbers holds these."""
VERSION_DIGITS = 9
"""Of the number of a version, which is counted within a collection."""


def number_in(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """The number that a text is, in ASCII digits alone; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None

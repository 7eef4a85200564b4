"""Whole numbers in URLs and forms, such as row ids and version numbers."""

from __future__ import annotations

MAX_DIGITS = 18
"""Maximum number of digits of a row id. Every id column can hold such a number."""
VERSION_DIGITS = 9
"""Maximum number of digits of a version number, which counts within a collection."""


def parse_number(text: str, most_digits: int = MAX_DIGITS) -> int | None:
    """Return the number in a text that has only ASCII digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None

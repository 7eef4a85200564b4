"""Words for why there is no view of a case."""

from __future__ import annotations


def pages_are(number: int) -> str:
    """The beginning of a reason: "1 page is", "31 pages are"."""
    return "1 page is" if number == 1 else f"{number} pages are"

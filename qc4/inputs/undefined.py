"""The exception of a measure that has no value for an input."""

from __future__ import annotations

from qc4.model.bounds import Bound


class Undefined(Exception):  # noqa: N818  # a result, not an error
    """The measure has no value for this input; the message says why."""


def check_bound(bound: Bound, size: int, where: str, given: str = "") -> None:
    """Raise Undefined if the size is above the bound; the arguments are those of `Bound.problem`."""
    if problem := bound.problem(size, where, given):
        raise Undefined(str(problem))


# --- Parts of reasons ---


def number_of_pages_are(number: int) -> str:
    """Return the beginning of a reason: "1 page is", "31 pages are"."""
    return "1 page is" if number == 1 else f"{number} pages are"

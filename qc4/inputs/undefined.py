"""How a measure says that it has no value."""

from __future__ import annotations

from qc4.model.bounds import Bound


class Undefined(Exception):  # noqa: N818  # not an error: an answer, "this measure has no value here"
    """The measure has no value for this input; the message says why, in words."""


def refuse_too_much(bound: Bound, size: int, where: str, given: str = "") -> None:
    """Raise Undefined if the size is above the bound; arguments as for `Bound.problem`."""
    if problem := bound.problem(size, where, given):
        raise Undefined(str(problem))


# Words for why there is no view of a case.


def pages_are(number: int) -> str:
    """The beginning of a reason: "1 page is", "31 pages are"."""
    return "1 page is" if number == 1 else f"{number} pages are"

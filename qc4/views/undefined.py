"""How a measure says that it has no value."""

from __future__ import annotations

from qc4.problems.effort import Effort


class Undefined(Exception):  # noqa: N818  # not an error: an answer, "this measure has no value here"
    """The measure has no value for this input; the message says why, in words."""


def refuse_too_much(effort: Effort) -> None:
    """Undefined, with the time it would take, if the work is above its limit."""
    if effort.too_much:
        raise Undefined(str(effort))

"""Parameters of a page or file, read from its URL."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from qc4.problems import InputError, Problem
from qc4.wording import quoted


class Parameters(Protocol):
    """The parameters of an address: as Django's ``QueryDict``."""

    def getlist(self, name: str, /) -> list[str]: ...


def last_value(parameters: Parameters, name: str) -> str:
    """Return the last value of a parameter that is not a list; "" if it is not given."""
    return next(reversed(parameters.getlist(name)), "")


def one_option(parameters: Parameters, name: str, allowed: Collection[str], code: str = "unknown-choice") -> str:
    """Return the value of an option; the first of those allowed is the default.

    Raises:
        InputError: with this code, if it is none of those allowed.
    """
    found = last_value(parameters, name) or next(iter(allowed))
    if found not in allowed:
        raise InputError([Problem(code, name, quoted(found, 40), f"one of {', '.join(allowed)}")])
    return found


# --- Whole numbers ----------------------------------------------------------------------------------------------------

MOST_DIGITS = 18
"""Of the number of a row: every column that holds such numbers holds these."""
VERSION_DIGITS = 9
"""Of the number of a version, which is counted within a collection."""


def number_in(text: str, most_digits: int = MOST_DIGITS) -> int | None:
    """The number that a text is, in ASCII digits alone; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None

"""Options of a page or file that have one value in the query string."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from qc4.problems import InputError, Problem
from qc4.wording import quoted


class Parameters(Protocol):
    """The parameters of a query string, such as Django's ``QueryDict``."""

    def getlist(self, name: str, /) -> list[str]: ...


def last_value(parameters: Parameters, name: str) -> str:
    """Return the last value of a parameter; "" if it is not given."""
    return next(reversed(parameters.getlist(name)), "")


def one_option(parameters: Parameters, name: str, allowed: Collection[str], code: str = "unknown-choice") -> str:
    """Return the value of an option. The first allowed value is the default.

    Raises:
        InputError: the value is not allowed. The problem has this code.
    """
    found = last_value(parameters, name) or next(iter(allowed))
    if found not in allowed:
        raise InputError([Problem(code, name, quoted(found, 40), f"one of {', '.join(allowed)}")])
    return found


# Whole numbers in URLs and forms, such as row ids and version numbers.

MAX_DIGITS = 18
"""Maximum number of digits of a row id. Every id column can hold such a number."""
VERSION_DIGITS = 9
"""Maximum number of digits of a version number, which counts within a collection."""


def parse_number(text: str, most_digits: int = MAX_DIGITS) -> int | None:
    """Return the number in a text that has only ASCII digits; None for any other text."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None

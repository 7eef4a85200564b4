"""What the files of streams share: numbers, vectors, times and class labels, checked where they stand."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from qc4.arrays import FloatArray
from qc4.formats.fields import described
from qc4.noise import label_key
from qc4.problems import ProblemList
from qc4.problems.wording import counted, quoted
from qc4.vectors.vectors import LARGEST

FINITE = f"a finite number, at most {LARGEST:g} in size"


def json_number(value: Any) -> float:
    """A number of parsed JSON; NaN if it is none, not finite, or larger than `LARGEST`."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return math.nan
    return float(value) if -LARGEST <= value <= LARGEST else math.nan


def cell_number(cell: str) -> float:
    """A number in a cell of a table; NaN if it is none, not finite, or larger than `LARGEST`."""
    try:
        value = math.nan if "_" in cell else float(cell)  # underscores, which Python allows, are not of CSV
    except ValueError:
        return math.nan
    return value if -LARGEST <= value <= LARGEST else math.nan


def shown(value: Any) -> str:
    """A value of a file for a message; cells of tables are texts."""
    if isinstance(value, str):
        return quoted(value.strip()) if value.strip() else "nothing"
    return described(value)


class Times:
    """Times in the order of a file, each checked against the one before."""

    def __init__(self, problems: ProblemList) -> None:
        self._problems = problems
        self._last = -math.inf

    def take(self, time: float, value: Any, where: str) -> float:
        """The time again; a problem is noted if it is no finite number or before the last one."""
        if math.isnan(time):
            self._problems.error("bad-time", where, shown(value), FINITE)
        elif time < self._last:
            found = f"{time:.17g} after {self._last:.17g}"
            self._problems.error("times-not-ordered", where, found, "times that never go back", "Sort by time.")
        else:
            self._last = time
        return time


def vector(values: Sequence[Any], places: Sequence[str], numbers: Sequence[float], problems: ProblemList) -> FloatArray:
    """Coordinates as an array; whatever is no finite number is noted at its place."""
    row = np.array(numbers, dtype=np.float64)
    for column in np.flatnonzero(np.isnan(row)).tolist():
        problems.error("bad-vector", places[column], shown(values[column]), FINITE)
    return row


def check_width(found: int, expected: int, what: str, where: str, problems: ProblemList) -> bool:
    """Whether a vector has as many numbers as expected; a problem is noted if not."""
    if found == expected:
        return True
    problems.error("wrong-vector-length", where, counted(found, "number"), f"{expected:,}, as {what}")
    return False


def class_label(value: Any, where: str, problems: ProblemList) -> str | None:
    """Return the text of a point's class, the same for text and number; None for a missing class."""
    if isinstance(value, bool) or not (value is None or isinstance(value, int | float | str)):
        expected = "a class label (text or a whole number), or null for noise"
        problems.error("wrong-type", where, described(value), expected)
        return None
    if isinstance(value, float) and not value.is_integer():
        problems.error("wrong-type", where, described(value), "a class label (text or a whole number)")
        return None
    key = label_key(value)
    return None if key is None else str(key)

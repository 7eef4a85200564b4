"""The scores that are compared: one measure, several systems, the same queries."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from qc4.arrays import BoolArray, FloatArray
from qc4.comparison.tables import read_table
from qc4.problems import InputError, ProblemList
from qc4.problems.references import repeated
from qc4.problems.wording import counted, listed
from qc4.text import Spellings

Missing = Literal["skip", "worst"]
Better = Literal["higher", "lower"]
MISSING: tuple[Missing, ...] = ("skip", "worst")
LARGEST = 1e100
SYSTEM_PREFIX = "system "
SKIP_INSTEAD = 'leave out queries that not all systems have (missing="skip")'


@dataclass(frozen=True, eq=False)
class Scores:
    """A complete table, its rows by name and its columns by key, whatever order they came in.

    Attributes:
        values: (systems, queries), higher is better: where lower is, the signs are turned, here and nowhere else.
        sign: 1 or -1; times it, a value is as it was given.
        left_out: queries that not all systems have, under the rule ``skip``.
        filled: cells that were missing and count as the worst value, under the rule ``worst``.
    """

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    values: FloatArray
    sign: int
    missing: Missing
    left_out: tuple[str, ...] = ()
    filled: int = 0

    @property
    def n_systems(self) -> int:
        return len(self.systems)

    @property
    def n_queries(self) -> int:
        return len(self.queries)

    def row(self, system: str) -> int:
        """The row of a system.

        Raises:
            InputError: there is none of this name.
        """
        name = Spellings(self.systems).of(system)
        if name not in self.systems:
            problems = ProblemList()
            problems.error("unknown-system", "baseline", repr(system), f"one of {listed(self.systems)}")
            problems.refuse_errors()
        return self.systems.index(name)


def read_scores(
    scores: Any,
    systems: Sequence[str] | None = None,
    queries: Sequence[str] | None = None,
    *,
    missing: Missing | None = "skip",
    better: Better = "higher",
    worst: float | None = None,
) -> Scores:
    """Check scores and apply the rule for missing cells.

    Args:
        scores: a (systems, queries) array, a data frame or dicts, as `qc4.comparison.tables.read_table` takes them;
            NaN is a missing cell.
        systems: names, by default ``system 1`` ..
        queries: keys, by default ``1`` ..
        missing: ``skip`` leaves out queries that not all systems have; ``worst`` counts a missing cell as the worst
            value; None leaves it missing.
        worst: the worst value of the measure, by default 0 if higher is better.

    Raises:
        InputError: not a table of numbers, infinite values, names that repeat, no query left; under ``worst`` a cell
            is missing and the worst value is unknown, not a number, or better than a score.
    """
    table = read_table(scores, systems, queries)
    values, problems = table.values, ProblemList()
    names = _labels(table.systems, values.shape[0], "systems", SYSTEM_PREFIX, problems)
    keys = _labels(table.queries, values.shape[1], "queries", "", problems)
    wrong = np.argwhere(np.abs(values) > LARGEST)
    cells = ((f"scores[{row}][{column}]", str(values[row, column])) for row, column in wrong)
    expected = f"a number up to {LARGEST:g}, or NaN where there is none"
    problems.error_each("bad-score", cells, len(wrong), "scores", expected)
    for name, allowed, given in (("missing", (*MISSING, None), missing), ("better", ("higher", "lower"), better)):
        if given not in allowed:
            problems.error("unknown-choice", name, repr(given), f"one of {', '.join(filter(None, allowed))}")
    problems.refuse_errors()
    absent = np.isnan(values)
    filling = _worst(values, better, worst, missing == "worst" and bool(absent.any()))
    rows = sorted(range(len(names)), key=names.__getitem__)
    columns = sorted(range(len(keys)), key=keys.__getitem__)
    skipped = [keys[column] for column in columns if missing == "skip" and absent[:, column].any()]
    columns = [column for column in columns if keys[column] not in set(skipped)]
    if not columns:
        _refuse_empty(absent, names)
    sign = 1 if better == "higher" else -1
    complete = np.where(absent, filling, values)[np.ix_(rows, columns)]
    return Scores(
        tuple(names[row] for row in rows),
        tuple(keys[column] for column in columns),
        np.ascontiguousarray(sign * complete),
        sign,
        missing or "skip",
        tuple(skipped),
        int(absent[:, columns].sum()) if missing else 0,
    )


def _worst(values: FloatArray, better: Better, worst: float | None, needed: bool) -> float:
    """The value of a missing cell; NaN if nothing is to be filled.

    Raises:
        InputError: it is not a number; or it is needed and unknown, or better than a score.
    """
    problems = ProblemList()
    if worst is not None and not abs(worst) <= LARGEST:
        problems.error("out-of-range", "worst", str(worst), f"a number up to {LARGEST:g}")
        problems.refuse_errors()
    if not needed:
        return math.nan
    if worst is None and better == "lower":
        expected = "the largest value that the measure can have, since lower is better"
        problems.error("no-worst", "worst", "nothing", expected, f"Give worst=…, or {SKIP_INSTEAD}.")
        problems.refuse_errors()
    value = 0.0 if worst is None else float(worst)
    reached = float(np.nanmin(values) if better == "higher" else np.nanmax(values))
    if reached < value if better == "higher" else reached > value:
        found = f"{value:g}, though a score is {reached:g}"
        expected = f"a value that no score is worse than, where {better} is better"
        problems.error("bad-worst", "worst", found, expected, f"Give worst=…, or {SKIP_INSTEAD}.")
        problems.refuse_errors()
    return value


def numbered_names(n: int, prefix: str = SYSTEM_PREFIX) -> list[str]:
    """Return "system 1", "system 2", …, with as many digits as they need to sort in this order."""
    return [f"{prefix}{number:0{len(str(n))}}" for number in range(1, n + 1)]


def _labels(given: Sequence[str] | None, n: int, what: str, prefix: str, problems: ProblemList) -> list[str]:
    """The names as text; numbered ones if none are given."""
    if given is None:
        return numbered_names(n, prefix)
    names = [str(name) for name in given]
    if len(names) != n:
        problems.error("wrong-length", what, counted(len(names), "name"), f"{n:,}, as the scores have")
    if twice := repeated(names):
        problems.error("name-twice", what, listed(twice), "each name once")
    return names


def _refuse_empty(absent: BoolArray, names: Sequence[str]) -> None:
    least = int(absent.sum(axis=1).argmax())
    found = f"none; {names[least]!r} lacks {counted(int(absent[least].sum()), 'query', 'queries')}"
    expected = "at least one query that all systems have"
    problems = ProblemList()
    problems.error(
        "no-queries", "scores", found, expected, "Leave the system out, or count missing cells as the worst value."
    )
    raise InputError(problems.errors)

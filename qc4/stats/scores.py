"""The scores to compare: one measure, several systems, the same queries."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from qc4.arrays import BoolArray, FloatArray, IntArray
from qc4.problems import InputError, Problem, ProblemList, repeated
from qc4.text import Spellings
from qc4.wording import counted, listed, type_with_article

# --- Scores as an array with names ---
# An array has a row per system. Data frames and dicts have a column per system, like the CSV of the command line: a
# frame's rows are queries and its columns systems, and a dict maps each system to its scores.


@dataclass(frozen=True, eq=False)
class ScoreArray:
    """Scores with their names, if known.

    Attributes:
        values: (systems, queries), NaN for missing scores.
        systems, queries: names of rows and columns; None if they have no names.
    """

    values: FloatArray
    systems: list[str] | None
    queries: list[str] | None


def read_table(
    scores: Any, systems: Sequence[str] | None = None, queries: Sequence[str] | None = None, where: str = "scores"
) -> ScoreArray:
    """Read scores from an array, a data frame, a dict of dicts or a dict of sequences.

    Args:
        scores: one of

            - a (systems, queries) array or nested list of numbers;
            - a data frame with a row per query and a column per system. The queries are its index. If the index only
              numbers the rows and the first column is text, the queries are that column, as in the CSV of ``qc4
              compare``;
            - ``{system: {query: score}}``; a query that a system lacks is a missing score;
            - ``{system: [score, …]}``, the same queries in the same order for every system.

            NaN and None are missing scores.
        systems, queries: names, if ``scores`` has none.
        where: name of the scores in messages.

    Raises:
        InputError: not a table of numbers, or names given both in the scores and separately.
    """
    if hasattr(scores, "columns") and hasattr(scores, "to_numpy"):
        found = _of_frame(scores, where)
    elif isinstance(scores, Mapping):
        found = _of_mapping(scores, where)
    else:
        found = ScoreArray(numbers(scores, where), None, None)
    for name, own, given in (("systems", found.systems, systems), ("queries", found.queries, queries)):
        if own is not None and given is not None:
            problem = f"{counted(len(given), 'name')}, but the scores already have names"
            raise InputError([Problem("names-twice", name, problem, "names in one place only", f"Omit {name}.")])
    return ScoreArray(
        found.values,
        found.systems if systems is None else list(map(str, systems)),
        found.queries if queries is None else list(map(str, queries)),
    )


def numbers(scores: Any, where: str = "scores") -> FloatArray:
    """Return (systems, queries) as an array; None is NaN.

    Raises:
        InputError: the input is not a table of numbers.
    """
    problems = ProblemList()
    try:
        values = np.array(scores, dtype=np.float64)
    except (TypeError, ValueError):
        problems.error("bad-scores", where, "not a table of numbers", "one row of numbers for each system")
        problems.refuse_errors()
        raise  # not reached
    if values.ndim != 2 or 0 in values.shape:
        found = " x ".join(map(str, values.shape)) or "one number"
        problems.error("bad-scores", where, f"an array of {found}", "(systems, queries), at least one of each")
        problems.refuse_errors()
    return values


def _of_frame(frame: Any, where: str) -> ScoreArray:
    """Read a data frame of pandas, polars or another library with columns."""
    systems = [str(name) for name in frame.columns]
    index = getattr(frame, "index", None)
    counts = index is None or list(index) == list(range(len(index)))
    columns = list(frame.columns)
    queries = None if counts or index is None else [str(name) for name in index]
    if counts and columns and _is_text(first := list(frame[columns[0]])):
        queries, systems, columns = list(map(str, first)), systems[1:], columns[1:]
    if not columns:
        raise InputError([Problem("bad-scores", where, "a frame without systems", "a column of numbers per system")])
    if twice := repeated(systems):  # such a column is a data frame itself
        raise InputError([Problem("name-twice", "systems", listed(twice), "each name once")])
    values = [_column(frame[name], f"{where}[{name!r}]") for name in columns]
    if queries is None and index is not None:
        queries = [str(name) for name in index]
    return ScoreArray(numbers(values, where), systems, queries)


def _is_text(values: Sequence[Any]) -> bool:
    return bool(values) and all(isinstance(value, str) for value in values)


def _column(column: Any, where: str) -> list[float]:
    return [_score(value, where) for value in column]


def _score(value: Any, where: str) -> float:
    """Return a cell as a number, with NaN for None and a library's missing values."""
    if value is None or type(value).__name__ in {"NAType", "NaTType"}:
        return np.nan
    try:
        return float(value)
    except (TypeError, ValueError):
        expected = "numbers, or nothing for a missing score"
        raise InputError([Problem("bad-scores", where, repr(value), expected)]) from None


def _of_mapping(scores: Mapping[Any, Any], where: str) -> ScoreArray:
    """Read a dict of dicts, or a dict of sequences; a pandas series counts as a dict."""
    if not scores:
        raise InputError([Problem("bad-scores", where, "an empty dict", "at least one system")])
    named = {system: hasattr(column, "items") for system, column in scores.items()}
    if len(set(named.values())) > 1:
        found = "dicts for some systems and sequences for others"
        raise InputError([Problem("bad-scores", where, found, "the same kind for every system")])
    if all(named.values()):
        return _of_dicts({system: dict(column.items()) for system, column in scores.items()}, where)
    columns = []
    for system, column in scores.items():
        if isinstance(column, str) or not hasattr(column, "__iter__"):
            expected = "a dict of its scores by query, or a list of them"
            raise InputError([Problem("bad-scores", f"{where}[{system!r}]", type_with_article(column), expected)])
        columns.append(_column(column, f"{where}[{system!r}]"))
    sizes = [len(column) for column in columns]
    if len(set(sizes)) > 1:
        odd = next(place for place, size in enumerate(sizes) if size != sizes[0])
        found = f"{counted(sizes[odd], 'score')} of {list(scores)[odd]!r}, {sizes[0]:,} of {next(iter(scores))!r}"
        fix = "If systems lack some queries, name the queries: {system: {query: score}}."
        raise InputError([Problem("bad-scores", where, found, "the same queries for every system", fix)])
    return ScoreArray(numbers(columns, where), [str(system) for system in scores], None)


def _of_dicts(scores: Mapping[Any, Mapping[Any, Any]], where: str) -> ScoreArray:
    keys = list(dict.fromkeys(query for column in scores.values() for query in column))
    names = list(map(str, keys))
    if twice := repeated(names):
        problems = ProblemList()
        problems.error("name-twice", "queries", listed(twice), "each name once")
        problems.refuse_errors()
    values = [
        [_score(column.get(query), f"{where}[{system!r}][{query!r}]") for query in keys]
        for system, column in scores.items()
    ]
    return ScoreArray(numbers(values, where), [str(system) for system in scores], names)


def aligned_tables(
    tables: Mapping[str, Any], systems: Sequence[str] | None, queries: Sequence[str] | None
) -> dict[str, ScoreArray]:
    """Read several tables of the same systems and queries, and reorder them by name like the first.

    Args:
        tables: name for messages -> scores, as in `read_table`.

    Raises:
        InputError: tables of different shapes or names, or names in only some of them.
    """
    found = {name: read_table(scores, systems, queries, where=name) for name, scores in tables.items()}
    first_name, first = next(iter(found.items()))
    return {
        name: table if table is first else _in_order_of(first, table, first_name, name) for name, table in found.items()
    }


def _in_order_of(first: ScoreArray, table: ScoreArray, first_name: str, name: str) -> ScoreArray:
    if table.values.shape != first.values.shape:
        shapes = " and ".join(" x ".join(map(str, each.values.shape)) for each in (first, table))
        raise InputError([Problem("wrong-shape", f"{first_name} and {name}", f"arrays of {shapes}", "the same shape")])
    orders: list[IntArray] = []
    for what, expected, given in (("systems", first.systems, table.systems), ("queries", first.queries, table.queries)):
        if expected is None and given is None:
            orders.append(np.arange(table.values.shape[len(orders)]))
            continue
        if expected is None or given is None or set(expected) != set(given):
            found = "other names" if expected is not None and given is not None else "names in only one of them"
            where = f"{what} of {first_name} and {name}"
            raise InputError([Problem("other-names", where, found, f"the same {what} in both")])
        places = {one: place for place, one in enumerate(given)}
        orders.append(np.array([places[one] for one in expected]))
    return ScoreArray(table.values[np.ix_(*orders)], first.systems, first.queries)


Missing = Literal["skip", "worst"]
Better = Literal["higher", "lower"]
MISSING: tuple[Missing, ...] = ("skip", "worst")
LARGEST = 1e100
SYSTEM_PREFIX = "system "
SKIP_INSTEAD = 'omit queries that not all systems have (missing="skip")'


@dataclass(frozen=True, eq=False)
class Scores:
    """A complete table, sorted by system name and query key, whatever the input order.

    Attributes:
        values: (systems, queries), higher is better. If lower is better, the signs are flipped, here and nowhere else.
        sign: 1 or -1; value times sign is the value as given.
        left_out: queries that not all systems have, under the rule ``skip``.
        filled: number of missing cells that count as the worst value, under the rule ``worst``.
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
        """Return the row of a system.

        Raises:
            InputError: no system has this name.
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
        scores: a (systems, queries) array, a data frame or dicts, as in `qc4.stats.scores.read_table`; NaN is a missing
            cell.
        systems: names, by default ``system 1`` ..
        queries: keys, by default ``1`` ..
        missing: ``skip`` omits queries that not all systems have; ``worst`` counts a missing cell as the worst value;
            None leaves it missing.
        worst: the worst value of the measure, by default 0 if higher is better.

    Raises:
        InputError: not a table of numbers, infinite values, repeated names, no query left, or a worst value that is not
            a number. If a missing cell needs the worst value, it must be known and not better than any score.
    """
    table = read_table(scores, systems, queries)
    values, problems = table.values, ProblemList()
    names = _labels(table.systems, values.shape[0], "systems", SYSTEM_PREFIX, problems)
    keys = _labels(table.queries, values.shape[1], "queries", "", problems)
    wrong = np.argwhere(np.abs(values) > LARGEST)
    cells = ((f"scores[{row}][{column}]", str(values[row, column])) for row, column in wrong)
    expected = f"a number up to {LARGEST:g}, or NaN for a missing score"
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
        _raise_no_queries(absent, names)
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
    """Return the value for missing cells, or NaN if none is needed.

    Raises:
        InputError: it is not a number, or it is needed and unknown, or better than a score.
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
        found = f"{value:g}, but there is a score of {reached:g}"
        expected = f"a value at least as bad as every score ({better} is better)"
        problems.error("bad-worst", "worst", found, expected, f"Give worst=…, or {SKIP_INSTEAD}.")
        problems.refuse_errors()
    return value


def numbered_names(n: int, prefix: str = SYSTEM_PREFIX) -> list[str]:
    """Return "system 1", "system 2", …, with as many digits as they need to sort in this order."""
    return [f"{prefix}{number:0{len(str(n))}}" for number in range(1, n + 1)]


def _labels(given: Sequence[str] | None, n: int, what: str, prefix: str, problems: ProblemList) -> list[str]:
    """Return the names as text, or numbered names if none are given."""
    if given is None:
        return numbered_names(n, prefix)
    names = [str(name) for name in given]
    if len(names) != n:
        problems.error("wrong-length", what, counted(len(names), "name"), f"{n:,}, as the scores have")
    if twice := repeated(names):
        problems.error("name-twice", what, listed(twice), "each name once")
    return names


def _raise_no_queries(absent: BoolArray, names: Sequence[str]) -> None:
    least = int(absent.sum(axis=1).argmax())
    found = f"none; {names[least]!r} lacks {counted(int(absent[least].sum()), 'query', 'queries')}"
    expected = "at least one query that all systems have"
    problems = ProblemList()
    problems.error(
        "no-queries", "scores", found, expected, "Remove the system, or count missing cells as the worst value."
    )
    raise InputError(problems.errors)

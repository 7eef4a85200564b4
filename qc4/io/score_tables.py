"""Scores as a table: a row per query and a column per system. The first column names the query."""

from __future__ import annotations

import csv
import io
import math
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from qc4.arrays import FloatArray
from qc4.io.content import check_line_count
from qc4.io.csv_files import Table, read_table
from qc4.io.kinds import SCORES
from qc4.io.limits import DEFAULT_LIMITS, Budget, FileProblems, Limits
from qc4.io.source import FileSource, decode, read_blob
from qc4.model.query_names import QueryNames
from qc4.problems import ProblemList, repeated
from qc4.stats import Scores
from qc4.tables import escape_formula, unescape_formula
from qc4.text import Spellings
from qc4.wording import counted, listed, quoted

MISSING_CELLS = ("", "nan", "na", "-")


@dataclass(frozen=True, eq=False)
class ScoreTable:
    """Scores of systems on queries: ``scores`` is (systems, queries), NaN if the file has none."""

    systems: tuple[str, ...]
    queries: tuple[str, ...]
    scores: FloatArray

    def renamed_like(self, queries: Iterable[str], systems: Collection[str] = ()) -> ScoreTable:
        """Return the table with queries and systems named as in another table.

        A query's name is unchanged if it could mean several queries of the other table.
        """
        keys = list(map(QueryNames.of_keys(queries).key, self.queries))
        counts = Counter(keys)
        called = (key if counts[key] == 1 else name for key, name in zip(keys, self.queries, strict=True))
        return replace(self, queries=tuple(called), systems=Spellings(systems).of_all(self.systems))


def read_score_table(
    source: FileSource, *, name: str | None = None, limits: Limits = DEFAULT_LIMITS, columns: str = "system"
) -> ScoreTable:
    """Read a CSV or TSV file of scores. An empty cell, ``NaN``, ``NA`` or ``-`` is a missing score.

    Args:
        source: a path, bytes, or a binary file object.
        name: name of the file in messages.
        columns: name of a column in messages, in the singular.

    Raises:
        InputError: everything that is wrong, by line and column: no header line, repeated queries or systems, and cells
            that are not numbers.
    """
    blob = read_blob(source, name, limits)
    text = decode(blob.data, blob.name, SCORES)
    check_line_count(text, blob.name, limits)
    problems = FileProblems()
    table = read_table(text, blob.name, Budget(limits), problems)
    problems.refuse_errors()
    if len(table.columns) < 2 or not len(table):
        found = f"{counted(len(table.columns), 'column')}, {counted(len(table), 'line')} below the header line"
        expected = f"a header line query,<{columns}>,<{columns}>… and a line for each query"
        problems.error("no-scores", blob.name, found, expected)
        problems.refuse_errors()
    key, *systems = table.columns
    queries = [unescape_formula(cell.strip()) for cell in table.cells[key]]
    _check_queries(queries, table, blob.name, problems)
    scores = np.array([list(map(_score, table.cells[column])) for column in systems])
    for column, row in np.argwhere(np.isinf(scores)):
        where = f"{blob.name}: line {table.lines[row]}, column {quoted(systems[column])}"
        problems.error(
            "bad-score",
            where,
            quoted(table.cells[systems[column]][row]),
            "a number, or an empty cell for a missing score",
        )
    problems.refuse_errors()
    return ScoreTable(tuple(map(unescape_formula, systems)), tuple(queries), scores)


def write_score_table(scores: Scores) -> str:
    """Write the compared scores as CSV for `read_score_table`, in the measure's own direction."""
    return score_table_csv(scores.systems, scores.queries, (scores.sign * scores.values.T).tolist())


def score_table_csv(systems: Sequence[str], queries: Sequence[str], rows: Iterable[Sequence[float | None]]) -> str:
    """Write CSV for `read_score_table`, values in full precision.

    Args:
        rows: per query the value of each system; None becomes an empty cell.
    """
    text, key = io.StringIO(), "query"
    while key in systems:
        key += "_"
    # Names and keys are quoted, because a semicolon or tab in one could be mistaken for the separator.
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow([key, *map(escape_formula, systems)])
    for query, values in zip(queries, rows, strict=True):
        writer.writerow([escape_formula(query), *("" if value is None else value + 0.0 for value in values)])
    return text.getvalue()


def _check_queries(queries: list[str], table: Table, name: str, problems: ProblemList) -> None:
    for line, query in zip(table.lines, queries, strict=True):
        if not query:
            problems.error("empty-id", f"{name}: line {line}", "a blank query", "the key of a query")
    if twice := repeated([query for query in queries if query]):
        problems.error("duplicate-query", name, f"queries named twice: {listed(twice)}", "one line for each query")


def _score(cell: str) -> float:
    """Return the number in a cell, NaN if it means a missing score, or infinity if it is not a number."""
    if cell.strip().casefold() in MISSING_CELLS:
        return math.nan
    try:
        value = float(cell)
    except ValueError:
        return math.inf
    return value if math.isfinite(value) else math.inf

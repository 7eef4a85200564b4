"""CSV and TSV: a header line, then rows. Columns are found by name, in any order."""

from __future__ import annotations

import csv
import io
import re
from array import array
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from qc4.io.content import Content
from qc4.io.limits import Budget, Limits
from qc4.io.source import filled_lines, lines
from qc4.model.gold_document import PAGE_FIELDS, GoldDocument, PageColumns
from qc4.model.ids import all_differ
from qc4.problems import ProblemList, repeated
from qc4.text import comparison_key, difference, unify_spellings
from qc4.wording import listed, quoted

_QUOTED = re.compile(r'(?:^|(?<=[,;]))"(?:[^"]|"")*(?:"|$)')
"""A quoted cell, possibly one that continues on a later line. Separators inside it do not count."""
_PAGE_COLUMNS = ("id", *PAGE_FIELDS)
QUERY_COLUMNS = ("query", "query_id")
_ROWS_AT_A_TIME = 4_096


@dataclass(frozen=True, slots=True)
class Table:
    """A table by columns.

    Attributes:
        columns: column names as written.
        lines: (rows,) the file line on which each row starts.
        cells: (rows,) the cells of each column, by its name.
    """

    columns: tuple[str, ...]
    lines: Sequence[int]
    cells: dict[str, list[str]]

    def __len__(self) -> int:
        return len(self.lines)

    def of(self, column: str, rows: Sequence[int]) -> list[str]:
        """Return the cells of a column in some rows: (rows,). The rows must be distinct and in order."""
        cells = self.cells[column]
        return cells if len(rows) == len(cells) else [cells[row] for row in rows]

    def column(self, *names: str) -> str | None:
        """Return the first column with one of these names, ignoring case, or None."""
        wanted = set(names)
        return next((column for column in self.columns if column.casefold() in wanted), None)


def read_table(text: str, name: str, budget: Budget, problems: ProblemList) -> Table:
    """Parse a table. Rows of the wrong length are reported by line.

    If the header line contains tabs, the table is TSV, whose cells are taken literally (quotes are data). Otherwise it
    is
    CSV, with comma or semicolon, and quotes as in RFC 4180.
    """
    unreadable = ProblemList()
    raw = table_rows(text, name, budget, unreadable)
    header = next(raw, None)
    if header is None:
        problems.extend(unreadable)
        return Table((), (), {})
    columns = tuple(cell.strip() for cell in header[1])
    lines, cells, misfits = _by_column(raw, len(columns))
    problems.extend(unreadable)
    twice = repeated(columns)
    if twice or "" in columns:
        found = f"columns named twice: {listed(twice)}" if twice else "a column without a name"
        problems.error("bad-header", f"{name}: line 1", found, "a different name for every column")
    for line, width in misfits:
        if problems.full:
            break
        found, expected = f"{width} columns", f"{len(columns)}, as in the header line"
        problems.error("bad-row", f"{name}: line {line}", found, expected)
    return Table(columns, lines, dict(zip(columns, cells, strict=True)))


def _by_column(
    rows: Iterator[tuple[int, list[str]]], width: int
) -> tuple[Sequence[int], list[list[str]], list[tuple[int, int]]]:
    """Return the line numbers of rows with ``width`` cells, their cells by column, and the line and width of other
    rows.
    """
    lines, misfits = array("q"), []
    columns: list[list[str]] = [[] for _ in range(width)]
    while some := list(islice(rows, _ROWS_AT_A_TIME)):
        misfits += [(line, len(cells)) for line, cells in some if len(cells) != width]
        fitting = [(line, cells) for line, cells in some if len(cells) == width]
        lines.extend(line for line, _ in fitting)
        for column, cells in zip(columns, zip(*(cells for _, cells in fitting), strict=True), strict=False):
            column.extend(cells)
    return lines, columns, misfits


def table_rows(text: str, name: str, budget: Budget, problems: ProblemList) -> Iterator[tuple[int, list[str]]]:
    """Yield the line number and cells of each row that is not blank, the header first. See `read_table` for CSV and
    TSV.

    Raises:
        BudgetError: more cells than the upload may have, counted before any is created.
    """
    header_line = _QUOTED.sub("", next(filled_lines(text)))
    separator = "\t" if "\t" in header_line else ";" if header_line.count(";") > header_line.count(",") else ","
    budget.charge("cells", text.count(separator) + text.count("\n") + 1, name)
    rows: Iterator[tuple[int, list[str]]]
    if separator == "\t":
        rows = ((number, line.split("\t")) for number, line in enumerate(lines(text), start=1) if line.strip())
    else:
        rows = _read_csv(text, separator, name, problems)
    # No cell is longer than the text.
    return rows if len(text) <= budget.limits.value_chars else _check_cell_lengths(rows, name, budget)


def _check_cell_lengths(
    rows: Iterator[tuple[int, list[str]]], name: str, budget: Budget
) -> Iterator[tuple[int, list[str]]]:
    for line, cells in rows:
        budget.check_text_length(max(cells, key=len), f"{name}: line {line}")
        yield line, cells


def _read_csv(text: str, delimiter: str, name: str, problems: ProblemList) -> Iterator[tuple[int, list[str]]]:
    # A page's full text may exceed the csv module's default limit. The limit applies to the whole process, and other
    # threads rely on it while they read, so it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        start = 1
        for cells in reader:
            if any(cells):
                yield start, cells
            start = reader.line_num + 1
    except csv.Error as error:
        problems.error("bad-row", f"{name}: line {reader.line_num}", str(error), "CSV with quotes as in RFC 4180")


def is_table(content: Content) -> bool:
    head = list(islice(content.rows(), 2))
    return len(head) > 1 and any(separator in head[0] for separator in "\t,;")


def read_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """Return the page list of a table, or one per query in file order if it has a ``query`` column.

    Without an ``id`` column a page's id is its position in the list. Unknown columns are stored in ``extra``.
    """
    blob, limits = content.blob, content.limits
    table = read_table(content.text, blob.name, content.budget, problems)
    if table.columns and not any(table.column(name) for name in _PAGE_COLUMNS):
        found, expected = f"the columns {listed(table.columns)}", f"at least one of {listed(_PAGE_COLUMNS)}"
        problems.error("bad-header", f"{blob.name}: line 1", found, expected)
        return []
    query_column = table.column(*QUERY_COLUMNS)
    queries = rows_by(table.cells[query_column]) if query_column else {blob.stem: range(len(table))}
    queries = {query: rows for query, rows in queries.items() if rows}
    if limits.exceeded("queries", len(queries), blob.name, problems):
        return []
    return [_page_list(blob.name, query, rows, table, limits, problems) for query, rows in queries.items()]


def rows_by(cells: Sequence[str]) -> dict[str, Sequence[int]]:
    """Return the rows of each text in a column, in order of occurrence. Texts are compared by `comparison_key`."""
    found: dict[str, list[int]] = defaultdict(list)
    for row, cell in enumerate(unify_spellings(cells)):
        found[cell].append(row)
    return dict(found)


def _page_list(
    name: str, query: str, rows: Sequence[int], table: Table, limits: Limits, problems: ProblemList
) -> GoldDocument:
    if not query.strip():
        problems.error("empty-id", f"{name}: line {table.lines[rows[0]]}", "a blank query", "the id of a query")
    limits.exceeded("pages", len(rows), f"{name}: query {quoted(query)}", problems)
    columns = {field: column for field in _PAGE_COLUMNS if (column := table.column(field)) is not None}
    cells = {field: table.of(column, rows) for field, column in columns.items()}
    ids = [cell.strip() for cell in cells.pop("id")] if "id" in cells else list(map(str, range(1, len(rows) + 1)))
    written = cells.pop("rank", [""] * len(rows))
    ranks = list(map(_rank, written))
    if None in ranks or not all(ids) or not all_differ(ids):
        _note_faults(name, [table.lines[row] for row in rows], ids, written, problems)
    known: dict[str, Sequence[Any]] = {field: [cell or None for cell in column] for field, column in cells.items()}
    known["rank"] = [rank or position for position, rank in enumerate(ranks, start=1)]
    others = [column for column in table.cells if column not in {*columns.values(), table.column(*QUERY_COLUMNS)}]
    rest = zip(*(table.of(column, rows) for column in others), strict=True)
    extras = [dict(zip(others, values, strict=True)) for values in rest] if others else None
    return GoldDocument(query, query, PageColumns(tuple(ids), known, extras))


def _note_faults(
    name: str, lines: Sequence[int], ids: Sequence[str], ranks: Sequence[str], problems: ProblemList
) -> None:
    """Report problems with ids and ranks, row by row."""
    first: dict[str, tuple[int, str]] = {}
    for line, page_id, rank in zip(lines, ids, ranks, strict=True):
        if problems.full:
            return
        where = f"{name}: line {line}"
        _check_page_id(page_id, where, first, line, problems)
        if _rank(rank) is None:
            problems.error("wrong-type", where, f"the rank {quoted(rank.strip())}", "a whole number from 1")


def _check_page_id(
    page_id: str, where: str, first: dict[str, tuple[int, str]], line: int, problems: ProblemList
) -> None:
    if not page_id:
        problems.error("empty-id", where, "a blank id", "an id for every page")
        return
    first_line, earlier = first.setdefault(comparison_key(page_id), (line, page_id))
    if first_line != line:
        how = f"; {said}" if (said := difference(earlier, page_id)) else ""
        found = f"the id {quoted(page_id)} again (first on line {first_line}{how})"
        problems.error("duplicate-page", where, found, "each page id once per query")


def _rank(cell: str) -> int | None:
    """Return the rank in a cell, 0 if it is blank, or None if it is invalid."""
    value = cell.strip()
    if not value:
        return 0
    if value.isascii() and value.isdigit() and len(value) < 10 and int(value) > 0:
        return int(value)
    return None

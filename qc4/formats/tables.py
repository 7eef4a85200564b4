"""CSV and TSV: a header line, then rows; columns are found by name, in any order."""

from __future__ import annotations

import csv
import io
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass

from qc4.formats.content import Content
from qc4.formats.limits import Limits
from qc4.formats.text import lines
from qc4.gold.document import PAGE_FIELDS, GoldDocument, Page
from qc4.problems import ProblemList
from qc4.problems.references import repeated
from qc4.problems.wording import listed, quoted

_QUOTED = re.compile(r'(?:^|(?<=[,;]))"(?:[^"]|"")*(?:"|$)')
"""A quoted cell, or one that ends on a later line: what is in it separates nothing."""
_PAGE_COLUMNS = ("id", *PAGE_FIELDS)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a table: its number in the file, and its cells by column name."""

    line: int
    cells: dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """Column names as they are written, and rows keyed by them."""

    columns: tuple[str, ...]
    rows: tuple[Row, ...]

    def column(self, *names: str) -> str | None:
        """The column called by one of these names, upper or lower case, if there is one."""
        wanted = set(names)
        return next((column for column in self.columns if column.casefold() in wanted), None)


def read_table(text: str, name: str, problems: ProblemList) -> Table:
    """Parse a table; rows that do not fit are noted by line.

    Tabs in the header line make it TSV, whose cells are taken as they are (quotes are data). Otherwise it is CSV, with
    comma or semicolon, and quotes as in RFC 4180.
    """
    raw = list(table_rows(text, name, problems))
    if not raw:
        return Table((), ())
    columns = tuple(cell.strip() for cell in raw[0][1])
    twice = repeated(columns)
    if twice or "" in columns:
        found = f"columns named twice: {listed(twice)}" if twice else "a column without a name"
        problems.error("bad-header", f"{name}: line 1", found, "a different name for every column")
    rows = []
    for line, cells in raw[1:]:
        if len(cells) != len(columns):
            found, expected = f"{len(cells)} columns", f"{len(columns)}, as in the header line"
            problems.error("bad-row", f"{name}: line {line}", found, expected)
        else:
            rows.append(Row(line, dict(zip(columns, cells, strict=True))))
    return Table(columns, tuple(rows))


def table_rows(text: str, name: str, problems: ProblemList) -> Iterator[tuple[int, list[str]]]:
    """The cells of each line that has some, header first, with its number; CSV and TSV are told apart as above."""
    header_line = _QUOTED.sub("", next(line for line in lines(text) if line.strip()))
    if "\t" in header_line:
        return ((number, line.split("\t")) for number, line in enumerate(lines(text), start=1) if line.strip())
    return _read_csv(text, ";" if header_line.count(";") > header_line.count(",") else ",", name, problems)


def _read_csv(text: str, delimiter: str, name: str, problems: ProblemList) -> Iterator[tuple[int, list[str]]]:
    # A page's full text may be longer than the csv module allows by default. The limit is one number for the whole
    # process, on which other threads rely while they read: it is raised where need be and never lowered.
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


def takes(content: Content) -> bool:
    return len(content.rows) > 1 and any(separator in content.rows[0] for separator in "\t,;")


def read_page_lists(content: Content, problems: ProblemList) -> list[GoldDocument]:
    """The page list of a table, or several where it has a ``query`` column (then one per query, in file order).

    Without an ``id`` column a page's id is its place in the list. Columns that are not known are kept in ``extra``.
    """
    blob, limits = content.blob, content.limits
    table = read_table(content.text, blob.name, problems)
    if table.columns and not any(table.column(name) for name in _PAGE_COLUMNS):
        found, expected = f"the columns {listed(table.columns)}", f"at least one of {listed(_PAGE_COLUMNS)}"
        problems.error("bad-header", f"{blob.name}: line 1", found, expected)
        return []
    query_column = table.column("query", "query_id")
    groups: dict[str, list[Row]] = defaultdict(list)
    for row in table.rows:
        groups[row.cells[query_column] if query_column else blob.stem].append(row)
    limits.exceeded("queries", len(groups), blob.name, problems)
    return [_page_list(blob.name, query, rows, table, limits, problems) for query, rows in groups.items()]


def _page_list(
    name: str, query: str, rows: list[Row], table: Table, limits: Limits, problems: ProblemList
) -> GoldDocument:
    if not query.strip():
        problems.error("empty-id", f"{name}: line {rows[0].line}", "a blank query", "the id of a query")
    limits.exceeded("pages", len(rows), f"{name}: query {quoted(query)}", problems)
    columns = {field: table.column(field) for field in _PAGE_COLUMNS}
    known = {*columns.values(), table.column("query", "query_id")}
    pages = []
    first_line: dict[str, int] = {}
    for position, row in enumerate(rows, start=1):
        cells = {field: row.cells[column] for field, column in columns.items() if column is not None}
        page_id = cells.pop("id").strip() if "id" in cells else str(position)
        where = f"{name}: line {row.line}"
        _check_page_id(page_id, where, first_line, row.line, problems)
        rank = _rank(cells.pop("rank", ""), where, problems)
        extra = {column: value for column, value in row.cells.items() if column not in known}
        texts = {field: value if value != "" else None for field, value in cells.items()}
        pages.append(Page(id=page_id, rank=rank or position, extra=extra, **texts))
    return GoldDocument(query, query, tuple(pages))


def _check_page_id(page_id: str, where: str, first_line: dict[str, int], line: int, problems: ProblemList) -> None:
    if not page_id:
        problems.error("empty-id", where, "a blank id", "an id for every page")
    elif first_line.setdefault(page_id, line) != line:
        found = f"the id {quoted(page_id)} again (first on line {first_line[page_id]})"
        problems.error("duplicate-page", where, found, "each page id once per query")


def _rank(cell: str, where: str, problems: ProblemList) -> int | None:
    value = cell.strip()
    if not value:
        return None
    if value.isascii() and value.isdigit() and len(value) < 10 and int(value) > 0:
        return int(value)
    problems.error("wrong-type", where, f"the rank {quoted(value)}", "a whole number from 1")
    return None

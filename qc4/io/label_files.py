"""Clusterings as labels: columns of a table (one algorithm each), or one label per line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from qc4.io.content import Content
from qc4.io.context import Context
from qc4.io.csv_files import QUERY_COLUMNS, Table, read_table, rows_by
from qc4.io.label_reading import group_by_label, label_warnings, names_by_cell
from qc4.io.source import Blob, lines
from qc4.model.clustering import Clustering
from qc4.model.noise import is_numbered
from qc4.model.spelling import form_warnings, spelling_warnings
from qc4.text import Spellings, are_ascii, unify_spellings
from qc4.wording import listed, quoted

_PAGE_NAMES = ("page", "page_id", "id", "result", "resultid", "doc")


def read_columns(content: Content, context: Context) -> list[Clustering]:
    """Read a table ``page,label`` or ``page,<algorithm>,<algorithm>…``, with a ``query`` column if it spans queries.

    `qc4.model.noise` decides which labels mean that a page is in no cluster. Without a ``query`` column, pages that
    occur in exactly one known page list are assigned to its query.
    """
    blob, problems = content.blob, context.problems
    table = read_table(content.text, blob.name, content.budget, problems)
    if not table.columns:
        return []
    page_column, query_column = table.column(*_PAGE_NAMES), table.column(*QUERY_COLUMNS)
    label_columns = [column for column in table.columns if column not in (page_column, query_column)]
    if page_column is None or not label_columns:
        found = f"the columns {listed(table.columns)}"
        problems.error("bad-header", f"{blob.name}: line 1", found, "a column 'page' and a column of labels")
        return []
    queries = _rows_by_query(blob, table, page_column, query_column, context)
    if not are_ascii(table.cells[page_column]):
        for rows in queries.values():
            ids = dict.fromkeys(cell.strip() for cell in table.of(page_column, rows))
            problems.extend(problem.within(blob.name) for problem in form_warnings("page ids", ids))
    content.budget.charge("clusterings", len(label_columns) * len(queries), blob.name)
    only = len(label_columns) == 1 and label_columns[0].casefold() in ("label", "cluster")
    for column in label_columns:
        problems.extend(label_warnings(table.cells[column], column, blob.name, context.reading))
        where = f"{blob.name}: column {quoted(column)}"
        problems.extend(problem.within(where) for problem in spelling_warnings("labels", table.cells[column]))
    return [
        _clustering(blob, table, rows, page_column, column, query, "" if only else column, context)
        for column in label_columns
        for query, rows in queries.items()
    ]


def _rows_by_query(
    blob: Blob, table: Table, page_column: str, query_column: str | None, context: Context
) -> dict[str, Sequence[int]]:
    if query_column is not None and context.query is None:
        return rows_by([context.names.key(cell) for cell in table.cells[query_column]])
    owners = _owners(context)
    if owners:
        pages = Spellings(owners).of_all([cell.strip() for cell in table.cells[page_column]])
        if all(len(owners.get(page, ())) == 1 for page in pages):
            return rows_by([owners[page][0] for page in pages])
    query = context.query_of(blob)
    return {query: range(len(table))} if query is not None else {}


def _owners(context: Context) -> dict[str, list[str]]:
    """Return the queries of each page id. It is empty if the query is given or nothing is known."""
    owners: dict[str, list[str]] = defaultdict(list)
    if context.query is None and context.pages is not None:
        for query, pages in context.pages.items():
            for page in pages:
                owners[page].append(query)
    return owners


def _clustering(
    blob: Blob,
    table: Table,
    rows: Sequence[int],
    page_column: str,
    label_column: str,
    query: str,
    algorithm: str,
    context: Context,
) -> Clustering:
    """Return one cluster per label, in the order of the labels. If a page has several rows, clusters overlap."""
    columns = (label_column, page_column)
    cells, pages = (unify_spellings([cell.strip() for cell in table.of(column, rows)]) for column in columns)
    found = group_by_label(cells, pages, context.reading)
    if found.has_repeats:
        _note_repeats(blob, [table.lines[row] for row in rows], cells, pages, context)
    return Clustering(query, found.clusters, algorithm=algorithm, noise=found.noise)


def _note_repeats(
    blob: Blob, lines: Sequence[int], cells: Sequence[str], pages: Sequence[str], context: Context
) -> None:
    """Report every row that repeats a page and a label."""
    names = names_by_cell(cells, context.reading)
    seen: set[tuple[str, str]] = set()
    for line, cell, page in zip(lines, cells, pages, strict=True):
        if context.problems.full:
            return
        for name in names[cell]:
            if (name, page) in seen:
                found = f"page {quoted(page)} with the label {quoted(cell)} again"
                context.problems.error("page-twice", f"{blob.name}: line {line}", found, "each page once per cluster")
            seen.add((name, page))


def is_label_lines(content: Content) -> bool:
    rows = [row.strip() for row in content.rows()]
    return any(row.strip("+-\u2212")[:1].isdigit() for row in rows) and all(map(is_numbered, set(rows)))


def read_lines(content: Content, context: Context) -> list[Clustering]:
    """Read one label per page, in the order of the page list. An empty line is a page without a label."""
    blob = content.blob
    query = context.query_of(blob)
    pages = context.pages_of(blob, query) if query is not None else None
    if query is None or pages is None:
        return []
    labels = [line.strip() for line in lines(content.text)]
    while len(labels) > len(pages) and not labels[-1]:
        labels.pop()
    if len(labels) != len(pages):
        empty = labels.count("")
        found = f"{len(labels):,} labels" if not empty else f"{len(labels):,} lines, {empty:,} of them empty"
        expected = f"{len(pages):,}, one for each page of query {quoted(query)}"
        context.problems.error("wrong-length", blob.name, found, expected)
        return []
    found_pages = group_by_label(labels, pages, context.reading)
    return [Clustering(query, found_pages.clusters, noise=found_pages.noise)]

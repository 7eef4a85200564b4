"""Clusterings as labels: columns of a table (one algorithm each), or one integer per line."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from qc4.clustering.clustering import Cluster, Clustering
from qc4.formats.content import Content
from qc4.formats.context import Context
from qc4.formats.source import Blob
from qc4.formats.tables import QUERY_COLUMNS, Table, read_table, rows_by
from qc4.problems import ProblemList
from qc4.problems.spelling import spelling_warnings
from qc4.problems.wording import counted, listed, quoted
from qc4.text import Spellings, unified

_PAGE_NAMES = ("page", "page_id", "id", "result", "resultid", "doc")
_NO_CLUSTER = ("", "-1")
_NOT_A_NUMBER = ("nan", "<na>")
"""As pandas and NumPy write a label that is missing, in whatever case; it means the same as an empty one."""
NO_CLUSTER = "They count as pages in no cluster."
_INTEGER = re.compile(r"[+-]?[0-9]{1,18}(\.0*)?")
"""Also as pandas writes whole numbers in a column where one is missing: 2.0."""
_NOISE = (0, -1)


def read_columns(content: Content, context: Context) -> list[Clustering]:
    """A table ``page,label``, or ``page,<algorithm>,<algorithm>…``, with a ``query`` column where it spans queries.

    An empty label, -1 or nan leaves the page out of every cluster. Without a ``query`` column, pages that the known
    page lists hold in exactly one query are sorted into their queries.
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
    content.budget.charge("clusterings", len(label_columns) * len(queries), blob.name)
    only = len(label_columns) == 1 and label_columns[0].casefold() in ("label", "cluster")
    return [
        Clustering(query, _clusters(blob, table, rows, page_column, column, problems), algorithm="" if only else column)
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
    """Page id -> the queries that hold it; empty where the query is given or nothing is known."""
    owners: dict[str, list[str]] = defaultdict(list)
    if context.query is None and context.pages is not None:
        for query, pages in context.pages.items():
            for page in pages:
                owners[page].append(query)
    return owners


def _clusters(
    blob: Blob, table: Table, rows: Sequence[int], page_column: str, label_column: str, problems: ProblemList
) -> tuple[Cluster, ...]:
    """One cluster per label, in the order the labels appear. A page may have several rows: then clusters overlap."""
    labels, pages = ([cell.strip() for cell in table.of(column, rows)] for column in (label_column, page_column))
    problems.extend(
        problem.within(f"{blob.name}: column {quoted(label_column)}") for problem in spelling_warnings("labels", labels)
    )
    labels, pages = list(unified(labels)), list(unified(pages))
    labels = _without_nan(blob, label_column, labels, problems)
    members: dict[str, list[str]] = defaultdict(list)
    for label, page in zip(labels, pages, strict=True):
        members[label].append(page)
    for label in _NO_CLUSTER:
        members.pop(label, None)
    if any(len(set(those)) < len(those) for those in members.values()):
        _note_repeats(blob, [table.lines[row] for row in rows], labels, pages, problems)
    return tuple(Cluster(label, tuple(dict.fromkeys(those)), label) for label, those in members.items())


def _without_nan(blob: Blob, column: str, labels: list[str], problems: ProblemList) -> list[str]:
    """The labels, missing ones empty; how many that were is noted, as somebody may not know of them."""
    missing = {label for label in set(labels) if label.casefold() in _NOT_A_NUMBER}
    count = sum(label in missing for label in labels) if missing else 0
    if count:
        found = f"{counted(count, 'page')} with the label {listed(sorted(missing))} in the column {quoted(column)}"
        problems.warn("no-label", blob.name, found, "a label", NO_CLUSTER)
    if empty := labels.count(""):
        found = f"{counted(empty, 'page')} without a label in the column {quoted(column)}"
        problems.warn("no-label", blob.name, found, "a label", NO_CLUSTER)
    return ["" if label in missing else label for label in labels] if missing else labels


def _note_repeats(
    blob: Blob, lines: Sequence[int], labels: Sequence[str], pages: Sequence[str], problems: ProblemList
) -> None:
    """Note every row with a page and a label that came together before."""
    seen: set[tuple[str, str]] = set()
    for line, label, page in zip(lines, labels, pages, strict=True):
        if problems.full:
            return
        if label not in _NO_CLUSTER and (label, page) in seen:
            found = f"page {quoted(page)} with the label {quoted(label)} again"
            problems.error("page-twice", f"{blob.name}: line {line}", found, "each page once per cluster")
        seen.add((label, page))


def takes_lines(content: Content) -> bool:
    rows = [row.strip() for row in content.rows()]
    some = any(map(_INTEGER.fullmatch, rows))
    return some and all(_INTEGER.fullmatch(row) or row.casefold() in _NOT_A_NUMBER for row in rows)


def read_lines(content: Content, context: Context) -> list[Clustering]:
    """One integer per page, in the order of the page list; 0, -1 and nan are noise: pages in no cluster."""
    blob = content.blob
    rows = [row.strip() for row in content.rows()]
    missing = [row for row in rows if row.casefold() in _NOT_A_NUMBER]
    if missing:
        found = f"{counted(len(missing), 'page')} with the label {listed(sorted(set(missing)))}"
        context.problems.warn("no-label", blob.name, found, "an integer", NO_CLUSTER)
    labels = [0 if row.casefold() in _NOT_A_NUMBER else int(row.partition(".")[0]) for row in rows]
    query = context.query_of(blob)
    pages = context.pages_of(blob, query) if query is not None else None
    if query is None or pages is None:
        return []
    if len(labels) != len(pages):
        found = f"{len(labels):,} labels"
        expected = f"{len(pages):,}, one for each page of query {quoted(query)}"
        context.problems.error("wrong-length", blob.name, found, expected)
        return []
    members: dict[int, list[str]] = defaultdict(list)
    for page, label in zip(pages, labels, strict=True):
        if label not in _NOISE:
            members[label].append(page)
    return [Clustering(query, tuple(Cluster(str(label), tuple(ids), str(label)) for label, ids in members.items()))]

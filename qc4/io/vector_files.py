"""Vectors from files: ``.npy`` and CSV, one row per page."""

from __future__ import annotations

import hashlib
import io
import math
from collections.abc import Sequence
from dataclasses import replace
from tokenize import TokenError
from typing import Any

import numpy as np
import numpy.typing as npt

from qc4.arrays import FloatArray
from qc4.io.csv_files import Table, read_table
from qc4.io.kinds import VECTORS
from qc4.io.limits import DEFAULT_LIMITS, MEBIBYTE, Budget, FileProblems, Limits
from qc4.io.source import Blob, FileSource, decode, lines, read_blob
from qc4.model.vectors import Vectors
from qc4.problems import InputError, Problem
from qc4.text import Spellings
from qc4.wording import quoted

VECTOR_LIMITS = replace(DEFAULT_LIMITS, file_bytes=256 * MEBIBYTE)
PAGE_COLUMNS = ("id", "page")
_BAD_HEADER = (ValueError, TypeError, SyntaxError, TokenError, MemoryError, RecursionError)
"""Exceptions that NumPy raises for headers that are not Python literals, or are nested too deeply."""
NPY_MAGIC = b"\x93NUMPY"


def read_vectors(
    source: FileSource,
    page_ids: Sequence[str],
    *,
    name: str | None = None,
    limits: Limits = VECTOR_LIMITS,
) -> Vectors:
    """Read the vectors of these pages.

    A ``.npy`` file holds a (pages, dimensions) array of numbers. A CSV or TSV file has a line of numbers per page. Both
    are in the order of ``page_ids``. If the first line of a CSV file names a column ``id`` or ``page``, this column
    names
    the page of each line instead, in any order. File name and SHA-256 are recorded in ``origin``.

    Raises:
        InputError: a page without a row, a row without a page, rows of different length, or values that are not finite
            numbers. The message names rows (lines for CSV) and pages.

    >>> read_vectors(b"page,x,y\\np2,0,1\\np1,0.5,0.5\\n", ["p1", "p2"]).points.tolist()
    [[0.5, 0.5], [0.0, 1.0]]
    """
    blob = read_blob(source, name, limits)
    origin = {"file": blob.name, "sha256": hashlib.sha256(blob.data).hexdigest()}
    if blob.data.startswith(NPY_MAGIC):
        return Vectors.of(_npy(blob), origin, page_ids, blob.name)
    return Vectors.of(_csv(blob, page_ids, Budget(limits)), origin, page_ids, blob.name)


def _npy(blob: Blob) -> npt.NDArray[Any]:
    """Return the array of a ``.npy`` file. Its header is checked first, because NumPy allocates any size that it
    claims.
    """
    file = io.BytesIO(blob.data)
    try:
        version = np.lib.format.read_magic(file)
        read_header = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
        shape, _, dtype = read_header(file)
    except _BAD_HEADER as error:
        raise InputError([Problem("bad-npy", blob.name, quoted(str(error)), "a NumPy file")]) from None
    if dtype.kind not in "fiu" or len(shape) != 2 or min(shape) < 0:
        found = f"an array of {dtype} with {len(shape)} dimensions"
        raise InputError([Problem("bad-npy", blob.name, found, "numbers, pages x dimensions")])
    expected, found_bytes = shape[0] * shape[1] * dtype.itemsize, len(blob.data) - file.tell()
    if expected != found_bytes:
        found = f"{found_bytes:,} bytes of numbers"
        raise InputError([Problem("bad-npy", blob.name, found, f"{expected:,}, as its header says")])
    array: npt.NDArray[Any] = np.load(io.BytesIO(blob.data), allow_pickle=False)
    return array


def _csv(blob: Blob, page_ids: Sequence[str], budget: Budget) -> FloatArray:
    text = decode(blob.data, blob.name, VECTORS)
    first = next(line for line in lines(text) if line.strip())
    named = {cell.strip().strip('"').casefold() for cell in first.replace(";", ",").replace("\t", ",").split(",")}
    if named & set(PAGE_COLUMNS):
        return _rows_by_id(blob, text, page_ids, budget)
    return _rows_in_order(blob, text, first, budget)


def _rows_in_order(blob: Blob, text: str, first: str, budget: Budget) -> FloatArray:
    separator = next((mark for mark in "\t;," if mark in first), ",")
    budget.charge("cells", text.count(separator) + text.count("\n") + 1, blob.name)
    problems = FileProblems()
    rows: list[FloatArray] = []
    width = first.count(separator) + 1
    for number, line in enumerate(lines(text), start=1):
        if line.strip() and not problems.full:
            rows.append(_numbers(line.split(separator), width, f"{blob.name}: line {number}", problems))
    problems.refuse_errors()
    return np.array(rows)


def _rows_by_id(blob: Blob, text: str, page_ids: Sequence[str], budget: Budget) -> FloatArray:
    problems = FileProblems()
    table = read_table(text, blob.name, budget, problems)
    problems.refuse_errors()
    column = table.column(*PAGE_COLUMNS)
    assert column is not None
    coordinates = [name for name in table.columns if name != column]
    if not coordinates:
        raise InputError([Problem("bad-vectors", f"{blob.name}: line 1", "no column of numbers", "at least one")])
    by_page = _rows_of_pages(blob, table, column, page_ids, problems)
    found: list[FloatArray] = []
    for page in page_ids:
        if problems.full:
            break
        if page in by_page:
            row = by_page[page]
            cells = [table.cells[name][row] for name in coordinates]
            found.append(_numbers(cells, len(coordinates), f"{blob.name}: line {table.lines[row]}", problems))
        else:
            problems.error("missing-vector", blob.name, f"no row for page {quoted(page)}", "one row per page")
    problems.refuse_errors()
    return np.array(found)


def _rows_of_pages(
    blob: Blob, table: Table, column: str, page_ids: Sequence[str], problems: FileProblems
) -> dict[str, int]:
    """Return the row of each page."""
    known = Spellings(page_ids)
    by_page: dict[str, int] = {}
    for row, cell in enumerate(table.cells[column]):
        page = known.of(cell.strip())
        where = f"{blob.name}: line {table.lines[row]}"
        if page not in known:
            problems.error("unknown-page", where, f"page {quoted(page)}", "a page of the page list")
        elif page in by_page:
            expected = f"each page once (first on line {table.lines[by_page[page]]})"
            problems.error("duplicate-page", where, f"page {quoted(page)} again", expected)
        else:
            by_page[page] = row
    return by_page


def _numbers(cells: Sequence[str], width: int, where: str, problems: FileProblems) -> FloatArray:
    """Return the numbers of a row, with NaN for invalid cells, which are reported in ``problems``."""
    if len(cells) != width:
        problems.error("wrong-vector-length", where, f"{len(cells)} numbers", f"{width}, as in the first row")
        return np.empty(0)  # not of full width: a long first row and many short ones would fill the memory
    row = np.empty(width)  # an array, not a list: 8 bytes per number
    for column, cell in enumerate(cells):
        row[column] = value = _number(cell)
        if not math.isfinite(value):
            found = quoted(cell.strip()) if cell.strip() else "nothing"
            problems.error("bad-vector", f"{where}, column {column + 1}", found, "a finite number")
    return row


def _number(cell: str) -> float:
    """Return the number in a cell, or NaN. Underscores between digits are valid in Python, but not in CSV."""
    try:
        return math.nan if "_" in cell else float(cell)
    except ValueError:
        return math.nan

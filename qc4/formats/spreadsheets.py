"""CSV files that somebody will open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from qc4.printing import Table

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def guarded(text: str) -> str:
    """The text, with an apostrophe in front where a spreadsheet would run it as a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(_STARTS_A_FORMULA) else text


def cell(value: object) -> object:
    """A value as CSV files have it: nothing for None, texts guarded, numbers in full precision, "true" and "false"."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return guarded(value) if isinstance(value, str) else value


def as_csv(table: Table) -> str:
    """Return the rows of a table as CSV, their values as `cell` writes them."""
    return "".join(csv_lines(table))


def csv_lines(table: Table) -> Iterator[str]:
    """Yield the lines of `as_csv`, one after the other."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in table.rows:
        writer.writerow(map(cell, row))
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def csv_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a head and rows as CSV."""
    return as_csv(Table(chain([head], rows)))


def unguarded(text: str) -> str:
    """What `guarded` was given."""
    return text[1:] if text.startswith("'") and guarded(text[1:]) == text else text

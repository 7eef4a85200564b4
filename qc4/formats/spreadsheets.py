"""CSV files that somebody will open in a spreadsheet."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

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


def csv_table(head: Sequence[str], rows: Iterable[Iterable[object]]) -> str:
    """A table as CSV, its values as `cell` writes them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(cell, head))
    writer.writerows(map(cell, row) for row in rows)
    return text.getvalue()


def unguarded(text: str) -> str:
    """What `guarded` was given."""
    return text[1:] if text.startswith("'") and guarded(text[1:]) == text else text

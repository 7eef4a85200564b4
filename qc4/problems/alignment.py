"""Text in columns, for a terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable, Sequence


def aligned(rows: Iterable[Sequence[str]], right: Container[int] = ()) -> str:
    """Rows in columns two spaces apart; the columns ``right`` are set to the right.

    A row of one cell is a heading and takes no part in the widths.
    """
    table = [list(row) for row in rows]
    columns = max((len(row) for row in table), default=0)
    widths = [max((_width(row[k]) for row in table if 1 < len(row) > k), default=0) for k in range(columns)]
    lines = []
    for row in table:
        if len(row) == 1:
            lines.append(row[0])
            continue
        cells = []
        for k, cell in enumerate(row):
            space = " " * (widths[k] - _width(cell))
            cells.append(space + cell if k in right else cell + space)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines) + "\n"


def printable(text: str) -> str:
    """Text of the input, with control and text-direction characters as escapes."""
    return text if text.isprintable() else repr(text)[1:-1]


def _width(text: str) -> int:
    """Columns a terminal takes for a text."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )

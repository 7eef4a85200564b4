"""The one table of results, and its printers: as text for a terminal and as HTML for a notebook.

`qc4.formats.spreadsheets` writes the same table as CSV, and `qc4.formats.latex` writes it for LaTeX.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from html import escape


@dataclass(frozen=True, slots=True)
class Cell:
    """A text that is set apart.

    Attributes:
        aside: a remark after the text, in parentheses; LaTeX sets it in small letters.
        bold: True for the best value of a column; LaTeX shows it.
    """

    text: str
    aside: str = ""
    bold: bool = False

    def __str__(self) -> str:
        return f"{self.text} ({self.aside})" if self.aside else self.text


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the head first; a row of one cell is a heading.

    Attributes:
        rows: texts and `Cell` objects for people; CSV files take any value, and write numbers in full precision.
        right: the columns set to the right.
        title: a line right above it, and the caption in LaTeX; "" for none.
        notes: lines right below it.
        keys: how many columns at the start name a row. They are repeated if LaTeX splits a wide table.
    """

    rows: Iterable[Sequence[object]]
    right: Container[int] = ()
    title: str = ""
    notes: Sequence[str] = ()
    keys: int = 1


Block = str | Table
"""A paragraph, each line ended, or a table."""


def as_text(blocks: Iterable[Block]) -> str:
    """Blocks with an empty line between them."""
    return "\n".join(block if isinstance(block, str) else _text(block) for block in blocks)


def as_html(blocks: Iterable[Block]) -> str:
    """Blocks as a fragment of HTML without styles or scripts; whatever they say is escaped."""
    return "\n".join(_paragraph(block) if isinstance(block, str) else _html(block) for block in blocks)


def paragraph(lines: Iterable[str]) -> str:
    """Lines as one block."""
    return "".join(f"{line}\n" for line in lines)


def _text(table: Table) -> str:
    """A table in columns two spaces apart; headings take no part in the widths."""
    rows = [list(map(str, row)) for row in table.rows]
    columns = max(map(len, rows), default=0)
    widths = [max((_width(row[k]) for row in rows if 1 < len(row) > k), default=0) for k in range(columns)]
    lines = [table.title] if table.title else []
    for row in rows:
        if len(row) == 1:
            lines.append(row[0])
            continue
        cells = []
        for k, cell in enumerate(row):
            space = " " * (widths[k] - _width(cell))
            cells.append(space + cell if k in table.right else cell + space)
        lines.append("  ".join(cells).rstrip())
    return paragraph([*lines, *table.notes])


def _paragraph(text: str) -> str:
    return f"<p>{'<br>'.join(map(escape, text.rstrip().splitlines()))}</p>"


def _html(table: Table) -> str:
    rows = [list(map(str, row)) for row in table.rows]
    columns = max(map(len, rows), default=0)
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    lines = []
    for number, row in enumerate(rows):
        tag = "td" if number else "th"
        if len(row) == 1:
            lines.append(f'<th colspan="{columns}" align="left">{escape(row[0].strip())}</th>')
        else:
            lines.append("".join(_cell(tag, cell, column in table.right) for column, cell in enumerate(row)))
    notes = f"\n{_paragraph(paragraph(table.notes))}" if table.notes else ""
    return f"<table>{title}\n" + "\n".join(f"<tr>{line}</tr>" for line in lines) + f"\n</table>{notes}"


def _cell(tag: str, text: str, right: bool) -> str:
    return f'<{tag} align="{"right" if right else "left"}">{escape(text.strip())}</{tag}>'


def _width(text: str) -> int:
    """Columns a terminal takes for a text."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )

"""Answers as text for a terminal and as HTML for a notebook: the same blocks, laid out in two ways."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from qc4.problems.alignment import aligned


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, the head first; a row of one cell is a heading.

    Attributes:
        right: the columns set to the right.
        title: a line above it; "" for none.
    """

    rows: Sequence[Sequence[str]]
    right: Sequence[int] = ()
    title: str = ""


Block = str | Table
"""A paragraph, each line ended, or a table."""


def as_text(blocks: Iterable[Block]) -> str:
    """Blocks with an empty line between them."""
    return "\n".join(block if isinstance(block, str) else _text(block) for block in blocks)


def as_html(blocks: Iterable[Block]) -> str:
    """Blocks as a fragment of HTML without styles or scripts; whatever they say is escaped."""
    return "\n".join(_paragraph(block) if isinstance(block, str) else _html(block) for block in blocks)


def _text(table: Table) -> str:
    text = aligned(table.rows, right=table.right)
    return f"{table.title}\n{text}" if table.title else text


def _paragraph(text: str) -> str:
    return f"<p>{'<br>'.join(map(escape, text.rstrip().splitlines()))}</p>"


def _html(table: Table) -> str:
    columns = max(map(len, table.rows), default=0)
    title = f"<caption>{escape(table.title)}</caption>" if table.title else ""
    lines = []
    for number, row in enumerate(table.rows):
        tag = "td" if number else "th"
        if len(row) == 1:
            lines.append(f'<th colspan="{columns}" align="left">{escape(row[0].strip())}</th>')
        else:
            lines.append("".join(_cell(tag, cell, column in table.right) for column, cell in enumerate(row)))
    return f"<table>{title}\n" + "\n".join(f"<tr>{line}</tr>" for line in lines) + "\n</table>"


def _cell(tag: str, text: str, right: bool) -> str:
    return f'<{tag} align="{"right" if right else "left"}">{escape(text.strip())}</{tag}>'

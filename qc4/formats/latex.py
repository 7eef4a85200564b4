"""Tables for LaTeX that fit a page, with booktabs.

A table that is too wide for a page gets column heads of several lines. If it is still too wide, it is rotated; if it is
too wide or too long for that, it is split into tables of fewer columns, which repeat the columns that name the rows. A
table that is too long for one page becomes a longtable, which breaks across pages by itself.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import ceil

from qc4.comparison.pictures.canvas import text_width
from qc4.printing import Cell, Table
from qc4.problems.wording import MINUS, count_words, decimals

PAGE_WIDTH, PAGE_HEIGHT = 345.0, 550.0
"""Points of text on a page of the class ``article`` at 10 points, the narrowest page in common use."""
PAGE_LINES, ROTATED_LINES = 38, 18
"""Lines of rows that fit beside caption, head and notes."""
WIDEST_TEXT = 140.0
"""Points; a column of longer texts breaks its lines."""
_BETWEEN_COLUMNS = 12.0
_LETTER, _SMALL_LETTER = 9.0, 6.3
"""Sizes for `text_width`, which measures the widest fonts in use. LaTeX's own font at 10 points is narrower."""
_HEAD_LINE = 40.0
"""Points; a line of a head of several lines may always be this wide."""
_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}", "–": "--", MINUS: "$-$", "±": r"$\pm$",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "𝑝": "$p$",
}  # fmt: skip
"""The brackets and the star would be options of the ``\\\\`` before them, at the start of a row."""


def escaped(text: str) -> str:
    """Text as LaTeX shows it, on one line. Letters beyond ASCII stay: LaTeX reads UTF-8."""
    return "".join(_SIGNS.get(sign, sign) for sign in " ".join(text.split()))


def interval_cell(text: str) -> str:
    """Return an interval, as `qc4.comparison.interval_words` and `behind_words` write it, with a dash: ".1–.2"."""
    return text.replace(" to ", "–")


def mean_cell(value: float | None, counted: int, total: int, *, bold: bool = False) -> Cell:
    """Return the cell of a mean, with its count unless the mean is over all queries: ".732 (28 of 44)"."""
    if value is None:
        return Cell("–")
    return Cell(decimals(value), count_words(counted, total), bold)


@dataclass(frozen=True, slots=True)
class _Column:
    """One column of a table: its head and cells as LaTeX, its width in points, and its letter for ``tabular``."""

    head: str
    cells: Sequence[str]
    width: float
    letter: str
    lines: Sequence[int]


def as_latex(table: Table, label: str, source: str = "") -> str:
    """Return a table as LaTeX: one or several environments that fit a page.

    Args:
        table: its title becomes the caption, its notes a paragraph below it. It has no headings (rows of one cell).
        label: for ``\\ref``; letters, digits and hyphens. Further parts of a split table are called "label-2" and on.
        source: an address for a comment at the top.
    """
    head, *rows = ([cell if isinstance(cell, Cell) else Cell(str(cell)) for cell in row] for row in table.rows)
    columns = _columns(table, head, rows, stacked=False)
    if _width(columns) > PAGE_WIDTH:
        columns = _columns(table, head, rows, stacked=True)
    lines = sum(map(max, zip(*(column.lines for column in columns), strict=True)))
    parts, environment = [columns], "table"
    if _width(columns) > PAGE_WIDTH:
        if _width(columns) <= PAGE_HEIGHT and lines <= ROTATED_LINES:
            environment = "sidewaystable"
        else:
            parts = _split(columns, table.keys)
    if lines > PAGE_LINES or len(parts) > 1:
        # Many floats in a row are more than LaTeX can hold, and a float does not break across pages.
        environment = "longtable"
    packages = {"table": "booktabs", "sidewaystable": "booktabs,rotating", "longtable": "booktabs,longtable"}
    written = [f"% needs \\usepackage{{{packages[environment]}}}"]
    if source:
        written.append(f"% {source}")
    for number, part in enumerate(parts, 1):
        of = f" (part {number} of {len(parts)})" if len(parts) > 1 else ""
        named = f"{label}-{number}" if number > 1 else label
        caption = rf"\caption{{{escaped(f'{table.title}{of}')}}}\label{{tab:{named}}}"
        notes = escaped(" ".join(table.notes)) if number == len(parts) else ""
        write = _longtable if environment == "longtable" else _float
        written += write(part, caption, notes, environment)
    return "\n".join([*written, ""])


def _columns(table: Table, head: Sequence[Cell], rows: Sequence[Sequence[Cell]], *, stacked: bool) -> list[_Column]:
    columns = []
    for place, title in enumerate(head):
        cells = [row[place] for row in rows]
        right = place in table.right
        widths = [_cell_width(cell) for cell in cells]
        width = max(widths, default=0.0)
        breaks = width > WIDEST_TEXT and not right
        if breaks:
            width = WIDEST_TEXT
        titles = _head_lines(title.text, max(width, _HEAD_LINE)) if stacked else [title.text]
        words = r" \\ ".join(map(escaped, titles))
        shown = words if len(titles) == 1 else rf"\shortstack[{'r' if right else 'l'}]{{{words}}}"
        columns.append(
            _Column(
                shown,
                [_written(cell) for cell in cells],
                max(width, *(text_width(line, _LETTER) for line in titles)),
                "r" if right else f"p{{{WIDEST_TEXT:g}pt}}" if breaks else "l",
                # Words leave some of a line empty.
                [ceil(1.1 * one / WIDEST_TEXT) if breaks and one > WIDEST_TEXT else 1 for one in widths],
            )
        )
    return columns


def _head_lines(text: str, width: float) -> list[str]:
    """Break the title of a column into lines that are no wider than this, if its words are not.

    A single sign, such as an arrow, stays on the line of the word before it.
    """
    lines: list[str] = []
    for word in text.split():
        if lines and (len(word) == 1 or text_width(f"{lines[-1]} {word}", _LETTER) <= width):
            lines[-1] = f"{lines[-1]} {word}"
        else:
            lines.append(word)
    return lines or [""]


def _cell_width(cell: Cell) -> float:
    return text_width(cell.text, _LETTER, bold=cell.bold) + (
        text_width(f" ({cell.aside})", _SMALL_LETTER) if cell.aside else 0.0
    )


def _written(cell: Cell) -> str:
    text = rf"\textbf{{{escaped(cell.text)}}}" if cell.bold else escaped(cell.text)
    return rf"{text} {{\scriptsize ({escaped(cell.aside)})}}" if cell.aside else text


def _width(columns: Iterable[_Column]) -> float:
    return sum(column.width + _BETWEEN_COLUMNS for column in columns)


def _split(columns: Sequence[_Column], keys: int) -> list[list[_Column]]:
    """Put the columns into parts that are no wider than a page; each begins with the columns that name the rows."""
    named = list(columns[:keys])
    parts = [list(named)]
    for column in columns[keys:]:
        if len(parts[-1]) > keys and _width([*parts[-1], column]) > PAGE_WIDTH:
            parts.append(list(named))
        parts[-1].append(column)
    return parts


def _float(columns: Sequence[_Column], caption: str, notes: str, environment: str) -> list[str]:
    return [
        rf"\begin{{{environment}}}",
        r"  \centering",
        f"  {caption}",
        rf"  \begin{{tabular}}{{{_letters(columns)}}}",
        r"  \toprule",
        _head(columns),
        r"  \midrule",
        *_rows(columns),
        r"  \bottomrule",
        r"  \end{tabular}",
        *([r"  \par\smallskip", rf"  \parbox{{\linewidth}}{{\footnotesize {notes}}}"] if notes else []),
        rf"\end{{{environment}}}",
    ]


def _longtable(columns: Sequence[_Column], caption: str, notes: str, environment: str) -> list[str]:
    head = [r"  \toprule", _head(columns), r"  \midrule"]
    return [
        rf"\begin{{{environment}}}{{{_letters(columns)}}}",
        rf"  {caption} \\",
        *head,
        r"  \endfirsthead",
        *head,
        r"  \endhead",
        r"  \bottomrule",
        r"  \endfoot",
        *_rows(columns),
        rf"\end{{{environment}}}",
        *([rf"{{\footnotesize\noindent {notes}\par}}"] if notes else []),
    ]


def _letters(columns: Iterable[_Column]) -> str:
    return "".join(column.letter for column in columns)


def _head(columns: Iterable[_Column]) -> str:
    return "  " + " & ".join(column.head for column in columns) + r" \\"


def _rows(columns: Iterable[_Column]) -> list[str]:
    return ["  " + " & ".join(cells) + r" \\" for cells in zip(*(column.cells for column in columns), strict=True)]

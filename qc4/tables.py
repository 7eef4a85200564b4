"""The table of results and its printers: text for a terminal, HTML for a notebook, CSV and LaTeX."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from html import escape
from itertools import chain
from math import ceil

from qc4.charts import text_width
from qc4.wording import MINUS, count_words, decimals


@dataclass(frozen=True, slots=True)
class Cell:
    """A cell with a remark or in bold.

    Attributes:
        aside: a remark after the text, in parentheses; in LaTeX it is set in small letters.
        bold: True for the best value of a column; only LaTeX shows it.
    """

    text: str
    aside: str = ""
    bold: bool = False

    def __str__(self) -> str:
        return f"{self.text} ({self.aside})" if self.aside else self.text


@dataclass(frozen=True, slots=True)
class Table:
    """Rows of cells, with the header first. A row of one cell is a heading.

    Attributes:
        rows: text and `Cell` objects for people to read. CSV files take any value and write numbers in full precision.
        right: indices of the right-aligned columns.
        title: a line directly above the table, or the caption in LaTeX; "" for none.
        notes: lines directly below the table.
        keys: number of leading columns that name a row. They are repeated if LaTeX splits a wide table.
    """

    rows: Iterable[Sequence[object]]
    right: Container[int] = ()
    title: str = ""
    notes: Sequence[str] = ()
    keys: int = 1


Block = str | Table
"""A paragraph whose lines all end in a newline, or a table."""


def as_text(blocks: Iterable[Block]) -> str:
    """Return the blocks as text, separated by empty lines."""
    return "\n".join(block if isinstance(block, str) else _text(block) for block in blocks)


def as_html(blocks: Iterable[Block]) -> str:
    """Return the blocks as an HTML fragment without styles or scripts. All text is escaped."""
    return "\n".join(_paragraph(block) if isinstance(block, str) else _html(block) for block in blocks)


def paragraph(lines: Iterable[str]) -> str:
    """Join lines into one block."""
    return "".join(f"{line}\n" for line in lines)


def _text(table: Table) -> str:
    """Return a table with columns two spaces apart. Headings do not affect the column widths."""
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
    """Return the width of a text in terminal columns."""
    return sum(
        0 if unicodedata.combining(character) else 2 if unicodedata.east_asian_width(character) in "WF" else 1
        for character in text
    )


# CSV files that people may open in a spreadsheet.

_STARTS_A_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def escape_formula(text: str) -> str:
    """Return the text, with a leading apostrophe if a spreadsheet would run it as a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(_STARTS_A_FORMULA) else text


def csv_cell(value: object) -> object:
    """Return a value for CSV: "" for None, guarded text, numbers in full precision, "true" and "false"."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return escape_formula(value) if isinstance(value, str) else value


def as_csv(table: Table) -> str:
    """Return the rows of a table as CSV. `csv_cell` converts the values."""
    return "".join(csv_lines(table))


def csv_lines(table: Table) -> Iterator[str]:
    """Yield the lines of `as_csv` one by one."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    for row in table.rows:
        writer.writerow(map(csv_cell, row))
        yield text.getvalue()
        text.seek(0)
        text.truncate()


def csv_table(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a header and rows as CSV."""
    return as_csv(Table(chain([head], rows)))


def unescape_formula(text: str) -> str:
    """Return the text that `guarded` was given."""
    return text[1:] if text.startswith("'") and escape_formula(text[1:]) == text else text


# LaTeX tables that fit a page, with booktabs. A table that is too wide for a page gets column heads of several lines.
# If it is still too wide, it is rotated. If it is too wide or too long for that, it is split into tables of fewer
# columns, which repeat the columns that name the rows. A table that is too long for one page becomes a longtable, which
# breaks across pages automatically.

PAGE_WIDTH, PAGE_HEIGHT = 345.0, 550.0
"""Width and height, in points, of the text on a page of the ``article`` class at 10 points, the narrowest in use."""
PAGE_LINES, ROTATED_LINES = 38, 18
"""Number of rows that fit on a page with the caption, head and notes."""
MAX_TEXT_WIDTH = 140.0
"""Points. A column with longer texts breaks its lines."""
_BETWEEN_COLUMNS = 12.0
_LETTER, _SMALL_LETTER = 9.0, 6.3
"""Font sizes for `text_width`, which measures the widest fonts in use. LaTeX's own font at 10 points is narrower."""
_HEAD_LINE = 40.0
"""Points. Each line of a column head with several lines may be at least this wide."""
_SIGNS = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "_": r"\_", "&": r"\&", "%": r"\%", "#": r"\#", "$": r"\$",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", "[": "{[}", "]": "{]}", "*": "{*}", "–": "--", MINUS: "$-$", "±": r"$\pm$",
    "↑": r"$\uparrow$", "↓": r"$\downarrow$", "𝑝": "$p$",
}  # fmt: skip
"""A bracket or star at the start of a row would be read as an option of the ``\\\\`` before it."""


def escape_latex(text: str) -> str:
    """Escape text for LaTeX, on one line. Non-ASCII letters are unchanged, because LaTeX reads UTF-8."""
    return "".join(_SIGNS.get(sign, sign) for sign in " ".join(text.split()))


def interval_cell(text: str) -> str:
    """Return an interval, as `qc4.stats.interval_words` and `behind_words` write it, with a dash: ".1–.2"."""
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
        table: its title becomes the caption, and its notes a paragraph below it. It has no headings (rows of one cell).
        label: for ``\\ref``; letters, digits and hyphens. If the table is split, the other parts are called "label-2",
            "label-3" and so on.
        source: a URL for a comment at the top.
    """
    head, *rows = ([cell if isinstance(cell, Cell) else Cell(str(cell)) for cell in row] for row in table.rows)
    columns = _columns(table, head, rows, stacked=False)
    if _points_wide(columns) > PAGE_WIDTH:
        columns = _columns(table, head, rows, stacked=True)
    lines = sum(map(max, zip(*(column.lines for column in columns), strict=True)))
    parts, environment = [columns], "table"
    if _points_wide(columns) > PAGE_WIDTH:
        if _points_wide(columns) <= PAGE_HEIGHT and lines <= ROTATED_LINES:
            environment = "sidewaystable"
        else:
            parts = _split(columns, table.keys)
    if lines > PAGE_LINES or len(parts) > 1:
        # LaTeX cannot hold many floats in a row, and a float does not break across pages.
        environment = "longtable"
    packages = {"table": "booktabs", "sidewaystable": "booktabs,rotating", "longtable": "booktabs,longtable"}
    written = [f"% needs \\usepackage{{{packages[environment]}}}"]
    if source:
        written.append(f"% {source}")
    for number, part in enumerate(parts, 1):
        of = f" (part {number} of {len(parts)})" if len(parts) > 1 else ""
        named = f"{label}-{number}" if number > 1 else label
        caption = rf"\caption{{{escape_latex(f'{table.title}{of}')}}}\label{{tab:{named}}}"
        notes = escape_latex(" ".join(table.notes)) if number == len(parts) else ""
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
        breaks = width > MAX_TEXT_WIDTH and not right
        if breaks:
            width = MAX_TEXT_WIDTH
        titles = _head_lines(title.text, max(width, _HEAD_LINE)) if stacked else [title.text]
        words = r" \\ ".join(map(escape_latex, titles))
        shown = words if len(titles) == 1 else rf"\shortstack[{'r' if right else 'l'}]{{{words}}}"
        columns.append(
            _Column(
                shown,
                [_written(cell) for cell in cells],
                max(width, *(text_width(line, _LETTER) for line in titles)),
                "r" if right else f"p{{{MAX_TEXT_WIDTH:g}pt}}" if breaks else "l",
                # Line breaks between words leave part of each line empty.
                [ceil(1.1 * one / MAX_TEXT_WIDTH) if breaks and one > MAX_TEXT_WIDTH else 1 for one in widths],
            )
        )
    return columns


def _head_lines(text: str, width: float) -> list[str]:
    """Break a column title into lines of at most this width, unless a single word is wider.

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
    text = rf"\textbf{{{escape_latex(cell.text)}}}" if cell.bold else escape_latex(cell.text)
    return rf"{text} {{\scriptsize ({escape_latex(cell.aside)})}}" if cell.aside else text


def _points_wide(columns: Iterable[_Column]) -> float:
    return sum(column.width + _BETWEEN_COLUMNS for column in columns)


def _split(columns: Sequence[_Column], keys: int) -> list[list[_Column]]:
    """Split the columns into parts no wider than a page. Each part begins with the columns that name the rows."""
    named = list(columns[:keys])
    parts = [list(named)]
    for column in columns[keys:]:
        if len(parts[-1]) > keys and _points_wide([*parts[-1], column]) > PAGE_WIDTH:
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

"""Two rankings side by side, with a line for each system that shows whether it rose or fell."""

from __future__ import annotations

from collections.abc import Sequence

from qc4.charts import Canvas, Style, fit_text, text_width

_ROW, _PLOT, _TOP = 20, 200, 66


def slope_picture(
    title: str, heads: tuple[str, str], rows: Sequence[tuple[str, int, int]], style: Style = "paper"
) -> str:
    """Draw the names with their ranks on both sides. Lines of unchanged ranks are faint.

    Equal ranks are listed one below the other, by name.

    Args:
        heads: titles of the two sides.
        rows: name, rank on the left, rank on the right.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    places = [
        {name: place for place, (_, name) in enumerate(sorted((row[side], row[0]) for row in rows))} for side in (1, 2)
    ]
    labels = [{row[0]: f"{fit_text(row[0])} {row[side]}" for row in rows} for side in (1, 2)]
    left = 14 + max([60.0, *map(text_width, labels[0].values())])
    right = left + _PLOT
    canvas.text(8, 18, title, bold=True)
    canvas.text(left - 8, 48, heads[0], role="faint", anchor="end", size=11)
    canvas.text(right + 8, 48, heads[1], role="faint", size=11)
    for name, before, after in rows:
        start, end = (_TOP + _ROW * place[name] for place in places)
        whole = f"{name}: {before} to {after}"
        canvas.path(f"M{left} {start}L{right} {end}", "faint-line" if before == after else "line", whole=whole)
        role = "hollow" if before == after else "solid"
        canvas.dot(left, start, 3.5, role, whole=whole)
        canvas.dot(right, end, 3.5, role, whole=whole)
        canvas.text(left - 8, start + 4, labels[0][name], anchor="end", whole=whole)
        canvas.text(right + 8, end + 4, f"{after} {fit_text(name)}", whole=whole)
    width = right + 20 + max([60.0, *map(text_width, labels[1].values())])
    said = "; ".join(f"{name} {before} to {after}" for name, before, after in rows)
    return canvas.svg(max(width, text_width(title, bold=True) + 16), _TOP + _ROW * max(1, len(rows)), title, said)

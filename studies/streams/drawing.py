"""The files of the study: one SVG per figure, and all values as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from qc4.formats.spreadsheets import csv_table
from studies.streams.chart import Line, Panel, svg
from studies.streams.study import FigureValue

TITLES = {
    "6": "CMM and other measures on the ground truth, by horizon, and of K-means over time",
    "7": "CMM and internal measures by error level, and the structure of the streams",
    "9": "CMM and external measures by error level",
}


def study_csv(values: Sequence[FigureValue]) -> str:
    """Return CSV with a header and one row per value, in full precision."""
    columns = ["figure", "panel", "x", "measure", "median", "moments"]
    return csv_table(columns, ([getattr(value, column) for column in columns] for value in values))


def study_figures(values: Sequence[FigureValue]) -> dict[str, str]:
    """Return the SVG of the figures ``6``, ``7`` and ``9``."""
    return {
        figure: svg(
            f"Figure {figure}: {TITLES[figure]}",
            [_panel(list(found)) for _, found in groupby(group, key=lambda value: value.figure)],
            columns=4,
        )
        for figure, group in ((key, list(rows)) for key, rows in groupby(values, key=lambda value: value.figure[0]))
    }


def _panel(values: Sequence[FigureValue]) -> Panel:
    first = values[0]
    by_horizon = first.figure in ("6b", "6c", "6d", "7d")
    xs = sorted({value.x for value in values})
    place = {x: float(number) if by_horizon else x for number, x in enumerate(xs)}
    lines = []
    for name in dict.fromkeys(value.measure for value in values):
        rows = [value for value in values if value.measure == name]
        top = max(row.median for row in rows)
        scale = top if name == "SSQ" and top > 0 else 1.0
        title = f"SSQ / {top:.4g}" if name == "SSQ" else name
        points = tuple((place[row.x], row.median / scale) for row in rows)
        lines.append(Line(title, points, markers=first.figure != "6a"))
    what = "horizon (points)" if by_horizon else "time" if first.figure == "6a" else "error level"
    ticks = tuple(f"{int(x):,}" for x in xs) if by_horizon else ()
    return Panel(f"{first.figure[0]}({first.figure[1]}) {first.panel}", what, tuple(lines), ticks)

"""The files of the study: one SVG per figure, and all values as CSV."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import groupby

from qc4.charts import Scale, path, ticks
from qc4.tables import csv_table
from studies.streams.study import FigureValue

# Line charts as plain SVG. Dashes, markers and shades distinguish the lines in greyscale.

WIDTH, PLOT, LEFT, RIGHT, TOP, LINE = 340, 190, 46, 22, 34, 15
"""Sizes of a panel: its width, the height of its plot, left, right and top margins, and the legend's line height."""

_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2")
_GREYS = ("#000000", "#333333", "#555555", "#6b6b6b", "#808080", "#949494")
_MARKERS = (
    "M-3,-3h6v6h-6z",
    "M0,-4L4,3L-4,3z",
    "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0",
    "M0,-4L4,0L0,4L-4,0z",
    "M-3,-3L3,3M-3,3L3,-3",
    "M0,-4V4M-4,0H4",
)


@dataclass(frozen=True, slots=True)
class Line:
    """A named line. ``points`` are (x, y), with y None for missing values. Long series have no markers."""

    name: str
    points: tuple[tuple[float, float | None], ...]
    markers: bool = True


@dataclass(frozen=True, slots=True)
class Panel:
    """A chart with y from 0 to 1. If ``ticks`` are given, they are the names of the x values 0, 1, .."""

    title: str
    x_title: str
    lines: tuple[Line, ...]
    ticks: tuple[str, ...] = ()


def svg(title: str, panels: Sequence[Panel], columns: int = 3) -> str:
    """Draw panels in rows, each with its legend below. The title is also the text for screen readers."""
    depth = TOP + PLOT + 36 + LINE * max((len(panel.lines) for panel in panels), default=0) + 12
    rows = math.ceil(len(panels) / columns)
    width, height = WIDTH * min(columns, len(panels)), depth * rows
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        f'role="img" aria-label="{escape(title)}" font-family="sans-serif" font-size="11" fill="#000">',
        f"<title>{escape(title)}</title>",
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    for number, panel in enumerate(panels):
        row, column = divmod(number, columns)
        parts += [f'<g transform="translate({column * WIDTH},{row * depth})">', *_panel(panel), "</g>"]
    return "\n".join([*parts, "</svg>"]) + "\n"


def _panel(panel: Panel) -> list[str]:
    plot = WIDTH - LEFT - RIGHT
    xs = [x for line in panel.lines for x, _ in line.points]
    low, high = min(xs, default=0.0), max(xs, default=1.0)
    high = high if high > low else low + 1.0
    x, y = Scale(low, high, LEFT, LEFT + plot), Scale(0.0, 1.0, TOP + PLOT, TOP)
    places = [float(place) for place in range(len(panel.ticks))] or ticks(low, high)
    names = panel.ticks or [f"{place:.6g}" for place in places]
    parts = [f'<text x="{LEFT}" y="18" font-weight="bold">{escape(panel.title)}</text>']
    for tick in ticks(0.0, 1.0):
        parts.append(f'<path d="M{LEFT},{y(tick):.1f}h{plot}" stroke="#ddd"/>')
        parts.append(f'<text x="{LEFT - 6}" y="{y(tick) + 4:.1f}" text-anchor="end">{tick:.1f}</text>')
    for place, name in zip(places, names, strict=True):
        parts.append(f'<text x="{x(place):.1f}" y="{TOP + PLOT + 15}" text-anchor="middle">{escape(name)}</text>')
    parts.append(
        f'<text x="{LEFT + plot / 2}" y="{TOP + PLOT + 30}" text-anchor="middle">{escape(panel.x_title)}</text>'
    )
    for number, line in enumerate(panel.lines):
        drawn = [None if value is None else (x(at), y(value)) for at, value in line.points]
        parts += [*_line(drawn, number, line.markers), *_legend(line, number)]
    return parts


def _line(drawn: Sequence[tuple[float, float] | None], number: int, markers: bool) -> list[str]:
    spots = [spot for spot in drawn if spot]
    parts = [f'<path d="{path(drawn)}" fill="none" {_pen(number)}/>'] if spots else []
    return [*parts, *(_marker(*spot, number) for spot in spots if markers)]


def _legend(line: Line, number: int) -> list[str]:
    y = TOP + PLOT + 44 + LINE * number
    marker = [_marker(LEFT + 17, y, number)] if line.markers else []
    return [
        f'<path d="M{LEFT},{y}h34" {_pen(number)}/>',
        *marker,
        f'<text x="{LEFT + 42}" y="{y + 4}">{escape(line.name)}</text>',
    ]


def _pen(number: int) -> str:
    dash = _DASHES[number % len(_DASHES)]
    stroke = f'stroke="{_GREYS[number % len(_GREYS)]}" stroke-width="1.5"'
    return f'{stroke} stroke-dasharray="{dash}"' if dash else stroke


def _marker(x: float, y: float, number: int) -> str:
    grey = _GREYS[number % len(_GREYS)]
    shape = _MARKERS[number % len(_MARKERS)]
    return f'<path d="{shape}" transform="translate({x:.1f},{y:.1f})" fill="#fff" stroke="{grey}" stroke-width="1.2"/>'


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
            [_panel_of_values(list(found)) for _, found in groupby(group, key=lambda value: value.figure)],
            columns=4,
        )
        for figure, group in ((key, list(rows)) for key, rows in groupby(values, key=lambda value: value.figure[0]))
    }


def _panel_of_values(values: Sequence[FigureValue]) -> Panel:
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

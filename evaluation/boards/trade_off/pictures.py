"""Quality against coverage and Fig. 1 A, B and C as SVG, for a page or for a paper."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.boards.trade_off.selectors import FIGURES, Bar, Figure, FigureMeasure, TradeOff, TradeOffRow
from evaluation.charts.marks import ON_PAPER, PATHS, Mark
from qc4.charts import Canvas, Scale, Style, escape_xml, fit_text, path, text_width, ticks
from qc4.stats import number
from qc4.wording import mean_words

LEFT, RIGHT, TOP, BOTTOM, PLOT = 52, 26, 14, 44, 520
LABEL, MARK = 11, 0.7
SHORT_ROOM = 150.0
"""Pixels for the shortened name, if the whole name does not fit in the scatter plot."""
LINES = tuple(tenth / 10 for tenth in range(1, 10))
FACET, SPACE, ROW, HEAD = 168, 56, 20, 44
Marks = Mapping[int, Mark]
Box = tuple[float, float, float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True, slots=True)
class PlotPosition:
    """Position of an algorithm in the scatter plot."""

    row: TradeOffRow
    x: float
    y: float


def scatter_picture(found: TradeOff, marks: Marks, style: Style = "paper") -> str:
    """Draw a mark per algorithm over lines of equal harmonic mean and of the random baseline."""
    canvas = Canvas(style)
    x, y = Scale(0, 1, LEFT, LEFT + PLOT), Scale(0, 1, TOP + PLOT, TOP)
    _frame(canvas, x, y)
    places = [
        PlotPosition(row, x(row.coverage.value), y(row.quality.value))
        for row in found.rows
        if row.quality.value is not None and row.coverage.value is not None
    ]
    for place in places:
        if place.row.algorithm.baseline == "random":
            canvas.path(f"M{LEFT} {place.y:.1f}H{LEFT + PLOT}", "faint-line", dash="2 4")
            canvas.path(f"M{place.x:.1f} {TOP}V{TOP + PLOT}", "faint-line", dash="2 4")
            canvas.text(LEFT + PLOT - 4, place.y - 4, "chance", role="faint", anchor="end", size=LABEL)
    taken: list[Box] = []
    taken += map(_box, places)
    for place in reversed(places):
        _mark(canvas, marks.get(place.row.algorithm.pk), place.x, place.y, _words(place.row))
    for place in places:
        _label(canvas, place, taken)
    quality, coverage = (found.columns[key].measure.title for key in (found.quality, found.coverage))
    canvas.text(LEFT + PLOT / 2, TOP + PLOT + 36, f"{coverage} →", anchor="middle")
    canvas.text(14, TOP + PLOT / 2, f"{quality} →", anchor="middle", turn=-90)
    return canvas.svg(LEFT + PLOT + RIGHT, TOP + PLOT + BOTTOM, f"{quality} against {coverage.lower()}", found.methods)


def _frame(canvas: Canvas, x: Scale, y: Scale) -> None:
    for tenth in (0, 0.2, 0.4, 0.6, 0.8, 1):
        canvas.path(f"M{LEFT} {y(tenth):.1f}H{LEFT + PLOT}M{x(tenth):.1f} {TOP}V{TOP + PLOT}", "grid")
        canvas.text(LEFT - 6, y(tenth) + 4, f"{tenth:.1f}", role="faint", anchor="end", size=LABEL)
        canvas.text(x(tenth), TOP + PLOT + 16, f"{tenth:.1f}", role="faint", anchor="middle", size=LABEL)
    for line in LINES:
        start = line / (2 - line)
        # The curve is symmetric: one half from the top to the diagonal, and its mirror image.
        half = [(one, line * one / (2 * one - line)) for one in (1 + (line - 1) * step / 24 for step in range(25))]
        along = [*((few, much) for much, few in half), *reversed(half)]
        canvas.path(path((x(coverage), y(quality)) for coverage, quality in along), "faint-line")
        canvas.text(LEFT + PLOT + 3, y(start) + 4, number(line, 1), role="faint", size=10)


def _box(place: PlotPosition) -> Box:
    """Return the left, top, right and bottom of a mark."""
    half = 8 * MARK + 1
    return place.x - half, place.y - half, place.x + half, place.y + half


def _words(row: TradeOffRow) -> str:
    quality, coverage = (mean_words(one.value, one.counted, one.total) for one in (row.quality, row.coverage))
    return f"{row.algorithm.name}: quality {quality}, coverage {coverage}"


def _mark(canvas: Canvas, mark: Mark | None, x: float, y: float, whole: str) -> None:
    mark = mark or Mark(7, "circle", hollow=False)
    colour = f'color="{ON_PAPER[mark.hue]}"' if canvas.style == "paper" else f'class="hue-{mark.hue}"'
    ground = "#fff" if canvas.style == "paper" else "var(--surface)"
    look = (
        f'fill="{ground}" stroke="currentColor" stroke-width="2.2"'
        if mark.hollow
        else f'fill="currentColor" stroke="{ground}" stroke-width="1"'
    )
    canvas.add(
        f'<g {colour} transform="translate({x - 8 * MARK:.1f} {y - 8 * MARK:.1f}) scale({MARK})">'
        f'<path {look} d="{PATHS[mark.shape]}"/><title>{escape_xml(whole)}</title></g>'
    )


def _label(canvas: Canvas, place: PlotPosition, taken: list[Box]) -> None:
    """Write the name beside the mark, shortened if the whole does not fit, or not at all; the table has all names."""
    name = "gold standard" if place.row.is_gold else place.row.algorithm.name
    left, top, right, bottom = _box(place)
    sides: tuple[tuple[float, float, Anchor], ...] = (
        (right + 3, place.y + 4, "start"),
        (left - 3, place.y + 4, "end"),
        (place.x, top - 3, "middle"),
        (place.x, bottom + 11, "middle"),
    )
    for shown in dict.fromkeys((fit_text(name, PLOT, LABEL), fit_text(name, SHORT_ROOM, LABEL))):
        width = text_width(shown, LABEL)
        for x, y, anchor in sides:
            start = x - {"start": 0.0, "middle": width / 2, "end": width}[anchor]
            box = (start, y - 9, start + width, y + 2)
            inside = box[0] >= LEFT and box[2] <= LEFT + PLOT + RIGHT and box[1] >= 0
            if inside and not any(_overlap(box, other) for other in taken):
                taken.append(box)
                canvas.text(x, y, shown, size=LABEL, anchor=anchor, whole=place.row.algorithm.name)
                return


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def figure_picture(found: TradeOff, figure: Figure, marks: Marks, style: Style = "paper") -> str:
    """Draw the bars of every algorithm, one panel per measure, with lines for the gold standard and for chance."""
    canvas = Canvas(style)
    rows = [row for row in found.rows if not row.is_gold]
    names = [fit_text(row.algorithm.name, size=LABEL) for row in rows]
    left = 34 + max([text_width(name, LABEL) for name in names], default=60)
    bottom = HEAD + ROW * len(rows)
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = HEAD + ROW * place + ROW / 2
        _mark(canvas, marks.get(row.algorithm.pk), 14, y, row.algorithm.name)
        canvas.text(28, y + 4, name, size=LABEL, whole=row.algorithm.name)
    for number_of, bars in enumerate(figure.bars):
        _facet(canvas, found, figure, bars, rows, left + number_of * (FACET + SPACE), bottom)
    title = f"{figure.key}: {figure.title}"
    wide = left + max(len(one.bars) for one in FIGURES) * (FACET + SPACE)
    return canvas.svg(wide, bottom + 26, title, found.caption(figure))


def _facet(
    canvas: Canvas,
    found: TradeOff,
    figure: Figure,
    bars: FigureMeasure,
    rows: Sequence[TradeOffRow],
    left: float,
    bottom: float,
) -> None:
    shown = [(row, row.bar(figure.key, bars.key)) for row in rows]
    everything = [row.bar(figure.key, bars.key).value for row in found.rows]
    known = [value for value in everything if value is not None]
    low, high = min([0.0, *known]), max([1.0, *known])
    x = Scale(low, high, left, left + FACET)
    canvas.text(left, 14, f"{bars.title} {'↓' if bars.lower else '↑'}", bold=True)
    for tick in ticks(low, high, 4):
        canvas.path(f"M{x(tick):.1f} {HEAD - 6}V{bottom}", "grid")
        canvas.text(x(tick), bottom + 16, f"{tick + 0.0:g}", role="faint", anchor="middle", size=10)
    for row in found.rows:
        value = row.bar(figure.key, bars.key).value
        if value is not None and row.algorithm.baseline in {"gold", "random"}:
            words = "gold" if row.is_gold else "chance"
            canvas.path(f"M{x(value):.1f} {HEAD - 8}V{bottom}", "line-thin", dash="" if row.is_gold else "2 4")
            canvas.text(x(value), HEAD - 12, words, role="faint", anchor="middle", size=10)
    for place, (row, bar) in enumerate(shown):
        _bar(canvas, row, bar, x, HEAD + ROW * place)


def _bar(canvas: Canvas, row: TradeOffRow, bar: Bar, x: Scale, y: float) -> None:
    if bar.value is None:
        canvas.text(x(0) + 4, y + ROW / 2 + 4, "undefined", role="faint", size=10, whole=bar.undefined)
        return
    start, end = sorted((x(0), x(bar.value)))
    shown = mean_words(bar.value, bar.counted, bar.total)
    words = f"{row.algorithm.name}: {shown}{'' if bar.compared else ', not compared'}"
    role = "figure-bar" if bar.compared else "figure-aside"
    canvas.box(start, y + 3, max(end - start, 0.5), ROW - 6, role, whole=words)
    canvas.text(end + 4, y + ROW / 2 + 4, shown, size=10)

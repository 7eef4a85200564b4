"""Forest plot: how far each system is from the baseline, or from the leader, with intervals."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qc4.charts import Scale, ticks
from qc4.comparison.pictures.canvas import Canvas, Style, short, text_width
from qc4.comparison.result import Comparison, PairResult
from qc4.comparison.words import SYSTEM, family_caption, leader_sentence, number, p_words, pair_sentence
from qc4.problems.wording import counted

_ROW, _PLOT, _TOP, _GAP, _MARK = 24, 300, 62, 14, 4.5
_LEGEND = "Solid, bold: separated at alpha {:g}. Grey band: practically equal."


@dataclass(frozen=True, slots=True)
class _Row:
    """A system against the reference: positive where it is better."""

    system: str
    pair: PairResult
    difference: float
    low: float | None
    high: float | None


def forest_picture(found: Comparison, style: Style = "paper", called: str = SYSTEM) -> str:
    """Differences from the baseline where there is one, from the leader otherwise; solid marks are separated.

    Args:
        called: what a system is called, in the singular.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    reference = found.baseline or found.leader.system
    rows = _rows(found, reference)
    names, figures = [short(row.system) for row in rows], [_figures(row) for row in rows]
    left = 12 + max([text_width(name) for name in names], default=60)
    x = _scale(found, rows, left + _GAP)
    bottom = _TOP + _ROW * len(rows)
    _head(canvas, found, reference)
    _axis(canvas, x, found.method.margin, bottom)
    for place, (row, name, text) in enumerate(zip(rows, names, figures, strict=True)):
        _row(canvas, row, (name, text, pair_sentence(found, row.pair)), x, left, _TOP + _ROW * place + _ROW / 2)
    canvas.text(8, bottom + 38, _LEGEND.format(found.method.alpha), role="faint", size=11)
    width = x.end + _GAP + max([text_width(text, bold=True) for text in figures], default=0) + 12
    least = text_width(_LEGEND.format(0.05), 11) + 16
    title = f"Difference from {reference} on {counted(found.queries, 'query', 'queries')}"
    described = " ".join([leader_sentence(found, called), *(pair_sentence(found, row.pair) for row in rows)])
    return canvas.svg(max(width, least), bottom + 48, title, described)


def _scale(found: Comparison, rows: Sequence[_Row], start: float) -> Scale:
    """From the lowest to the highest end, the band of what is practically equal within them."""
    bounds = [end for row in rows for end in (row.low, row.high, row.difference) if end is not None]
    low, high = min([*bounds, -found.method.margin]), max([*bounds, found.method.margin])
    room = 0.04 * (high - low or 1.0)
    return Scale(low - room, high + room, start, start + _PLOT)


def _head(canvas: Canvas, found: Comparison, reference: str) -> None:
    canvas.text(8, 18, f"Difference from {short(reference)}", bold=True, whole=reference)
    confidence = f"{100 * found.method.confidence:g} % intervals; " if found.queries > 1 else ""
    words = f"{counted(found.queries, 'query', 'queries')}; {confidence}{family_caption(found)}"
    canvas.text(8, 34, words, role="faint", size=11)


def _axis(canvas: Canvas, x: Scale, margin: float, bottom: float) -> None:
    """The band of what is practically equal, ticks, and the line of no difference."""
    top, words = _TOP - 6, f"practically equal, up to {margin:g}"
    canvas.box(x(-margin), top, x(margin) - x(-margin), bottom - top, "margin", whole=words)
    canvas.text(x(0) - 6, _TOP - 12, "← worse", role="faint", anchor="end", size=11)
    canvas.text(x(0) + 6, _TOP - 12, "better →", role="faint", size=11)
    for place in ticks(x.low, x.high):
        canvas.path(f"M{x(place):.1f} {top}V{bottom}", "grid")
        canvas.text(x(place), bottom + 16, f"{place + 0.0:g}", role="faint", anchor="middle", size=11)
    canvas.path(f"M{x(0):.1f} {top}V{bottom}", "axis")


def _row(canvas: Canvas, row: _Row, words: tuple[str, str, str], x: Scale, left: float, y: float) -> None:
    """Args: words: the name, the figures, and the pair in a sentence."""
    name, figures, sentence = words
    separated = row.pair.verdict == "better"
    canvas.text(left, y + 4, name, anchor="end", whole=row.system)
    if row.low is not None and row.high is not None:
        canvas.path(_interval(x(row.low), x(row.difference), x(row.high), y, separated), "interval")
    canvas.dot(x(row.difference), y, _MARK, "solid" if separated else "hollow", whole=sentence)
    canvas.text(x.end + _GAP, y + 4, figures, bold=separated)


def _interval(low: float, middle: float, high: float, y: float, through: bool) -> str:
    """A line with ends; it spares what a hollow mark encloses."""
    ends = "".join(f"M{end:.1f} {y - 4:.1f}v8" for end in (low, high))
    if through:
        return f"M{low:.1f} {y:.1f}H{high:.1f}{ends}"
    sides = ((low, middle - _MARK), (middle + _MARK, high))
    return "".join(f"M{start:.1f} {y:.1f}H{end:.1f}" for start, end in sides if start < end) + ends


def _rows(found: Comparison, reference: str) -> list[_Row]:
    rows = []
    for system in found.systems:
        if system.system == reference:
            continue
        pair = found.pair(system.system, reference)
        if pair.a == system.system:
            rows.append(_Row(system.system, pair, pair.difference, pair.low, pair.high))
        else:
            low, high = (None if end is None else -end + 0.0 for end in (pair.high, pair.low))
            rows.append(_Row(system.system, pair, -pair.difference + 0.0, low, high))
    return rows


def _figures(row: _Row) -> str:
    interval = "" if row.low is None else f" ({number(row.low)} to {number(row.high)})"
    p = "" if row.pair.p_adjusted is None else f", {p_words(row.pair.p_adjusted)}"
    return f"{number(row.difference)}{interval}{p}"

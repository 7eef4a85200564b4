"""Forest plot: how far each system is from the baseline, or from the leader, with intervals."""

from __future__ import annotations

from dataclasses import dataclass

from qc4.charts import Scale, ticks
from qc4.comparison.pictures.canvas import Canvas, Style, short, text_width
from qc4.comparison.result import Comparison, PairResult
from qc4.comparison.words import family_caption, leader_sentence, number, p_words, pair_sentence
from qc4.problems.wording import counted

_ROW, _PLOT, _TOP, _GAP, _MARK = 24, 300, 62, 14, 4.5


@dataclass(frozen=True, slots=True)
class _Row:
    """A system against the reference: positive where it is better."""

    system: str
    pair: PairResult
    difference: float
    low: float | None
    high: float | None


def forest_picture(found: Comparison, style: Style = "paper") -> str:
    """Differences from the baseline where there is one, from the leader otherwise; solid marks are separated.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    reference = found.baseline or found.leader.system
    rows = _rows(found, reference)
    names = [short(row.system) for row in rows]
    left = 12 + max([text_width(name) for name in names], default=60)
    bounds = [end for row in rows for end in (row.low, row.high, row.difference) if end is not None]
    low, high = min([*bounds, -found.method.margin]), max([*bounds, found.method.margin])
    room = 0.04 * (high - low or 1.0)
    low, high = low - room, high + room
    x = Scale(low, high, left + _GAP, left + _GAP + _PLOT)
    bottom = _TOP + _ROW * len(rows)
    figures = [_figures(row) for row in rows]
    width = x.end + _GAP + 1.08 * max([text_width(text) for text in figures], default=0) + 12
    title = f"Difference from {reference} on {counted(found.queries, 'query', 'queries')}"
    canvas.text(8, 18, f"Difference from {short(reference)}", bold=True, whole=reference)
    confidence = f"{100 * found.method.confidence:g} % intervals; " if found.queries > 1 else ""
    canvas.text(
        8,
        34,
        f"{counted(found.queries, 'query', 'queries')}; {confidence}{family_caption(found)}",
        role="faint",
        size=11,
    )
    margin = found.method.margin
    canvas.box(
        x(-margin),
        _TOP - 6,
        x(margin) - x(-margin),
        bottom - _TOP + 6,
        "margin",
        whole=f"practically equal, up to {margin:g}",
    )
    canvas.text(x(0) - 6, _TOP - 12, "← worse", role="faint", anchor="end", size=11)
    canvas.text(x(0) + 6, _TOP - 12, "better →", role="faint", size=11)
    for place in ticks(low, high):
        canvas.path(f"M{x(place):.1f} {_TOP - 6}V{bottom}", "grid")
        canvas.text(x(place), bottom + 16, f"{place + 0.0:g}", role="faint", anchor="middle", size=11)
    canvas.path(f"M{x(0):.1f} {_TOP - 6}V{bottom}", "axis")
    for place, (row, name, text) in enumerate(zip(rows, names, figures, strict=True)):
        y = _TOP + _ROW * place + _ROW / 2
        sentence = pair_sentence(found, row.pair)
        canvas.text(left, y + 4, name, anchor="end", whole=row.system)
        separated = row.pair.verdict == "better"
        if row.low is not None and row.high is not None:
            canvas.path(_interval(x(row.low), x(row.difference), x(row.high), y, separated), "interval")
        canvas.dot(x(row.difference), y, _MARK, "solid" if separated else "hollow", whole=sentence)
        canvas.text(x.end + _GAP, y + 4, text, bold=separated)
    canvas.text(
        8,
        bottom + 38,
        f"Solid, bold: separated at alpha {found.method.alpha:g}. Grey band: practically equal.",
        role="faint",
        size=11,
    )
    least = text_width("Solid, bold: separated at alpha 0.05. Grey band: practically equal.", 11) + 16
    described = " ".join([leader_sentence(found), *(pair_sentence(found, row.pair) for row in rows)])
    return canvas.svg(max(width, least), bottom + 48, title, described)


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

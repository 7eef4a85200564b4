"""Differences to one system: the baseline, the leader, or any other chosen row."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qc4.charts import Canvas, Scale, Style, fit_text, text_width, ticks
from qc4.problems import InputError, Problem
from qc4.stats.results import Comparison, PairResult
from qc4.stats.wording import (
    SYSTEM,
    family_words,
    leader_sentence,
    of_queries,
    p_words,
    pair_sentence,
    signed_number,
)
from qc4.wording import listed

_ROW, _PLOT, _TOP, _GAP, _MARK = 24, 300, 62, 14, 4.5
VISIBLE = 3.0
"""Minimum visible distance in pixels."""
_LEGEND = "A bar that crosses the line at 0: not significantly different. Solid, bold: significantly different."


@dataclass(frozen=True, slots=True)
class AgainstRow:
    """A system compared with the chosen one; positive if it is better.

    Attributes:
        low, high: ends of the interval; None if there is none.
    """

    system: str
    pair: PairResult
    difference: float
    low: float | None
    high: float | None


def against_rows(found: Comparison, reference: str) -> tuple[AgainstRow, ...]:
    """Return the differences of all other systems to one, in their order, without pairs outside the family."""
    rows = []
    for system in found.systems:
        pair = found.pair_or_none(system.system, reference)
        if pair is None:
            continue
        if pair.a == system.system:
            rows.append(AgainstRow(system.system, pair, pair.difference, pair.low, pair.high))
        else:
            low, high = (None if end is None else -end + 0.0 for end in (pair.high, pair.low))
            rows.append(AgainstRow(system.system, pair, -pair.difference + 0.0, low, high))
    return tuple(rows)


def against_picture(found: Comparison, style: Style = "paper", called: str = SYSTEM, row: str | None = None) -> str:
    """Draw the differences to one system as bars of the simultaneous intervals, with a line at 0.

    Args:
        called: the word for a system, in the singular.
        row: the chosen system, by default the baseline, or the leader if there is none. It changes only the chart, not
            a test, interval or verdict.

    Raises:
        InputError: an unknown style or system.
    """
    canvas = Canvas(style)
    reference = row or found.baseline or found.leader.system
    if reference not in (names := [system.system for system in found.systems]):
        raise InputError([Problem("unknown-system", "row", repr(reference), f"one of {listed(names)}")])
    rows = against_rows(found, reference)
    shown, figures = [fit_text(row.system) for row in rows], [_figures(row, found.method.alpha) for row in rows]
    left = 12 + max([text_width(name) for name in shown], default=60)
    x = _scale(rows, left + _GAP)
    bottom = _TOP + _ROW * len(rows)
    _head(canvas, found, reference)
    _axis(canvas, x, bottom)
    for place, (one, name, text) in enumerate(zip(rows, shown, figures, strict=True)):
        _row(canvas, one, (name, text, pair_sentence(found, one.pair)), x, left, _TOP + _ROW * place + _ROW / 2)
    canvas.text(8, bottom + 38, _LEGEND, role="faint", size=11)
    width = x.end + _GAP + max([text_width(text, bold=True) for text in figures], default=0) + 12
    least = max(text_width(_LEGEND, 11) + 16, text_width(_about(found), 11) + 16)
    title = f"Difference from {reference} on {of_queries(found)}"
    described = " ".join([leader_sentence(found, called), *(pair_sentence(found, one.pair) for one in rows)])
    return canvas.svg(max(width, least), bottom + 48, title, described)


def _scale(rows: Sequence[AgainstRow], start: float) -> Scale:
    """Return a scale from the lowest to the highest end, including 0."""
    bounds = [end for row in rows for end in (row.low, row.high, row.difference) if end is not None]
    low, high = min([*bounds, 0.0]), max([*bounds, 0.0])
    room = 0.04 * (high - low or 1.0)
    return Scale(low - room, high + room, start, start + _PLOT)


def _about(found: Comparison) -> str:
    intervals = any(pair.low is not None for pair in found.pairs)
    confidence = f"{100 * found.method.confidence:g} % intervals; " if intervals else ""
    return f"{of_queries(found)}; {confidence}{family_words(found)}"


def _head(canvas: Canvas, found: Comparison, reference: str) -> None:
    canvas.text(8, 18, f"Difference from {fit_text(reference)}", bold=True, whole=reference)
    canvas.text(8, 34, _about(found), role="faint", size=11)


def _axis(canvas: Canvas, x: Scale, bottom: float) -> None:
    """Draw the ticks and the line at 0."""
    top = _TOP - 6
    canvas.text(x(0) - 6, _TOP - 12, "← worse", role="faint", anchor="end", size=11)
    canvas.text(x(0) + 6, _TOP - 12, "better →", role="faint", size=11)
    for place in ticks(x.low, x.high):
        canvas.path(f"M{x(place):.1f} {top}V{bottom}", "grid")
        canvas.text(x(place), bottom + 16, f"{place + 0.0:g}", role="faint", anchor="middle", size=11)
    canvas.path(f"M{x(0):.1f} {top}V{bottom}", "axis")


def _row(canvas: Canvas, row: AgainstRow, words: tuple[str, str, str], x: Scale, left: float, y: float) -> None:
    """Draw a row.

    Args:
        words: the name, the figures, and a sentence about the pair.
    """
    name, figures, sentence = words
    separated = row.pair.verdict == "better"
    canvas.text(left, y + 4, name, anchor="end", whole=row.system)
    if row.low is not None and row.high is not None:
        ends = visible_ends(x, row.low, row.high)
        canvas.path(bar_path(ends[0], x(row.difference), ends[1], y, through=separated), "interval")
    canvas.dot(x(row.difference), y, _MARK, "solid" if separated else "hollow", whole=sentence)
    canvas.text(x.end + _GAP, y + 4, figures, bold=separated)


def visible_ends(x: Scale, low: float, high: float) -> tuple[float, float]:
    """Return the positions of both ends of an interval, at least a visible distance from the line at 0."""
    start, end, zero = x(low), x(high), x(0.0)
    start = max(start, zero + VISIBLE) if low > 0 else min(start, zero - VISIBLE) if low < 0 else start
    end = min(end, zero - VISIBLE) if high < 0 else max(end, zero + VISIBLE) if high > 0 else end
    return start, end


def bar_path(low: float, middle: float, high: float, y: float, *, through: bool) -> str:
    """Return the path of a bar with end marks. Unless it goes ``through``, it has a gap for a hollow mark."""
    ends = "".join(f"M{end:.1f} {y - 4:.1f}v8" for end in (low, high))
    if through:
        return f"M{low:.1f} {y:.1f}H{high:.1f}{ends}"
    sides = ((low, middle - _MARK), (middle + _MARK, high))
    return "".join(f"M{start:.1f} {y:.1f}H{end:.1f}" for start, end in sides if start < end) + ends


def _figures(row: AgainstRow, alpha: float) -> str:
    interval = "" if row.low is None else f" ({signed_number(row.low)} to {signed_number(row.high)})"
    p = "" if row.pair.p_adjusted is None else f", {p_words(row.pair.p_adjusted, alpha)}"
    return f"{signed_number(row.difference)}{interval}{p}"

"""Robustness of the winner: the share of resampled sets of queries on which the first system is ahead, by table."""

from __future__ import annotations

from qc4.charts import Canvas, Scale, Style, fit_text, text_width
from qc4.stats.robustness import Robustness, RobustnessRow
from qc4.stats.wording import number, robustness_sentences
from qc4.wording import percentage

_ROW, _PLOT, _TOP, _GAP = 22, 300, 62, 14
NO_RESULT = "no result"
"""Text beside a row without a mark."""


def robustness_picture(found: Robustness, style: Style = "paper") -> str:
    """Draw a mark per table, the reference first. It shows shares because differences of measures have no common scale.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    rows = (found.reference, *found.rows)
    names = [fit_text(f"{row.kind}: {row.name}") for row in rows]
    left = 14 + max(text_width(name, bold=not place) for place, name in enumerate(names))
    x = Scale(0.0, 1.0, left, left + _PLOT)
    bottom = _TOP + _ROW * len(rows)
    title = f"{fit_text(found.a)} against {fit_text(found.b)}"
    canvas.text(8, 18, title, bold=True, whole=f"{found.a} against {found.b}")
    about = f"Share of resampled sets of queries with {fit_text(found.a)} ahead; solid: significantly different"
    canvas.text(8, 34, about, role="faint", size=11)
    for quarter in range(5):
        place = x(quarter / 4)
        canvas.path(f"M{place:.1f} {_TOP - 8}V{bottom}", "axis" if quarter == 2 else "grid")
        canvas.text(place, bottom + 15, f"{25 * quarter} %", role="faint", anchor="middle", size=11)
    for place, (row, name) in enumerate(zip(rows, names, strict=True)):
        y = _TOP + _ROW * (place + 0.5)
        canvas.text(left - 8, y + 4, name, anchor="end", bold=not place, whole=f"{row.kind}: {row.name}")
        if row.share is None:
            canvas.text(x.end + _GAP, y + 4, row.note or NO_RESULT, role="faint", size=11)
            continue
        role = "solid" if row.verdict in {"better", "worse"} else "hollow"
        canvas.dot(x(row.share), y, 5, role, whole=_words(found, row))
    notes = [text_width(row.note or NO_RESULT, 11) for row in rows if row.share is None]
    plot = x.end + (_GAP + max(notes) + 8 if notes else 24)
    width = max(plot, text_width(about, 11) + 16, text_width(title, bold=True) + 16)
    return canvas.svg(width, bottom + 26, title, " ".join(robustness_sentences(found)))


def _words(found: Robustness, row: RobustnessRow) -> str:
    return (
        f"{row.kind} {row.name}: {found.a} is ahead in {percentage(row.share or 0.0, digits=1)}, difference "
        f"{number(row.difference)} ({number(row.low)} to {number(row.high)})"
    )

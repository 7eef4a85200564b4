"""Agreement of measures: a matrix of tau, in which darker cells mean more agreement."""

from __future__ import annotations

from collections.abc import Mapping

from qc4.charts import Canvas, Style, fit_text, text_width
from qc4.stats.agreement import MeasureAgreement, MeasureComparison
from qc4.stats.wording import SYSTEM, measures_sentence, number
from qc4.wording import counted

_DARKEST = 0.4
_NAME_ROOM = 300.0
"""Maximum width of a name in pixels. Names are on two sides of the matrix."""
_WIDE, _HIGH = 76, 38


def measures_picture(
    found: MeasureComparison,
    titles: Mapping[str, str] | None = None,
    style: Style = "paper",
    called: str = SYSTEM,
) -> str:
    """Draw Kendall's tau-b of every two measures with its interval, and mark those that contradict each other.

    Args:
        titles: names of the measures; their keys by default.
        called: the word for a system, in the singular.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    names = {key: (titles or {}).get(key, key) for key in found.power}
    shown = [fit_text(name, _NAME_ROOM) for name in names.values()]
    left = 12 + max(map(text_width, shown))
    top = 40 + 0.72 * max(map(text_width, shown[1:]), default=0.0)
    keys = list(names)
    for place, name in enumerate(names.values()):
        if place < len(keys) - 1:
            canvas.text(left - 4, top + _HIGH * place + _HIGH / 2 + 4, shown[place], anchor="end", whole=name)
        if place:
            canvas.text(left + _WIDE * (place - 0.5), top - 6, shown[place], turn=-45, whole=name)
    for one in found.agreements:
        row, column = sorted((keys.index(one.one), keys.index(one.other)))
        _cell(canvas, one, left + _WIDE * (column - 1), top + _HIGH * row, f"{names[one.one]} and {names[one.other]}")
    bottom = top + _HIGH * max(len(keys) - 1, 1)
    over = f"{counted(len(found.systems), called)}, {counted(found.queries, 'query', 'queries')}"
    notes = [
        f"Kendall's tau-b of the means, {over}. Below it its {100 * (1 - found.alpha):g} % interval.",
        "Shade: tau from 0 to 1; hatched if it is below 0. Dot: a pair significantly different in opposite directions.",
    ]
    title = f"{counted(len(keys), 'measure')} against each other"
    canvas.text(8, 18, title, bold=True)
    for line, note in enumerate(notes):
        canvas.text(8, bottom + 22 + 15 * line, note, role="faint", size=11)
    slanted = left + _WIDE * (len(keys) - 1.5) + 0.72 * text_width(shown[-1]) + 12
    width = max(left + _WIDE * max(len(keys) - 1, 1) + 12, slanted, *(text_width(note, 11) + 16 for note in notes))
    return canvas.svg(width, bottom + 48, title, f"{notes[0]} {measures_sentence(found, titles, called)}")


def _cell(canvas: Canvas, one: MeasureAgreement, x: float, y: float, names: str) -> None:
    tau = one.tau
    interval = "" if one.low is None else f"{number(one.low, 2)} to {number(one.high, 2)}"
    against = counted(len(one.contradictions), "contradicted pair")
    said = f"{names}: tau {number(tau, 2)}{f' ({interval})' if interval else ''}, {against}"
    canvas.box(x, y, _WIDE, _HIGH, "cell", opacity=_DARKEST * max(tau or 0.0, 0.0), whole=said)
    if tau is not None and tau < 0:
        canvas.path("".join(f"M{x + step:.1f} {y + _HIGH:.1f}l{_HIGH} -{_HIGH}" for step in range(0, 39, 13)), "grid")
    canvas.text(x + _WIDE / 2, y + (16 if interval else 23), number(tau, 2), anchor="middle")
    canvas.text(x + _WIDE / 2, y + 30, interval, anchor="middle", size=10)
    if one.contradictions:
        canvas.dot(x + _WIDE - 8, y + 8, 3, "solid", whole=said)

"""Matrix of all pairs: difference and p, bold where the row's system is significantly better than the column's."""

from __future__ import annotations

from qc4.charts import Canvas, Style, fit_text, text_width
from qc4.stats.results import Comparison, PairResult
from qc4.stats.wording import SYSTEM, family_words, number, p_number, pair_sentence, signed_number
from qc4.wording import counted

_DARKEST = 0.4
"""Opacity of the darkest cell, at which black text, and white text on the inverse, is still legible."""
_NAME_ROOM = 300.0
"""Maximum width of a name in pixels. Names are on two sides of the matrix."""
_TWO_LINES, _ONE_LINE = 14, 24
"""Maximum numbers of systems for cells with difference and p, and with only the difference. Above that, marks."""


def matrix_picture(found: Comparison, style: Style = "paper", called: str = SYSTEM) -> str:
    """Draw the mean differences of all pairs of the family, sorted by mean, with significant ones in bold or marked.

    Args:
        called: the word for a system, in the singular.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    names = [system.system for system in found.systems]
    k = len(names)
    wide, high = (62, 36) if k <= _TWO_LINES else (38, 22) if k <= _ONE_LINE else (16, 16)
    shown = [fit_text(name, _NAME_ROOM) for name in names]
    left = 12 + max(map(text_width, shown))
    top = 40 + 0.72 * max(map(text_width, shown[1:]), default=0.0)
    most = max((pair.difference for pair in found.pairs), default=0.0)
    for place, name in enumerate(names):
        if place < k - 1:
            canvas.text(left - 4, top + high * place + high / 2 + 4, shown[place], anchor="end", whole=name)
        if place:
            x = left + wide * (place - 1) + wide / 2
            canvas.text(x, top - 6, shown[place], turn=-45, whole=name)
    where = {name: place for place, name in enumerate(names)}
    for pair in found.pairs:
        row, column = sorted((where[pair.a], where[pair.b]))
        x, y = left + wide * (column - 1), top + high * row
        _cell(canvas, found, pair, x, y, wide, high, most, k)
    bottom = top + high * max(k - 1, 1)
    scale = f"Shade: mean difference, 0 to {number(most)}."
    lines = " Below it p." if k <= _TWO_LINES else ""
    bold = "Bold" if k <= _ONE_LINE else "Dot"
    notes = [
        f"Rows are better than columns, {counted(found.queries, 'query', 'queries')}. {scale}{lines}",
        f"{bold}: significantly different at alpha {found.method.alpha:g}, {family_words(found)}.",
    ]
    title = f"Differences of {counted(k, called)} in pairs"
    canvas.text(8, 18, title, bold=True)
    for line, note in enumerate(notes):
        canvas.text(8, bottom + 22 + 15 * line, note, role="faint", size=11)
    slanted = left + wide * (k - 2) + wide / 2 + 0.72 * text_width(shown[-1]) + 12
    width = max(left + wide * max(k - 1, 1) + 12, slanted, *(text_width(note, 11) + 16 for note in notes))
    described = f"{notes[0]} {notes[1]} " + " ".join(pair_sentence(found, pair) for pair in found.pairs[:40])
    return canvas.svg(width, bottom + 48, title, described)


def _cell(
    canvas: Canvas,
    found: Comparison,
    pair: PairResult,
    x: float,
    y: float,
    wide: float,
    high: float,
    most: float,
    k: int,
) -> None:
    separated = pair.verdict == "better"
    share = pair.difference / most if most > 0 else 0.0
    sentence = f"{pair_sentence(found, pair)} {pair.wins:,} wins, {pair.ties:,} ties, {pair.losses:,} losses."
    canvas.box(x, y, wide, high, "cell", opacity=_DARKEST * share, whole=sentence)
    middle = x + wide / 2
    if k > _ONE_LINE:
        if separated:
            canvas.dot(middle, y + high / 2, 2.5, "solid", whole=sentence)
        return
    two = k <= _TWO_LINES
    canvas.text(
        middle, y + high / 2 + (-2 if two else 4), signed_number(pair.difference), anchor="middle", bold=separated
    )
    if two:
        canvas.text(middle, y + high / 2 + 12, p_number(pair.p_adjusted, found.method.alpha), anchor="middle", size=10)

"""Bars of shares, legible in grey: what becomes of topics, for each algorithm."""

from __future__ import annotations

from collections.abc import Sequence

from qc4.charts import Canvas, Style, fit_text, text_width

_ROW, _PLOT, _TOP = 24, 340, 66
_DARKEST = 0.85


def shares_picture(
    title: str, kinds: Sequence[str], rows: Sequence[tuple[str, Sequence[int]]], style: Style = "paper"
) -> str:
    """Draw a bar per row, with parts from dark to light in the order of the kinds.

    Args:
        rows: names, and the count of each kind.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    names = [fit_text(name) for name, _ in rows]
    left = 14 + max([*map(text_width, names), 40.0])
    canvas.text(8, 18, title, bold=True)
    at: float = left
    shades = [_DARKEST * (1 - number / max(1, len(kinds) - 1)) for number in range(len(kinds))]
    for kind, shade in zip(kinds, shades, strict=True):
        canvas.box(at, 32, 14, 12, "cell", opacity=shade)
        canvas.text(at + 19, 42, kind, size=11)
        at += 36 + text_width(kind, 11)
    said = []
    for place, ((name, counts), shown) in enumerate(zip(rows, names, strict=True)):
        y, total, start = _TOP + _ROW * place, sum(counts), left
        canvas.text(left - 8, y + 14, shown, anchor="end", whole=name)
        said.append(f"{name}: " + ", ".join(f"{count:,} {kind}" for kind, count in zip(kinds, counts, strict=True)))
        for kind, count, shade in zip(kinds, counts, shades, strict=True):
            width = _PLOT * count / total if total else 0.0
            if width:
                words = f"{name}: {kind} {count:,} of {total:,}"
                canvas.box(start, y + 2, width, _ROW - 6, "cell", opacity=shade, whole=words)
            start += width
    bottom = _TOP + _ROW * len(rows)
    for quarter in range(5):
        canvas.text(
            left + _PLOT * quarter / 4, bottom + 12, f"{25 * quarter} %", role="faint", anchor="middle", size=11
        )
    width = max(left + _PLOT + 24, at + 8, text_width(title, bold=True) + 16)
    return canvas.svg(width, bottom + 24, title, "; ".join(said))

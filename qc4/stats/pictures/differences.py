"""Bars of the differences of two systems, query by query, sorted from the first system's advantage to the second's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qc4.charts import Canvas, Scale, Style, fit_text, text_width, ticks
from qc4.stats.wording import number
from qc4.wording import counted

_LEFT, _TOP, _HEIGHT = 52, 64, 220
_NARROWEST, _WIDEST, _STEP = 120, 1000, 16
_FEW, _WIDE_STEP = 420, 28
"""Width of bars of few queries, if they fit."""
_MOST_LABELS = 60
_OUTLINED = 4
"""A narrower hollow bar would be all outline."""
_LABEL_ROOM = 240.0


def differences_picture(
    a: str,
    b: str,
    differences: Mapping[str, float],
    style: Style = "paper",
    *,
    words: Mapping[str, str] | None = None,
    links: Mapping[str, str] | None = None,
) -> str:
    """Draw a sorted bar for each query, upwards if a is better.

    Args:
        differences: key of a query -> advantage of a.
        words: key of a query -> its name, if different from the key.
        links: key of a query -> the URL of its bar.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    ordered = sorted(differences.items(), key=lambda item: (-item[1], item[0]))
    n = len(ordered)
    width = min(_WIDEST, max(_NARROWEST, _STEP * n, min(_FEW, _WIDE_STEP * n)))
    step = min(_WIDE_STEP, width / max(n, 1))
    low, high = _range([value for _, value in ordered])
    y = Scale(low, high, _TOP + _HEIGHT, _TOP)
    title = f"{a} against {b}, query by query"
    _head(canvas, a, b, ordered, title)
    for place in ticks(low, high):
        canvas.path(f"M{_LEFT} {y(place):.1f}h{width}", "grid")
        canvas.text(_LEFT - 6, y(place) + 4, f"{place + 0.0:g}", role="faint", anchor="end", size=11)
    for at, (key, value) in enumerate(ordered):
        top, bottom = sorted((y(value), y(0.0)))
        whole = f"{(words or {}).get(key, key)}: {number(value)}"
        x, wide = _LEFT + step * at, max(step - min(2.0, 0.2 * step), 0.5)
        role = "solid" if value >= 0 else "hollow" if wide >= _OUTLINED else "pale"
        canvas.bar(x, top, wide, max(bottom - top, 0.6), role, whole=whole, link=(links or {}).get(key, ""))
    canvas.path(f"M{_LEFT} {y(0.0):.1f}h{width}", "axis")
    below = _labels(canvas, [(words or {}).get(key, key) for key, _ in ordered], step) if n <= _MOST_LABELS else 12.0
    said = ", ".join(f"{key} {number(value)}" for key, value in ordered)
    least = max(text_width(line) for line in _lines(a, b, ordered)) + 16
    return canvas.svg(max(_LEFT + width + 12, least), _TOP + _HEIGHT + below, title, f"Advantage of {a}: {said}.")


def _lines(a: str, b: str, ordered: Sequence[tuple[str, float]]) -> tuple[str, str]:
    wins, losses = sum(value > 0 for _, value in ordered), sum(value < 0 for _, value in ordered)
    on = counted(len(ordered), "query", "queries")
    ties = len(ordered) - wins - losses
    return (
        f"{fit_text(a)} against {fit_text(b)}, query by query",
        f"{on}: dark where {fit_text(a)} is better ({wins:,}), light where {fit_text(b)} is ({losses:,}); "
        f"{ties:,} equal",
    )


def _head(canvas: Canvas, a: str, b: str, ordered: Sequence[tuple[str, float]], title: str) -> None:
    first, second = _lines(a, b, ordered)
    canvas.text(8, 18, first, bold=True, whole=title)
    canvas.text(8, 34, second, role="faint", size=11)
    canvas.text(_LEFT, _TOP - 12, "↑ better", role="faint", size=11)


def _range(values: Sequence[float]) -> tuple[float, float]:
    """Return a range from the smallest to the largest difference, including 0."""
    low, high = min([*values, 0.0]), max([*values, 0.0])
    room = 0.04 * (high - low) or 0.5
    return low - (room if low < 0 or high == low else 0.0), high + (room if high > 0 or high == low else 0.0)


def _labels(canvas: Canvas, names: Sequence[str], step: float) -> float:
    """Draw the names of the queries below their bars, and return the height of the names."""
    shown = [fit_text(name, _LABEL_ROOM, 11) for name in names]
    for at, (name, label) in enumerate(zip(names, shown, strict=True)):
        canvas.text(
            _LEFT + step * (at + 0.5) + 4, _TOP + _HEIGHT + 10, label, role="faint", anchor="end", size=11, turn=-90,
            whole=name,
        )  # fmt: skip
    return 20 + max((text_width(label, 11) for label in shown), default=0.0)

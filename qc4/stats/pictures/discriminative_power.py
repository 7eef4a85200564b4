"""Discriminative power curves: the p of all pairs in increasing order. The sooner a curve rises, the less the measure
separates.

Source: Sakai, Evaluating evaluation metrics based on the bootstrap, SIGIR 2006, figures 3 and 4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qc4.charts import Canvas, Scale, Style, fit_text, path, text_width, ticks
from qc4.stats.agreement import MeasureComparison, discriminative_power, p_curve
from qc4.stats.results import Comparison
from qc4.stats.wording import SYSTEM
from qc4.wording import counted, percentage

_LEFT, _TOP, _WIDTH, _HEIGHT, _LINE = 46, 46, 380, 220, 17
_DASHES = ("", "7 3", "2 3", "9 3 2 3", "4 2", "1 2", "12 4", "6 2 1 2 1 2")
_LINES = ("line", "line-heavy", "line-pale")
"""Together with the dashes they give three times as many styles of curves."""


def discriminative_power_picture(
    found: Comparison | MeasureComparison,
    style: Style = "paper",
    called: str = SYSTEM,
    titles: Mapping[str, str] | None = None,
) -> str:
    """Draw a curve for each measure, or the one curve of a single comparison.

    If no pair could be tested, draw only the reason.

    Args:
        called: the word for a system, in the singular.
        titles: names of the measures; their keys by default.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    curves, power, alpha = _curves(found)
    title = "Discriminative power"
    if not any(curves.values()):
        why = f"No curves: no pair of {called}s could be tested. A test needs two queries on which they differ."
        canvas.text(8, 24, why)
        return canvas.svg(text_width(why) + 16, 40, title, why)
    canvas.text(8, 18, title, bold=True)
    on = counted(found.queries, "query", "queries")
    canvas.text(8, 34, f"{on}; adjusted p of all pairs, in increasing order", role="faint", size=11)
    x, y = Scale(0.0, 1.0, _LEFT, _LEFT + _WIDTH), Scale(0.0, 1.0, _TOP + _HEIGHT, _TOP)
    _axes(canvas, x, y, alpha)
    legend = _TOP + _HEIGHT + 52
    names = {key: (titles or {}).get(key, key) for key in curves}
    words = {key: f"{name}: {_share_words(power[key])}" for key, name in names.items()}
    for place, (key, values) in enumerate(curves.items()):
        dash, line = _DASHES[place % len(_DASHES)], _LINES[place // len(_DASHES) % len(_LINES)]
        if values:
            canvas.path(path(_steps(values, x, y)), line, dash=dash, whole=words[key])
        at = legend + _LINE * place
        canvas.path(f"M{_LEFT} {at:.1f}h34", line, dash=dash)
        canvas.text(_LEFT + 42, at + 4, f"{fit_text(names[key])}: {_share_words(power[key])}", whole=words[key])
    shown = (f"{fit_text(name)}: {_share_words(power[key])}" for key, name in names.items())
    width = max(_LEFT + _WIDTH + 24, *(_LEFT + 52 + text_width(each) for each in shown))
    described = f"At alpha {alpha:g}: {'; '.join(words.values())}."
    return canvas.svg(width, legend + _LINE * len(curves), title, described)


def _axes(canvas: Canvas, x: Scale, y: Scale, alpha: float) -> None:
    """Draw both axes from 0 to 1, and the line of alpha."""
    for place in ticks(0.0, 1.0):
        canvas.path(f"M{_LEFT} {y(place):.1f}h{_WIDTH}", "grid")
        canvas.text(_LEFT - 6, y(place) + 4, f"{place:.1f}", role="faint", anchor="end", size=11)
        canvas.text(x(place), _TOP + _HEIGHT + 15, f"{100 * place:.0f} %", role="faint", anchor="middle", size=11)
    canvas.path(f"M{_LEFT} {y(alpha):.1f}h{_WIDTH}", "axis", dash="1 3", whole=f"alpha {alpha:g}")
    canvas.text(_LEFT + _WIDTH + 3, y(alpha) + 4, "α", role="faint", size=11)
    canvas.text(_LEFT + _WIDTH / 2, _TOP + _HEIGHT + 31, "share of pairs", role="faint", anchor="middle", size=11)


def _share_words(share: float | None) -> str:
    return "no pairs tested" if share is None else f"{percentage(share)} separated"


def _curves(
    found: Comparison | MeasureComparison,
) -> tuple[Mapping[str, Sequence[float]], Mapping[str, float | None], float]:
    if isinstance(found, MeasureComparison):
        ordered = sorted(found.curves, key=lambda name: (-(found.power[name] or 0.0), name))
        return {name: found.curves[name] for name in ordered}, found.power, found.alpha
    name = "all pairs" if found.baseline is None else f"pairs with {found.baseline}"
    return {name: p_curve(found)}, {name: discriminative_power(found)}, found.method.alpha


def _steps(values: Sequence[float], x: Scale, y: Scale) -> list[tuple[float, float]]:
    """Return the steps of a curve. Every pair takes an equal share of the width."""
    return [(x((place + side) / len(values)), y(value)) for place, value in enumerate(values) for side in (0, 1)]

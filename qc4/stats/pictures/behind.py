"""Distance behind the best: a dot for the observed distance, a bar for its interval. A bar at 0 could be the best."""

from __future__ import annotations

from qc4.charts import Canvas, Scale, Style, fit_text, text_width, ticks
from qc4.stats.pictures.against import VISIBLE, bar_path
from qc4.stats.results import Comparison, SystemResult
from qc4.stats.wording import (
    SYSTEM,
    behind_words,
    leader_sentence,
    number,
    of_queries,
    place_words,
    row_sentence,
)
from qc4.wording import counted

_ROW, _PLOT, _TOP, _GAP, _MARK = 24, 300, 62, 14, 4.5
_LEGEND = "A bar that touches 0 could be the best. Places may overlap: a place depends on all others."


class _FromZero(Scale):
    """A scale on which positive values are visibly different from 0."""

    def __call__(self, value: float) -> float:
        place = super().__call__(value)
        return max(place, super().__call__(0.0) + VISIBLE) if value > 0 else place


def behind_picture(found: Comparison, style: Style = "paper", called: str = SYSTEM) -> str:
    """Draw place, mean and distance behind the best of every system, best first.

    Args:
        called: the word for a system, in the singular.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    names = [fit_text(f"{place_words(system)}  {system.system}") for system in found.systems]
    figures = [_figures(system) for system in found.systems]
    left = 12 + max(map(text_width, names))
    reach = max(end for system in found.systems for end in (system.behind, system.behind_high or 0.0)) or 1.0
    x = _FromZero(-0.04 * reach, 1.04 * reach, left + _GAP, left + _GAP + _PLOT)
    bottom = _TOP + _ROW * len(names)
    about = f"{of_queries(found)}; {_family(found)}"
    canvas.text(8, 18, "Behind the best", bold=True)
    canvas.text(8, 34, about, role="faint", size=11)
    for place in ticks(0.0, x.high):
        canvas.path(f"M{x(place):.1f} {_TOP - 6}V{bottom}", "grid")
        canvas.text(x(place), bottom + 16, f"{place + 0.0:g}", role="faint", anchor="middle", size=11)
    canvas.path(f"M{x(0):.1f} {_TOP - 6}V{bottom}", "axis")
    for at, (system, name, text) in enumerate(zip(found.systems, names, figures, strict=True)):
        y = _TOP + _ROW * at + _ROW / 2
        canvas.text(left, y + 4, name, anchor="end", whole=system.system)
        best = bool(system.could_be_best)
        if system.behind_low is not None and system.behind_high is not None:
            ends = (x(system.behind_low), x(system.behind), x(system.behind_high))
            canvas.path(bar_path(*ends, y, through=best), "interval")
        said = f"{system.system}: {row_sentence(system)}"
        canvas.dot(x(system.behind), y, _MARK, "solid" if best else "hollow", whole=said)
        canvas.text(x.end + _GAP, y + 4, text)
    canvas.text(8, bottom + 38, _LEGEND, role="faint", size=11)
    width = max(x.end + _GAP + max(map(text_width, figures)) + 12, *(text_width(t, 11) + 16 for t in (_LEGEND, about)))
    rows = "; ".join(f"{system.system}: {row_sentence(system)}" for system in found.systems)
    title = f"Distances of {counted(len(names), called)} behind the best"
    return canvas.svg(width, bottom + 48, title, f"{leader_sentence(found, called)} {rows}.")


def _figures(system: SystemResult) -> str:
    distance = "" if system.behind_high is None else f", behind by {behind_words(system)}"
    return f"{number(system.mean)}{distance}"


def _family(found: Comparison) -> str:
    if found.critical_value is None or found.family != "all":
        return "no intervals"
    return f"{100 * found.method.confidence:g} % for all {counted(found.family_size, 'pair')} together"

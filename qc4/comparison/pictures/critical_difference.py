"""Critical difference diagram: systems by mean rank, bars over those that Nemenyi's test cannot tell apart.

Source: Demšar, Statistical comparisons of classifiers over multiple data sets, JMLR 7, 2006, section 3.2.2.
"""

from __future__ import annotations

from qc4.charts import Scale, ticks
from qc4.comparison.friedman import Friedman
from qc4.comparison.pictures.canvas import Canvas, Style, short, text_width
from qc4.comparison.result import Comparison
from qc4.comparison.words import SYSTEM, number, p_words
from qc4.problems.wording import counted

CAVEAT = (
    "The critical difference looks at ranks alone, and depends on what else is compared; "
    "it is no verdict of the comparison, whose pairs are tested on their differences."
)
_AXIS, _LINE, _PLOT, _BAR = 74, 18, 420, 9
_SLACK = 1e-9


def critical_difference_picture(found: Comparison, style: Style = "paper", called: str = SYSTEM) -> str:
    """The diagram, with its caveat; for fewer than three systems, or one query, only why there is none.

    Args:
        called: what a system is called, in the singular.

    Raises:
        InputError: an unknown style.
    """
    canvas = Canvas(style)
    title = f"Mean ranks of {counted(len(found.systems), called)}"
    if found.friedman is None:
        why = f"No mean ranks: they need three {called}s, two queries, and a query that tells {called}s apart."
        canvas.text(8, 24, why)
        return canvas.svg(text_width(why) + 16, 40, title, why)
    return _diagram(canvas, found, found.friedman, title)


def _diagram(canvas: Canvas, found: Comparison, of: Friedman, title: str) -> str:
    ordered = sorted(of.mean_ranks.items(), key=lambda item: (item[1], item[0]))
    half = (len(ordered) + 1) // 2
    shown = {name: short(name) for name, _ in ordered}
    side = [
        14 + max(text_width(f"{shown[name]} 00.00") for name, _ in part) for part in (ordered[:half], ordered[half:])
    ]
    x = Scale(1.0, float(len(ordered)), side[0], side[0] + _PLOT)
    bars = groups([rank for _, rank in ordered], of.critical_difference)
    below = _AXIS + 14 + _BAR * len(bars)
    canvas.text(8, 18, title, bold=True)
    figures = (
        f"Friedman χ² = {of.statistic:.2f}, {p_words(of.p)}; critical difference {number(of.critical_difference, 2)}"
    )
    canvas.text(
        8,
        34,
        f"{counted(found.queries, 'query', 'queries')}; 1 is the best rank; {figures} (Nemenyi)",
        role="faint",
        size=11,
    )
    canvas.path(f"M{x.start:.1f} {_AXIS}H{x.end:.1f}", "axis")
    for place in sorted({1.0, *ticks(1.0, float(len(ordered)), 10)}):
        if place.is_integer():
            canvas.path(f"M{x(place):.1f} {_AXIS}v-6", "axis")
            canvas.text(x(place), _AXIS - 10, f"{place:g}", role="faint", anchor="middle", size=11)
    for row, (first, last) in enumerate(bars):
        y = float(_AXIS + 10 + _BAR * row)
        names = ", ".join(name for name, _ in ordered[first : last + 1])
        start, end = x(ordered[first][1]) - 3, x(ordered[last][1]) + 3
        canvas.path(f"M{start:.1f} {y}H{end:.1f}", "group", whole=f"not told apart: {names}")
    for at, (name, rank) in enumerate(ordered):
        leads = at < half
        y = below + _LINE * (at if leads else len(ordered) - 1 - at) + 12
        edge = x.start - 8 if leads else x.end + 8
        canvas.path(f"M{x(rank):.1f} {_AXIS}V{y:.1f}H{edge:.1f}", "line")
        words = f"{shown[name]} {number(rank, 2)}"
        canvas.text(
            edge + (-4 if leads else 4), y + 4, words, anchor="end" if leads else "start", whole=f"{name}: {rank}"
        )
    bottom = below + _LINE * half + 12
    caveat, rest = CAVEAT.split("; ")
    canvas.text(8, bottom + 14, f"{caveat};", role="faint", size=11)
    canvas.text(8, bottom + 28, rest, role="faint", size=11)
    width = max(x.end + side[1], text_width(CAVEAT, 11) * 0.6)
    ranks = "; ".join(f"{name} {number(rank, 2)}" for name, rank in ordered)
    return canvas.svg(width, bottom + 38, title, f"{figures}. Mean ranks, 1 for the best: {ranks}. {CAVEAT}")


def groups(ranks: list[float], critical: float) -> list[tuple[int, int]]:
    """(first, last) of each longest run of systems whose mean ranks lie less than the critical difference apart.

    Args:
        ranks: ascending.
    """
    found: list[tuple[int, int]] = []
    for first, rank in enumerate(ranks):
        last = max(
            place for place in range(first, len(ranks)) if ranks[place] - rank < critical - _SLACK or place == first
        )
        if last > first and (not found or last > found[-1][1]):
            found.append((first, last))
    return found

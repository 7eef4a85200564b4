"""A heat map as SVG, for a paper."""

from __future__ import annotations

from collections import defaultdict
from math import isnan

from evaluation.boards.heat_map.selectors import DARK_FROM, ROWS, STEPS, HeatMap
from evaluation.scoring.scores import State
from qc4.charts import Canvas, escape_xml, fit_text, text_width
from qc4.stats import number
from qc4.wording import count_words

NAME_ROOM = 300.0
"""Pixels for the names above the columns."""
HEAD, GAP, LEGEND = 34, 6, 46
NAME_ANGLE = 50
WIDTHS = ((30, 30), (80, 16), (10**9, 6))
HEIGHTS = ((60, 18), (150, 12), (300, 6), (10**9, 3))
"""(up to this many, pixels): width of an algorithm's column and height of a query's row, so that all fit on a page."""
MIN_NAMED = 12
"""Rows and columns of at least this many pixels show their names."""
MEAN_HEIGHT = 14
COUNT_HEIGHT = 12
"""Height in pixels of the row that shows how many queries a mean is over."""
STATE_WORDS = {
    State.MISSING: "no clustering",
    State.UNDEFINED: "undefined",
    State.NO_LEVEL: "no such level",
}


def heat_picture(found: HeatMap) -> str:
    """Draw all cells, with the means of queries and algorithms; names and numbers appear if there is room."""
    canvas = Canvas("paper")
    width = next(pixels for most, pixels in WIDTHS if len(found.algorithms) <= most)
    height = next(pixels for most, pixels in HEIGHTS if len(found.queries) <= most)
    named = height >= MIN_NAMED
    names = [fit_text(query.query.text, size=11) for query in found.queries] if named else []
    left = 16 + max(text_width(name, 11) for name in [*names, "mean"])
    columns = [fit_text(one.algorithm.name, NAME_ROOM, 11) for one in found.algorithms] if width >= MIN_NAMED else []
    top = HEAD + 0.8 * max([text_width(name, 11) for name in columns], default=0) + 16
    strip = max(height, MEAN_HEIGHT)
    counts = [count_words(one.mean.counted, one.mean.total) for one in found.algorithms]
    of_queries = [count_words(query.counted, found.compared_algorithms) for query in found.queries]
    body = top + strip + (COUNT_HEIGHT if any(counts) and width >= MIN_NAMED else 0) + GAP
    right = left + width * len(found.algorithms)
    for place, name in enumerate(columns):
        x = left + width * place + width / 2
        whole = found.algorithms[place].algorithm.name
        canvas.text(x, top - 6, name, size=11, turn=-NAME_ANGLE, whole=whole)
    canvas.text(8, 18, _title(found), bold=True)
    canvas.text(left - 6, top + strip - 4, "mean", role="faint", anchor="end", size=11)
    canvas.text(right + GAP, top - 6, "mean", role="faint", size=11)
    means = [one.mean.value for one in found.algorithms]
    _cells(canvas, found, [means], left, top, width, strip)
    _cells(canvas, found, [[query.mean] for query in found.queries], right + GAP, body, max(width, 30), height)
    _cells(canvas, found, found.values, left, body, width, height)
    _gaps(canvas, found, left, body, width, height)
    for place, count in enumerate(counts if width >= MIN_NAMED else ()):
        x = left + width * (place + 0.5)
        canvas.text(x, top + strip + COUNT_HEIGHT - 1, count, role="faint", anchor="middle", size=8)
    for place, count in enumerate(of_queries if named else ()):
        y = body + height * (place + 1) - 5
        canvas.text(right + GAP + max(width, 30) + 4, y, count, role="faint", size=8)
    for place, name in enumerate(names):
        y = body + height * place + height - 4
        canvas.text(left - 6, y, name, anchor="end", size=11, whole=found.queries[place].query.text)
    bottom = body + height * len(found.queries)
    legend = _legend(canvas, found, bottom + 16)
    slope = max([0.7 * text_width(name, 11) for name in columns], default=0)
    beside = max([text_width(count, 8) for count in of_queries], default=0) if named else 0
    wide = max(right + GAP + max(width, 30) + 12 + beside, right + slope, legend)
    return canvas.svg(wide, bottom + LEGEND, _title(found), found.methods)


def _title(found: HeatMap) -> str:
    return f"{found.column.measure.title}, queries {ROWS[found.order]}"


def _cells(
    canvas: Canvas, found: HeatMap, values: list[list[float | None]], x: float, y: float, width: float, height: float
) -> None:
    """Draw cells as one path per shade, with their numbers if there is room."""
    scale, numbered = found.scale, width >= 30 and height >= 12
    runs: dict[int, list[str]] = defaultdict(list)
    for down, row in enumerate(values):
        for across, value in enumerate(row):
            step = None if value is None or isnan(value) else scale.step(value)
            if step is not None:
                runs[step].append(f"M{x + width * across:.0f} {y + height * down:.0f}h{width}v{height}h-{width}z")
    for step, parts in sorted(runs.items()):
        canvas.add(f'<path fill="{STEPS[step]}" d="{"".join(parts)}"/>')
    if not numbered:
        return
    for down, row in enumerate(values):
        for across, value in enumerate(row):
            if value is None:
                continue
            colour = "#fff" if (scale.step(value) or 0) >= DARK_FROM else "#000"
            canvas.add(
                f'<text x="{x + width * (across + 0.5):.1f}" y="{y + height * (down + 1) - 5:.1f}" fill="{colour}" '
                f'text-anchor="middle" font-size="10">{escape_xml(number(value))}</text>'
            )


def _gaps(canvas: Canvas, found: HeatMap, x: float, y: float, width: float, height: float) -> None:
    """Draw cells without a value: one stroke for no clustering, two for an undefined score, none for no such level."""
    drawn: dict[State, list[str]] = defaultdict(list)
    for across, reasons in enumerate(found.reasons):
        for (state, _), places in reasons.items():
            drawn[State(state)] += [_hatch(State(state), x + width * across, y + height * place, width, height)
                                    for place in places]  # fmt: skip
    for parts in drawn.values():
        canvas.add(f'<path fill="none" stroke="#888" stroke-width=".8" d="{"".join(parts)}"/>')


def _hatch(state: State, x: float, y: float, width: float, height: float) -> str:
    box = f"M{x:.0f} {y:.0f}h{width}v{height}h-{width}z"
    rising = f"M{x:.0f} {y + height:.0f}l{width} -{height}"
    if state is State.MISSING:
        return box + rising
    if state is State.UNDEFINED:
        return f"{box}{rising}M{x:.0f} {y:.0f}l{width} {height}"
    return box


def _legend(canvas: Canvas, found: HeatMap, y: float) -> float:
    """Draw the legend and return its right end."""
    worst, best = found.scale.ends
    canvas.text(8, y + 10, f"{number(worst)} (worst)", role="faint", size=11)
    start = 14 + text_width(f"{number(worst)} (worst)", 11)
    for step, colour in enumerate(STEPS):
        canvas.add(f'<rect x="{start + 14 * step:.0f}" y="{y:.0f}" width="14" height="12" fill="{colour}"/>')
    x = start + 14 * len(STEPS) + 6
    canvas.text(x, y + 10, f"{number(best)} (best)", role="faint", size=11)
    x += text_width(f"{number(best)} (best)", 11) + 14
    for state, words in STATE_WORDS.items():
        canvas.add(f'<path fill="none" stroke="#888" stroke-width=".8" d="{_hatch(state, x, y, 14, 12)}"/>')
        canvas.text(x + 20, y + 10, words, role="faint", size=11)
        x += 34 + text_width(words, 11)
    return x

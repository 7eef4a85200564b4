"""Curves of shares from 0 to 1, drawn on the server as SVG: a mark and a dash pattern besides each colour."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.selectors.charts import Chart, Series
from evaluation.selectors.marks import Mark
from evaluation.templatetags.boards import SHAPES

register = template.Library()

WIDTH, HEIGHT = 560, 280
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 12, 40
STEPS = (0.0, 0.25, 0.5, 0.75, 1.0)


@register.filter
def share(value: float) -> str:
    """A share of 1 in per cent: 41.2 %."""
    return f"{100 * value:.1f} %"


@register.simple_tag
def curves(chart: Chart) -> SafeString:
    """The chart; its numbers stand in a table beside it."""
    grid = format_html_join(
        "",
        '<path class="grid" d="M{} {}H{}"/><text class="tick end" x="{}" y="{}">{}</text>',
        ((LEFT, _y(step), WIDTH - RIGHT, LEFT - 6, f"{float(_y(step)) + 4:.1f}", f"{step:.0%}") for step in STEPS),
    )
    ticks = format_html_join(
        "",
        '<text class="tick middle" x="{}" y="{}">{}</text>',
        ((_x(chart, place), HEIGHT - BOTTOM + 17, label) for place, label in enumerate(chart.x_labels)),
    )
    drawn = format_html_join("", "{}", ((_series(chart, number, one),) for number, one in enumerate(chart.series)))
    return format_html(
        '<svg class="curves" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}'
        '<text class="tick middle" x="{}" y="{}">{}</text>{}</svg>',
        WIDTH,
        HEIGHT,
        chart.title,
        grid,
        ticks,
        (LEFT + WIDTH - RIGHT) // 2,
        HEIGHT - 4,
        chart.x_title,
        drawn,
    )


@register.simple_tag
def curve_key(series: Series) -> SafeString:
    """A series' line and mark, for the legend."""
    line = format_html('<path class="line {}" d="M0 8H28"/>', series.line) if series.line else ""
    return format_html(
        '<svg class="curve-key hue-{}" viewBox="0 0 28 16" aria-hidden="true" focusable="false">{}{}</svg>',
        series.mark.hue,
        line,
        placed_mark(series.mark, 14, 8),
    )


def _series(chart: Chart, number: int, series: Series) -> SafeString:
    # Marks without a line stand side by side, so that equal values do not hide each other.
    aside = 0.0 if series.line else 9 * (number - (len(chart.series) - 1) / 2)
    places = [(float(_x(chart, point.place)) + aside, float(_y(point.value)), point.words) for point in series.points]
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y, _ in places)
    line = format_html('<path class="line {}" d="M{}"/>', series.line, path) if series.line and places else ""
    dots = format_html_join(
        "", "<g>{}<title>{}</title></g>", ((placed_mark(series.mark, x, y), words) for x, y, words in places)
    )
    return format_html('<g class="hue-{}">{}{}</g>', series.mark.hue, line, dots)


def placed_mark(mark: Mark, x: float, y: float) -> SafeString:
    """A mark, small, with its middle at a place of a picture."""
    return format_html(
        '<path class="{}" fill="currentColor" transform="translate({} {}) scale(0.6)" d="{}"/>',
        "hollow" if mark.hollow else "solid",
        f"{x - 4.8:.1f}",
        f"{y - 4.8:.1f}",
        SHAPES[mark.shape],
    )


def _x(chart: Chart, place: int) -> str:
    """Labels evenly apart, with half a step of room at both ends."""
    return f"{LEFT + (WIDTH - LEFT - RIGHT) * (place + 0.5) / max(len(chart.x_labels), 1):.1f}"


def _y(share: float) -> str:
    return f"{TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(1.0, max(0.0, share))):.1f}"

"""Charts rendered on the server as SVG, with a mark and a dash pattern for each colour."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.charts.series import Chart, Series
from evaluation.templatetags.boards import placed_mark
from qc4.charts import Scale, path
from qc4.wording import percentage

register = template.Library()

WIDTH, HEIGHT = 560, 280
LEFT, RIGHT, TOP, BOTTOM = 46, 14, 12, 40
MOST_MARKS = 40
"""Maximum number of marks per line; longer lines mark only every n-th value."""
ASIDE = 9


@register.filter
def share(value: float) -> str:
    """A share as a percentage: 41.2 %."""
    return percentage(value, digits=1)


@register.simple_tag
def chart(of: Chart) -> SafeString:
    """Render a chart; a table beside it shows its numbers."""
    x, y = Scale(of.x.low, of.x.high, LEFT, WIDTH - RIGHT), Scale(of.y.low, of.y.high, HEIGHT - BOTTOM, TOP)
    grid = format_html_join(
        "",
        '<path class="grid" d="M{} {}H{}"/><text class="tick end" x="{}" y="{}">{}</text>',
        (
            (LEFT, f"{y(value):.1f}", WIDTH - RIGHT, LEFT - 6, f"{y(value) + 4:.1f}", words)
            for value, words in of.y.ticks
        ),
    )
    below = format_html_join(
        "",
        '<text class="tick middle" x="{}" y="{}">{}</text>',
        (
            *((f"{x(value):.1f}", HEIGHT - BOTTOM + 17, words) for value, words in of.x.ticks),
            ((LEFT + WIDTH - RIGHT) // 2, HEIGHT - 4, of.x.title),
        ),
    )
    # Marks without a line are placed side by side, so that equal values do not hide each other.
    middle = (len(of.series) - 1) / 2
    drawn = [_series(one, x, y, 0.0 if one.line else ASIDE * (number - middle)) for number, one in enumerate(of.series)]
    return format_html(
        '<svg class="curves" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}{}</svg>',
        WIDTH,
        HEIGHT,
        of.title,
        grid,
        below,
        format_html_join("", "{}", ((one,) for one in drawn)),
    )


@register.simple_tag
def chart_key(series: Series) -> SafeString:
    """Render a series' line and mark for the legend."""
    line = format_html('<path class="line {}" d="M0 8H28"/>', series.line) if series.line else ""
    return format_html(
        '<svg class="curve-key hue-{}" viewBox="0 0 28 16" aria-hidden="true" focusable="false">{}{}</svg>',
        series.mark.hue,
        line,
        placed_mark(series.mark, 14, 8),
    )


def _series(series: Series, x: Scale, y: Scale, aside: float) -> SafeString:
    line = ""
    if series.line:
        places = (None if point.y is None else (x(point.x), y(point.y)) for point in series.points)
        line = format_html('<path class="line {}" d="{}"/>', series.line, path(places))
    found = [(x(point.x) + aside, y(point.y), point.words) for point in series.points if point.y is not None]
    dots = format_html_join(
        "",
        "<g>{}<title>{}</title></g>",
        ((placed_mark(series.mark, *place), words) for *place, words in found[:: -(-len(found) // MOST_MARKS) or 1]),
    )
    return format_html('<g class="hue-{}">{}{}</g>', series.mark.hue, line, dots)

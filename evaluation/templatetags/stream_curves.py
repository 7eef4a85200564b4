"""Curves over time, drawn on the server as SVG: a mark and a dash pattern besides each colour."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.models import Run
from evaluation.selectors.stream_charts import TimeChart, TimeSeries, ticks
from evaluation.selectors.streams import SHORT_HASH
from evaluation.stream_settings import StreamSettings
from evaluation.templatetags.curves import BOTTOM, HEIGHT, LEFT, RIGHT, TOP, WIDTH, placed_mark

register = template.Library()

MOST_MARKS = 40
"""Of longer lines only every so manyth value carries its mark."""

Place = Callable[[float], float]


@register.filter
def settings_key(run: Run) -> str:
    """The settings of a stream run as addresses of the stream's page name them."""
    return StreamSettings.parse(run.options).sha256[:SHORT_HASH]


@register.simple_tag
def time_curves(chart: TimeChart) -> SafeString:
    """The chart; its numbers stand in tables below it."""
    x, y = _places(chart)
    grid = format_html_join(
        "",
        '<path class="grid" d="M{} {}H{}"/><text class="tick end" x="{}" y="{}">{}</text>',
        (
            (LEFT, f"{y(value):.1f}", WIDTH - RIGHT, LEFT - 6, f"{y(value) + 4:.1f}", _words(value))
            for value in ticks(chart.low, chart.high)
        ),
    )
    below = format_html_join(
        "",
        '<text class="tick middle" x="{}" y="{}">{}</text>',
        ((f"{x(time):.1f}", HEIGHT - BOTTOM + 17, _words(time)) for time in ticks(*chart.span)),
    )
    drawn = format_html_join("", "{}", ((_series(one, x, y),) for one in chart.series))
    return format_html(
        '<svg class="curves" viewBox="0 0 {} {}" role="img" aria-label="{}">{}{}'
        '<text class="tick middle" x="{}" y="{}">time</text>{}</svg>',
        WIDTH,
        HEIGHT,
        chart.title,
        grid,
        below,
        (LEFT + WIDTH - RIGHT) // 2,
        HEIGHT - 4,
        drawn,
    )


def _places(chart: TimeChart) -> tuple[Place, Place]:
    """Time and value to their places in the picture; what is beyond the axis stays on its border."""
    first, last = chart.span

    def x(time: float) -> float:
        return LEFT + 8 + (WIDTH - LEFT - RIGHT - 16) * (time - first) / (last - first)

    def y(value: float) -> float:
        share = (value - chart.low) / (chart.high - chart.low)
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - min(1.0, max(0.0, share)))

    return x, y


def _series(series: TimeSeries, x: Place, y: Place) -> SafeString:
    lines = format_html_join(
        "",
        '<path class="line {}" d="M{}"/>',
        (
            (series.line, "L".join(f"{x(time):.1f} {y(value):.1f}" for time, value in part))
            for part in _unbroken(series.points)
        ),
    )
    found = [(time, value) for time, value in series.points if value is not None]
    step = -(-len(found) // MOST_MARKS) or 1
    dots = format_html_join(
        "",
        "<g>{}<title>{}</title></g>",
        (
            (placed_mark(series.mark, x(time), y(value)), f"{series.name}, time {_words(time)}: {value:.4g}")
            for time, value in found[::step]
        ),
    )
    return format_html('<g class="hue-{}">{}{}</g>', series.mark.hue, lines, dots)


def _unbroken(points: Sequence[tuple[float, float | None]]) -> Iterator[list[tuple[float, float]]]:
    """The stretches of a line between values that are missing."""
    part: list[tuple[float, float]] = []
    for time, value in points:
        if value is not None:
            part.append((time, value))
        elif part:
            yield part
            part = []
    if part:
        yield part


def _words(value: float) -> str:
    text = f"{value:,.0f}" if abs(value) >= 1000 and float(value).is_integer() else f"{value:.6g}"
    return text.replace("-", "−")

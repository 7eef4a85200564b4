"""Means with their intervals on one common scale: a line per algorithm, drawn on the server as SVG."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.selectors.marks import Mark
from evaluation.templatetags.boards import placed_mark
from qc4.charts import Scale

register = template.Library()

# In per cent of the width: marks at either end stay inside.
SCALE = Scale(0.0, 1.0, 3.0, 97.0)
GRID = (0.0, 0.25, 0.5, 0.75, 1.0)
NUMBERS = ((0.0, "0"), (0.5, ".5"), (1.0, "1"))


@register.simple_tag
def interval(of: Mark, mean: float, low: float | None, high: float | None) -> SafeString:
    """One line: the interval, and the mark at the mean, from 0 to 1. The numbers stand beside it."""
    line = ""
    if low is not None and high is not None:
        line = format_html(
            '<line class="reach" x1="{0}%" x2="{1}%" y1="50%" y2="50%"/>'
            '<line class="reach" x1="{0}%" x2="{0}%" y1="30%" y2="70%"/>'
            '<line class="reach" x1="{1}%" x2="{1}%" y1="30%" y2="70%"/>',
            f"{SCALE(low):.2f}",
            f"{SCALE(high):.2f}",
        )
    return format_html(
        '<svg class="interval hue-{}" aria-hidden="true" focusable="false">{}{}'
        '<svg class="at" x="{}%" y="50%">{}</svg></svg>',
        of.hue,
        _grid(),
        line,
        f"{SCALE(mean):.2f}",
        placed_mark(of, 0, 0, 0.75),
    )


@register.simple_tag
def interval_axis() -> SafeString:
    """The numbers below the lines."""
    return format_html(
        '<svg class="interval axis" aria-hidden="true" focusable="false">{}</svg>',
        format_html_join(
            "",
            '<text x="{}%" y="70%">{}</text>',
            ((f"{SCALE(value):.2f}", words) for value, words in NUMBERS),
        ),
    )


def _grid() -> SafeString:
    return format_html_join(
        "",
        '<line class="grid" x1="{0}%" x2="{0}%" y1="0" y2="100%"/>',
        ((f"{SCALE(value):.2f}",) for value in GRID),
    )

"""Distances from the best on a common scale: one row per algorithm, rendered on the server as SVG."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.charts.marks import Mark
from evaluation.templatetags.boards import placed_mark
from qc4.charts import Scale, ticks
from qc4.stats import SystemResult

register = template.Library()

# In per cent of the width. Marks at both ends stay inside, and a bar that starts just above 0 visibly does so.
START, END, VISIBLE = 3.0, 97.0, 1.5


@register.simple_tag
def distance(of: Mark, system: SystemResult | None, reach: float) -> SafeString:
    """Render one row: the interval, and the mark at the observed distance; 0 is the best.

    Args:
        reach: the largest distance of all rows.
    """
    scale, line, at = Scale(0.0, reach, START, END), SafeString(""), SafeString("")
    if system is not None and system.behind_low is not None and system.behind_high is not None:
        line = format_html(
            '<line class="reach" x1="{0}%" x2="{1}%" y1="50%" y2="50%"/>'
            '<line class="reach" x1="{0}%" x2="{0}%" y1="30%" y2="70%"/>'
            '<line class="reach" x1="{1}%" x2="{1}%" y1="30%" y2="70%"/>',
            f"{max(scale(system.behind_low), START + VISIBLE if system.behind_low > 0 else START):.2f}",
            f"{scale(system.behind_high):.2f}",
        )
    if system is not None:
        x, mark = f"{scale(system.behind):.2f}", placed_mark(of, 0, 0, 0.75)
        at = format_html('<svg class="at" x="{}%" y="50%">{}</svg>', x, mark)
    return format_html(
        '<svg class="interval hue-{}" aria-hidden="true" focusable="false">{}{}{}</svg>',
        of.hue,
        format_html_join("", '<line class="grid" x1="{0}%" x2="{0}%" y1="0" y2="100%"/>', _places(scale)),
        line,
        at,
    )


@register.simple_tag
def distance_axis(reach: float) -> SafeString:
    """Render the numbers below the rows."""
    scale = Scale(0.0, reach, START, END)
    return format_html(
        '<svg class="interval axis" aria-hidden="true" focusable="false">{}</svg>',
        format_html_join(
            "",
            '<text x="{}%" y="70%">{}</text>',
            ((f"{scale(tick):.2f}", f"{tick:g}".removeprefix("0") or "0") for tick in _ticks(scale)),
        ),
    )


def _ticks(scale: Scale) -> list[float]:
    return [round(tick, 9) + 0.0 for tick in ticks(scale.low, scale.high, 4)]


def _places(scale: Scale) -> list[tuple[str]]:
    return [(f"{scale(tick):.2f}",) for tick in _ticks(scale)]

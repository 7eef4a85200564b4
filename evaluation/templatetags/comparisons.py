"""Render the forest plot of a comparison, one graphic per table row."""

from __future__ import annotations

from django import template
from django.http import QueryDict
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.boards.compare.forest import Forest, ForestRow
from evaluation.charts.series import number
from evaluation.ranking.means import BaselineComparison
from qc4.stats import (
    PairResult,
    SystemResult,
    behind_words,
    interval_words,
    p_number,
    required_words,
    signed_number,
)
from qc4.stats.pictures.against import visible_ends

register = template.Library()

WIDTH, HEIGHT, MARK = 300, 34, 5
EDGE = 14
BEYOND = 400
"""Lines extend this far above and below a row's graphic, and the cell clips them, because row heights vary."""


@register.filter
def of_a_pair(address: str) -> str:
    """The query string for pages about two algorithms; the chosen algorithms are omitted unless there are two."""
    query = QueryDict(address.removeprefix("?"), mutable=True)
    if len({one for one in ",".join(query.getlist("algorithms")).split(",") if one}) != 2:
        query.pop("algorithms", None)
    return "?" + query.urlencode(safe=",")


@register.filter
def p_figure(p: float | None, alpha: float | None = None) -> str:
    """p as in files and sentences, never rounded across alpha: .0004, < .0001, .05003."""
    return p_number(p, alpha)


@register.filter
def end(value: float | None) -> str:
    """A difference or an end of its interval, with enough digits to show its sign: .042, .0003."""
    return signed_number(value)


@register.filter
def interval_of(of: PairResult | BaselineComparison) -> str:
    """Both ends of an interval: .042 to .118; a dash if there is no interval."""
    return interval_words(of.low, of.high)


@register.filter
def verdict_of(pair: PairResult) -> str:
    """The verdict as text: "better", "not significantly different"."""
    return "not significantly different" if pair.verdict == "not separated" else pair.verdict


@register.filter
def required_of(pair: PairResult) -> str:
    """The number of queries required to show the difference: 28, "too many", or a dash."""
    return required_words(pair)


@register.filter
def behind_of(system: SystemResult) -> str:
    """The range of a system's distance from the best: .000 to .171, or 0."""
    return behind_words(system)


@register.simple_tag
def forest_axis(of: Forest) -> SafeString:
    """Render the axis above the rows."""
    x = of.scale(WIDTH - 2 * EDGE)
    ticks = format_html_join(
        "",
        '<path class="grid" d="M{0} 14v6"/><text class="tick middle" x="{0}" y="11">{1}</text>',
        ((f"{EDGE + x(tick):.1f}", number(round(tick, 10) + 0.0)) for tick in of.ticks),
    )
    return format_html(
        '<svg class="forest" width="{}" height="20" viewBox="0 0 {} 20" aria-hidden="true" focusable="false">{}</svg>',
        WIDTH,
        WIDTH,
        ticks,
    )


@register.simple_tag
def forest_row(of: Forest, row: ForestRow) -> SafeString:
    """Render the interval of one algorithm. Filled marks are significantly different from the reference."""
    scale = of.scale(WIDTH - 2 * EDGE)

    def x(value: float) -> str:
        return f"{EDGE + scale(value):.1f}"

    middle = HEIGHT / 2
    parts = [
        format_html(
            '<rect class="margin" x="{}" y="-{}" width="{}" height="{}"/>',
            x(-of.margin),
            BEYOND,
            f"{scale(of.margin) - scale(-of.margin):.1f}",
            2 * BEYOND,
        ),
        format_html_join(
            "", '<path class="grid" d="M{} -{}v{}"/>', ((x(tick), BEYOND, 2 * BEYOND) for tick in of.ticks)
        ),
        format_html('<path class="zero" d="M{} -{}v{}"/>', x(0.0), BEYOND, 2 * BEYOND),
    ]
    found = row.against
    if found is not None:
        if found.low is not None and found.high is not None:
            ends = visible_ends(scale, found.low, found.high)
            parts.append(
                format_html(
                    '<path class="interval" d="M{0} {2}H{1}M{0} {3}v8M{1} {3}v8"/>',
                    f"{EDGE + ends[0]:.1f}",
                    f"{EDGE + ends[1]:.1f}",
                    middle,
                    middle - 4,
                )
            )
        kind = "apart" if found.verdict == "better" else "like"
        parts.append(
            format_html('<circle class="{}" cx="{}" cy="{}" r="{}"/>', kind, x(found.difference), middle, MARK)
        )
    return format_html(
        '<svg class="forest" width="{0}" height="{1}" viewBox="0 0 {0} {1}" aria-hidden="true" '
        'focusable="false">{2}</svg>',
        WIDTH,
        HEIGHT,
        format_html_join("", "{}", ((part,) for part in parts)),
    )

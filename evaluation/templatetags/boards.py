"""Pictures rendered on the server as SVG: marks of algorithms, strips of per-query scores, waterfalls, bars.

Every string goes through ``format_html``, and nothing needs an inline style.
"""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.selectors.board import Mean
from evaluation.selectors.marks import Mark
from evaluation.selectors.scores import Cell, ScoredQuery
from qc4.charts import Scale

register = template.Library()

SHAPES = {
    "circle": "M8 2.2a5.8 5.8 0 1 1 0 11.6a5.8 5.8 0 1 1 0-11.6z",
    "square": "M2.8 2.8h10.4v10.4H2.8z",
    "triangle": "M8 1.8 14.6 13.6H1.4z",
    "diamond": "M8 1.2 14.8 8 8 14.8 1.2 8z",
    "cross": "M5.6 1.6h4.8v4h4v4.8h-4v4H5.6v-4h-4V5.6h4z",
    "hexagon": "M4.6 2.2h6.8L14.8 8l-3.4 5.8H4.6L1.2 8z",
    "kite": "M1.4 2.4h13.2L8 14.2z",
}
_MAX_BARS = 150


@register.simple_tag
def mark(of: Mark | None) -> SafeString:
    """The mark of an algorithm, beside its name (so hidden from screen readers)."""
    if of is None:
        return SafeString("")
    return format_html(
        '<svg class="glyph hue-{}" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true" focusable="false">'
        '<path class="{}" fill="currentColor" d="{}"/></svg>',
        of.hue,
        "hollow" if of.hollow else "solid",
        SHAPES[of.shape],
    )


def placed_mark(of: Mark, x: float, y: float, size: float = 0.6) -> SafeString:
    """A mark, small, with its middle at a place of a picture."""
    return format_html(
        '<path class="{}" fill="currentColor" transform="translate({} {}) scale({})" d="{}"/>',
        "hollow" if of.hollow else "solid",
        f"{x - 8 * size:.1f}",
        f"{y - 8 * size:.1f}",
        size,
        SHAPES[of.shape],
    )


@register.simple_tag
def strip(mean: Mean, queries: Sequence[ScoredQuery], of: Mark | None, low: float = 0, high: float = 1) -> SafeString:
    """One thin bar per query, from ``low`` to ``high``; a grey tick below the line where there is no value.

    Beyond 150 queries each bar is the mean of neighbours.
    """
    groups = _groups(mean.cells, queries)
    bars = format_html_join("", "{}", ((_bar(number, cells, low, high),) for number, cells in enumerate(groups)))
    values = [cell.value for cell in mean.cells if cell.value is not None]
    words = (
        f"{len(values)} queries with a value, from {min(values):.3f} to {max(values):.3f}" if values else "no values"
    )
    return format_html(
        '<svg class="strip hue-{}{}" width="{}" height="24" viewBox="0 0 {} 24" preserveAspectRatio="none" '
        'role="img" aria-label="{}">{}'
        '<path class="floor" d="M0 21.5h{}" /></svg>',
        of.hue if of else 0,
        " of-baseline" if of and of.hollow else "",
        min(288, len(groups) * 8),
        len(groups) * 4,
        f"Per query: {words}",
        bars,
        len(groups) * 4,
    )


def _groups(cells: Sequence[Cell], queries: Sequence[ScoredQuery]) -> list[list[tuple[ScoredQuery, Cell]]]:
    pairs = list(zip(queries, cells, strict=True))
    size = -(-len(pairs) // _MAX_BARS) or 1
    return [pairs[start : start + size] for start in range(0, len(pairs), size)]


def _bar(number: int, pairs: Sequence[tuple[ScoredQuery, Cell]], low: float, high: float) -> SafeString:
    values = [cell.value for _, cell in pairs if cell.value is not None]
    name = pairs[0][0].text if len(pairs) == 1 else f"{pairs[0][0].text} to {pairs[-1][0].text}"
    if not values:
        return format_html(
            '<rect class="gap" x="{}" y="22" width="3" height="2"><title>{}: {}</title></rect>',
            number * 4,
            name,
            pairs[0][1].reason,
        )
    value = sum(values) / len(values)
    height = max(0.6, Scale(low, high, 0, 20)(value))
    return format_html(
        '<rect x="{}" y="{}" width="3" height="{}"><title>{}: {}</title></rect>',
        number * 4,
        f"{21 - height:.2f}",
        f"{height:.2f}",
        name,
        f"{value:.3f}",
    )


@register.simple_tag
def bar(value: float | None, words: str = "") -> SafeString:
    """A horizontal bar for a share from 0 to 1."""
    share = Scale(0, 1, 0, 1)(value or 0.0)
    return format_html(
        '<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="track" width="100" height="6"/><rect class="fill" width="{}" height="6"/></svg>',
        words or f"{share:.0%}",
        f"{100 * share:.2f}",
    )


@register.simple_tag
def waterfall(steps: Sequence[tuple[str, float, float]], kept: float) -> SafeString:
    """From 1 down to the quality: a bar of what is kept, then what each step took, from the last to the first.

    Args:
        steps: (class suffix, value before, value after) per step, in order.
        kept: what remains.
    """
    lost = format_html_join(
        "",
        '<rect class="lost-{}" x="{}" y="3" width="{}" height="18"/>',
        ((name, f"{100 * after:.3f}", f"{100 * (before - after):.3f}") for name, before, after in steps),
    )
    words = ", ".join(f"{name} takes {before - after:.3f}" for name, before, after in steps)
    return format_html(
        '<svg class="waterfall" viewBox="0 0 100 24" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="track" y="3" width="100" height="18"/>{}'
        '<rect class="kept" y="3" width="{}" height="18"/></svg>',
        f"1, {words}; quality {kept:.3f}",
        lost,
        f"{100 * kept:.3f}",
    )

"""Cells of a heat map's table."""

from __future__ import annotations

from math import isnan
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from annotations.collections.query_keys import key_to_path_segment
from annotations.templatetags.site import count_note
from evaluation.boards.heat_map.selectors import STEPS, HeatMap, HeatQuery, HeatScale
from evaluation.scoring.scores import State
from qc4.wording import decimals

register = template.Library()

SHOWN = {
    State.MISSING: ("–", "gap-missing"),
    State.UNDEFINED: ("×", "gap-undefined"),
    State.NO_LEVEL: ("·", "gap-none"),
}


@register.simple_tag
def heat_rows(found: HeatMap, start: int, end: int) -> SafeString:
    """Render the table rows from query ``start`` up to ``end``: each query's mean, then a shaded score per algorithm.

    A page has thousands of cells, so they are built here and not in a template.
    """
    scale = found.scale
    of_query = reverse("query", args=[found.collection.slug, "x"])[:-2]
    before, after = reverse("why", args=[0, "x"])[:-2].split("/0/")
    why = [f"{before}/{one.submission.pk}/{after}" for one in found.algorithms]
    options = f"?{urlencode(found.selection.why_options)}"
    gaps = {
        (place, across): (State(state), reason)
        for across, reasons in enumerate(found.reasons)
        for (state, reason), places in reasons.items()
        for place in places
        if start <= place < end
    }
    rows = []
    for place in range(start, min(end, len(found.queries))):
        query = found.queries[place]
        key = key_to_path_segment(query.query.key)
        cells = [
            _gap(*gaps[place, across]) if isnan(value) else _cell(value, f"{base}{key}/{options}", scale)
            for across, (value, base) in enumerate(zip(found.cells[place].tolist(), why, strict=True))
        ]
        head = _head(scale, query, f"{of_query}{key}/", found.compared_algorithms)
        rows.append(f"<tr>{head}{''.join(cells)}</tr>")
    return mark_safe("".join(rows))  # noqa: S308 - numbers, and what `_head`, `_cell` and `_gap` escape


@register.simple_tag
def heat_means(found: HeatMap) -> SafeString:
    """Render the algorithms' means, shaded."""
    scale = found.scale
    cells = ((_mean(scale, one.mean.value, one.mean.counted, one.mean.total),) for one in found.algorithms)
    return format_html_join("", "{}", cells)


@register.simple_tag
def heat_steps() -> range:
    """The shades, from the worst to the best."""
    return range(len(STEPS))


def _head(scale: HeatScale, query: HeatQuery, address: str, compared: int) -> SafeString:
    return format_html(
        '<th scope="row" class="pin"><a href="{}" title="{}"><bdi>{}</bdi></a></th>{}'
        '<td class="num" title="of {} algorithms">{}</td>',
        address,
        query.query.text,
        query.query.text,
        _mean(scale, query.mean, query.counted, compared, "algorithms"),
        query.counted,
        "–" if query.spread is None else decimals(query.spread),
    )


def _mean(scale: HeatScale, value: float | None, counted: int, total: int, of: str = "queries") -> SafeString:
    if value is None:
        return SafeString('<td class="num undefined">–</td>')
    note = count_note(counted, total, of)
    return format_html('<td class="num heat-{}">{}{}</td>', scale.step(value), decimals(value), note)


def _cell(value: float, address: str, scale: HeatScale) -> str:
    shown = decimals(value)
    return f'<td class="num heat-{scale.step(value)}"><a href="{escape(address)}">{shown}</a></td>'


def _gap(state: State, reason: str) -> str:
    sign, name = SHOWN[state]
    words = escape(reason)
    return (
        f'<td class="num {name}" title="{words}"><span aria-hidden="true">{sign}</span>'
        f'<span class="visually-hidden">{words}</span></td>'
    )

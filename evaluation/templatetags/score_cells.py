"""Render the cells of a score table as HTML in one pass, because a page shows a hundred rows of them.

Every user-supplied string goes through ``escape``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Literal

from django import template
from django.template.defaultfilters import floatformat
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from annotations.templatetags.site import score
from evaluation.scoring.scores import Cell
from evaluation.streams.measures import StreamMeasure

register = template.Library()


@register.simple_tag
def score_cells(cells: Sequence[Cell]) -> SafeString:
    """Render a table cell for each score: its value with its marks, or the reason why there is none."""
    return mark_safe("".join(map(_cell, cells)))  # noqa: S308 - every user-supplied string is escaped


@register.simple_tag
def median_cells(
    medians: Mapping[str, float],
    measures: Sequence[StreamMeasure],
    best: Set[str] = frozenset(),
    *,
    lowest: float | Literal[""] | None = "",
) -> SafeString:
    """Render a cell for each median of a stream submission.

    Args:
        medians: measure key -> median over time.
        best: keys of the medians that are the best of their column.
        lowest: the lowest CMM, shown after its median unless omitted.
    """
    cells = []
    for measure in measures:
        cells.append(_median(medians.get(measure.key), measure.key, is_best=measure.key in best))
        if lowest != "" and measure.key == "cmm":
            cells.append(_median(lowest, measure.key))
    return mark_safe("".join(cells))  # noqa: S308 - numbers


def _median(value: float | None, key: str, *, is_best: bool = False) -> str:
    if value is None:
        return '<td class="num"><span class="undefined" title="no time step has a value">–</span></td>'
    look = ' class="best" title="best value"' if is_best else ""
    return f'<td class="num"><span{look}>{floatformat(value, 3) if key == "ssq" else score(value)}</span></td>'


def _cell(cell: Cell) -> str:
    if cell.value is None:
        return f'<td class="num"><span class="undefined" title="{escape(cell.reason)}">{cell.state}</span></td>'
    marks = render_to_string("scoring/cell_marks.html", {"cell": cell}) if cell.flattened or cell.cut else ""
    return f'<td class="num">{score(cell.value)}{marks}</td>'

"""The cells of a table of scores as HTML, in one pass: a page shows a hundred rows of them.

Every string of people goes through ``escape``.
"""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from annotations.templatetags.site import score
from evaluation.selectors.scores import Cell

register = template.Library()


@register.simple_tag
def score_cells(cells: Sequence[Cell]) -> SafeString:
    """A cell of the table for each score: its value with its marks, or why there is none."""
    return mark_safe("".join(map(_cell, cells)))  # noqa: S308 - every string of people is escaped


def _cell(cell: Cell) -> str:
    if cell.value is None:
        return f'<td class="num"><span class="undefined" title="{escape(cell.reason)}">{cell.state}</span></td>'
    marks = render_to_string("parts/cell_marks.html", {"cell": cell}) if cell.flattened or cell.cut else ""
    return f'<td class="num">{score(cell.value)}{marks}</td>'

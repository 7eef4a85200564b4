"""Graphics of the behaviour study: pages as squares, coloured and lettered by topic."""

from __future__ import annotations

import math
from collections.abc import Iterator

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.study.case import Box, PageKind
from evaluation.study.selectors import numbered_groups, rows_for

register = template.Library()

SIDE = 16
GAP = 2
WIDEST = 12


@register.filter
def cut_at_plus(title: str) -> str:
    """Break a title of several measures at "+", so that narrow columns have narrow heads."""
    return title.replace("+", "\n")


@register.inclusion_tag("study/of_measure.html")
def study_of(measure: str) -> dict[str, object]:
    """The verdicts of a measure on every group, a column per variant; empty if the measure is not judged."""
    rows = rows_for(measure)
    groups = [(number, group, [row.marks[number - 1] for row in rows]) for number, group in numbered_groups()]
    return {"rows": rows, "groups": groups}


@register.simple_tag
def pages(box: Box) -> SafeString:
    """Render a square per page: its colour is its topic's, and its letters repeat this for readers who see no colour.

    The square of a page with several topics is divided in two, with the letters of all topics.
    """
    across = min(WIDEST, max(1, round(math.sqrt(1.3 * box.size))))
    step = SIDE + GAP
    return format_html(
        '<svg class="pages" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img" aria-label="{2}">{3}</svg>',
        min(across, box.size) * step,
        -(-box.size // across) * step,
        f"{box.title}: {box.words}",
        format_html_join("", "{}", ((drawn,) for drawn in _runs(box, across))),
    )


def _runs(box: Box, across: int) -> Iterator[SafeString]:
    """Pages of the same kind, one kind after another: one path per colour for their squares, then their letters."""
    first = 0
    for kind, number in box.kinds:
        step = SIDE + GAP
        places = [((at % across) * step + 1, (at // across) * step + 1) for at in range(first, first + number)]
        first += number
        yield from _squares(kind, places)
        yield format_html_join(
            "",
            '<text class="{}" x="{}" y="{}">{}</text>',
            (("long" if len(kind.label) > 2 else "", x + SIDE / 2, y + 11, _letters(kind)) for x, y in places),
        )


def _squares(kind: PageKind, places: list[tuple[int, int]]) -> Iterator[SafeString]:
    square = "".join(f"M{x} {y}h{SIDE}v{SIDE}h-{SIDE}z" for x, y in places)
    yield format_html('<path class="{}" d="{}"/>', f"hue-{kind.hues[0]}" if kind.hues else "topicless", square)
    if len(kind.hues) > 1:
        corner = "".join(f"M{x + SIDE} {y}v{SIDE}h-{SIDE}z" for x, y in places)
        yield format_html('<path class="hue-{} second" d="{}"/>', kind.hues[1], corner)


def _letters(kind: PageKind) -> str:
    return kind.label.replace("+", "") if kind.hues else "·"

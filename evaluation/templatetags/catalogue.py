"""Facts of measures for people: formulas, ranges, directions."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.formula import Line, lines
from evaluation.worked_examples import Example
from qc4.measures.measure import Measure

register = template.Library()

_SHAPES = (
    "M-5-5h10v10h-10z",
    "M0-6 6 5H-6z",
    "M0-6.5 6.5 0 0 6.5-6.5 0z",
    "M-5.4 0a5.4 5.4 0 1 0 10.8 0a5.4 5.4 0 1 0-10.8 0z",
)
UNIT = 28


@register.simple_tag
def formula(text: str) -> SafeString:
    """A declared formula as lines of MathML and prose."""
    return format_html_join("", '<div class="formula-line">{}</div>', ((_line(line),) for line in lines(text)))


def _line(line: Line) -> SafeString:
    # The engine builds the MathML as an XML tree, so every sign of the declared formula is escaped.
    return format_html_join(" ", "{}", ((SafeString(piece.mathml) if piece.mathml else piece.prose,) for piece in line))


@register.filter
def better_words(measure: Measure) -> str:
    return f"{measure.arrow} {measure.better}"


@register.filter
def level_words(level: int | str | None) -> str:
    """The level of a score in words; nothing where its measure has none."""
    if level is None:
        return ""
    return "all levels" if level == "all" else f"level {level}"


@register.simple_tag
def scatter(example: Example) -> SafeString:
    """The pages of an example as points; colour and shape tell the clusters."""
    cluster_of = {page: n for n, cluster in enumerate(example.clustering.clusters) for page in cluster.pages}
    points = example.points or ()
    width, height = (UNIT * (int(max(values)) + 1) for values in zip(*points, strict=True))
    dots = format_html_join(
        "",
        '<g class="hue-{}" transform="translate({} {})"><path fill="currentColor" d="{}"/>'
        '<text x="8" y="-5">{}</text></g>',
        (
            (cluster_of[page.id], f"{UNIT * x:g}", f"{height - UNIT * y:g}", _SHAPES[cluster_of[page.id] % 4], page.id)
            for page, (x, y) in zip(example.gold.pages, points, strict=True)
        ),
    )
    grid = "".join(f"M{UNIT * x} 0v{height}" for x in range(width // UNIT + 1))
    grid += "".join(f"M0 {UNIT * y}h{width}" for y in range(height // UNIT + 1))
    return format_html(
        '<svg class="scatter" viewBox="-1 -1 {} {}" role="img" aria-label="The pages as points; the table gives '
        'their places"><path class="grid" d="{}"/>{}</svg>',
        width + 12,
        height + 2,
        grid,
        dots,
    )

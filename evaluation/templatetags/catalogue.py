"""Facts about measures as text and graphics: formulas, ranges, directions."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.charts.marks import SHAPES, Mark
from evaluation.measures.formulas import Line, lines
from evaluation.measures.worked_examples import Example
from evaluation.templatetags.boards import placed_mark
from qc4.measures.registry import REGISTRY, Measure

register = template.Library()

UNIT = 28


@register.simple_tag
def formula(text: str) -> SafeString:
    """Render a declared formula as lines of MathML and prose."""
    return format_html_join("", '<div class="formula-line">{}</div>', ((_line(line),) for line in lines(text)))


def _line(line: Line) -> SafeString:
    # The engine builds the MathML as an XML tree, so every character of the declared formula is escaped.
    return format_html_join(" ", "{}", ((SafeString(piece.mathml) if piece.mathml else piece.prose,) for piece in line))


@register.filter
def better_words(measure: Measure) -> str:
    return f"{measure.arrow} {measure.better}"


@register.filter
def measure_title(key: str) -> str:
    """The title of a measure."""
    return REGISTRY.get(key).title


@register.filter
def level_words(level: int | str | None) -> str:
    """The level of a score as text; empty if its measure has no levels."""
    if level is None:
        return ""
    return "all levels" if level == "all" else f"level {level}"


@register.simple_tag
def scatter(example: Example) -> SafeString:
    """Render the pages of an example as points; colour and shape identify the clusters."""
    cluster_of = {page: n for n, cluster in enumerate(example.clustering.clusters) for page in cluster.pages}
    points = example.points or ()
    width, height = (UNIT * (int(max(values)) + 1) for values in zip(*points, strict=True))
    placed = [
        (cluster_of[page.id], page.id, UNIT * x, height - UNIT * y)
        for page, (x, y) in zip(example.gold.pages, points, strict=True)
    ]
    dots = format_html_join(
        "",
        '<g class="hue-{}">{}<text x="{}" y="{}">{}</text></g>',
        (
            (number, placed_mark(_mark(number), x, y, size=0.95), f"{x + 8:g}", f"{y - 5:g}", page)
            for number, page, x, y in placed
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


def _mark(number: int) -> Mark:
    return Mark(number, SHAPES[number % len(SHAPES)], False)

"""The matrix of topics and clusters as SVG, with one path per shade, so that 40,000 cells are as light as forty."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from evaluation.explanations.matrix import Matrix, MatrixCell
from qc4.wording import clipped, decimals

register = template.Library()

STEPS = 8
"""Number of shades from nearly 0 to 1."""
NUMBERED = 1_500
"""Larger matrices have no numbers in their cells."""
NAME_CHARS = 30


@dataclass(frozen=True, slots=True)
class Picture:
    """Sizes in pixels, and the three parts that scroll together: topic names, cluster names and cells."""

    across: int
    down: int
    width: int
    height: int
    head: int
    side: int
    topics: SafeString
    clusters: SafeString
    cells: SafeString


@register.simple_tag
def drawn(of: Matrix, shade: str) -> Picture:
    """Render a matrix whose cells are shaded by the share ``shade``."""
    across = _clamped(900 // max(len(of.clusters), 1), 6, 36)
    down = _clamped(640 // max(len(of.topics), 1), 13, 24)
    width, height = across * len(of.clusters), down * len(of.topics)
    return Picture(
        across,
        down,
        width,
        height,
        head=_head(of) if across >= 11 else 8,
        side=230,
        topics=_topics(of, down),
        clusters=_clusters(of, across, _head(of)) if across >= 11 else SafeString(""),
        cells=_cells(of, shade, across, down),
    )


def data(of: Matrix) -> dict[str, object]:
    """Data with which the script describes the cell under the pointer."""
    return {
        "topics": [[topic.id, topic.path, topic.pages] for topic in of.topics],
        "clusters": [[cluster.id, cluster.name, cluster.pages] for cluster in of.clusters],
        "cells": [[cell.topic, cell.cluster, cell.pages] for cell in of.cells],
    }


register.filter("matrix_data", data)


def _topics(of: Matrix, down: int) -> SafeString:
    return format_html_join(
        "",
        '<text x="{}" y="{}">{}</text>',
        (
            (8 + 10 * min(topic.depth, 6), f"{row * down + down * 0.72:.1f}", _short(topic.name, topic.depth))
            for row, topic in enumerate(of.topics)
        ),
    )


def _head(of: Matrix) -> int:
    """Height in pixels of the longest cluster name, written upwards."""
    return _clamped(14 + 6 * max((len(cluster.name) for cluster in of.clusters), default=0), 40, 190)


def _clusters(of: Matrix, across: int, head: int) -> SafeString:
    return format_html_join(
        "",
        '<text transform="translate({} {}) rotate(-90)">{}</text>',
        (
            (f"{column * across + across / 2 + 4:.1f}", head - 5, _short(cluster.name))
            for column, cluster in enumerate(of.clusters)
        ),
    )


def _cells(of: Matrix, shade: str, across: int, down: int) -> SafeString:
    most = max((cell.pages for cell in of.cells), default=1)
    paths: dict[int, list[str]] = defaultdict(list)
    numbers = []
    with_numbers = across >= 24 and len(of.cells) <= NUMBERED
    for cell in of.cells:
        share = cell.pages / most if shade == "pages" else float(getattr(cell, shade))
        step = max(1, round(share * STEPS))
        x, y = cell.cluster * across, cell.topic * down
        paths[step].append(f"M{x} {y}h{across}v{down}h-{across}z")
        if with_numbers:
            text = _clamped_number(cell, shade)
            numbers.append((x + across / 2, f"{y + down * 0.7:.1f}", "dark" if step > 5 else "", text))
    drawn_paths = format_html_join(
        "", '<path class="shade-{}" d="{}"/>', ((step, "".join(parts)) for step, parts in sorted(paths.items()))
    )
    texts = format_html_join("", '<text x="{}" y="{}" class="{}">{}</text>', numbers)
    return format_html("{}{}", drawn_paths, texts)


def _clamped_number(cell: MatrixCell, shade: str) -> str:
    return str(cell.pages) if shade == "pages" else decimals(getattr(cell, shade), 2)


def _short(name: str, depth: int = 0) -> str:
    return clipped(name, NAME_CHARS - 2 * min(depth, 6))


def _clamped(value: int, least: int, most: int) -> int:
    return max(least, min(most, value))

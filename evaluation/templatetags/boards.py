"""Graphics rendered on the server as SVG: marks of algorithms, strips of scores by query, waterfalls, bars.

Every string goes through ``format_html``, and no inline styles are needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import repeat

import numpy as np
from django import template
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from evaluation.baselines.catalogue import REFERENCES
from evaluation.charts.marks import PATHS, Mark
from qc4.arrays import FloatArray
from qc4.charts import Scale
from qc4.wording import percentage

register = template.Library()

_MAX_BARS = 100


@register.simple_tag
@cache
def mark(of: Mark | None) -> SafeString:
    """Render the mark of an algorithm; it is shown beside the name and so hidden from screen readers."""
    if of is None:
        return SafeString("")
    return format_html(
        '<svg class="glyph hue-{}" width="14" height="14" viewBox="0 0 16 16" aria-hidden="true" focusable="false">'
        '<path class="{}" fill="currentColor" d="{}"/></svg>',
        of.hue,
        "hollow" if of.hollow else "solid",
        PATHS[of.shape],
    )


def placed_mark(of: Mark, x: float, y: float, size: float = 0.6) -> SafeString:
    """Render a small mark, centred at a point of a graphic."""
    return format_html(
        '<path class="{}" fill="currentColor" transform="translate({} {}) scale({})" d="{}"/>',
        "hollow" if of.hollow else "solid",
        f"{x - 8 * size:.1f}",
        f"{y - 8 * size:.1f}",
        size,
        PATHS[of.shape],
    )


_PLACES = tuple(f"M{4 * number}.5 21" for number in range(_MAX_BARS))
_STEMS = tuple(f"v-{tenths / 10:g}" for tenths in range(201))
_NO_BAR = -1


def strips(
    values: FloatArray,
    marks: Sequence[Mark | None],
    low: float = 0,
    high: float = 1,
    tips: Sequence[Sequence[str]] | None = None,
) -> list[SafeString]:
    """Render one strip per row: a thin bar per query, from ``low`` to ``high``; a grey tick marks a missing value.

    Beyond 100 queries, each bar is the mean of neighbouring queries.

    Args:
        values: array of shape (rows, queries), NaN for a missing value.
        marks: the mark of each row.
        tips: for each row, the tooltips of its bars, if any.
    """
    n_queries = values.shape[1]
    starts = np.arange(0, n_queries, -(-n_queries // _MAX_BARS) or 1)
    known = ~np.isnan(values)
    counts, sums = np.zeros((len(values), starts.size), dtype=np.int64), np.zeros((len(values), starts.size))
    if starts.size:
        counts = np.add.reduceat(known, starts, axis=1, dtype=np.int64)
        sums = np.add.reduceat(np.where(known, values, 0.0), starts, axis=1)
    shares = np.clip((sums / np.maximum(counts, 1) - low) / ((high - low) or 1.0), 0.03, 1.0)
    tall = np.where(counts > 0, np.rint(200 * shares), _NO_BAR).astype(int).tolist()
    least = np.where(known, values, np.inf).min(axis=1, initial=np.inf).tolist()
    most = np.where(known, values, -np.inf).max(axis=1, initial=-np.inf).tolist()
    of_rows = zip(tall, known.sum(axis=1).tolist(), least, most, marks, tips or repeat(()), strict=False)
    return [
        _strip(
            heights,
            f"{has} queries with a value, from {lowest:.3f} to {highest:.3f}" if has else "no values",
            of,
            said,
        )
        for heights, has, lowest, highest, of, said in of_rows
    ]


def _strip(heights: Sequence[int], words: str, of: Mark | None, tips: Sequence[str]) -> SafeString:
    """Render a strip; ``heights`` are bar heights in tenths of a pixel."""
    bars = [place + _STEMS[tenths] for place, tenths in zip(_PLACES, heights, strict=False) if tenths != _NO_BAR]
    gaps = [f"M{4 * number}.5 22v2" for number, tenths in enumerate(heights) if tenths == _NO_BAR]
    width = 4 * len(heights)
    told = "".join(
        f'<path class="tip" d="M{4 * number}.5 0v24"><title>{escape(tip)}</title></path>'
        for number, tip in enumerate(tips)
    )
    # Numbers and escaped text are joined directly because a leaderboard has hundreds of strips.
    return mark_safe(  # noqa: S308 - see above
        f'<svg class="strip hue-{of.hue if of else 0}{" of-baseline" if of and of.hollow else ""}" '
        f'width="{min(240, 4 * width)}" height="24" viewBox="-1 0 {max(width, 4)} 24" preserveAspectRatio="none" '
        f'role="img" aria-label="Per query: {words}"><path class="bars" d="{"".join(bars)}"/>'
        f'<path class="gap" d="{"".join(gaps)}"/><path class="floor" d="M-1 21.5h{width}"/>{told}</svg>'
    )


@register.simple_tag
def bar(value: float | None, words: str = "") -> SafeString:
    """Render a horizontal bar for a share from 0 to 1."""
    share = Scale(0, 1, 0, 1)(value or 0.0)
    return format_html(
        '<svg class="bar" viewBox="0 0 100 6" preserveAspectRatio="none" role="img" aria-label="{}">'
        '<rect class="track" width="100" height="6"/><rect class="fill" width="{}" height="6"/></svg>',
        words or percentage(share),
        f"{100 * share:.2f}",
    )


@register.simple_tag
def waterfall(steps: Sequence[tuple[str, float, float]], kept: float) -> SafeString:
    """Render the decrease from 1 to the quality: a bar for the remaining quality, then the loss of each step, last
    first.

    Args:
        steps: (class suffix, value before, value after) per step, in order.
        kept: the remaining quality.
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


@register.filter
def is_reference(baseline: str) -> bool:
    """True if a baseline, given by its key, is a reference clustering, which is not ranked."""
    return baseline in REFERENCES

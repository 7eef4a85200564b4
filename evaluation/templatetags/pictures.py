"""Figures drawn by the engine (`qc4.stats.pictures`), for pages."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe

from qc4.charts import shorten_middle

register = template.Library()


@register.simple_tag
def picture(svg: str) -> SafeString:
    """Insert a figure as the engine drew it; the engine escapes every name."""
    return mark_safe(svg)  # noqa: S308  # drawn by `qc4.charts`, which escapes


@register.filter
def shortened(name: str, longest: int) -> str:
    """Shorten a long name in the middle, as figures do: names of variants differ at their ends."""
    return shorten_middle(name, longest)


@register.filter
def shade(value: float | None) -> str:
    """Return the CSS class of a share from 0 to 1, one of eleven shades; empty for a negative value."""
    return "" if value is None or value < 0 else f"shade-{round(10 * min(value, 1.0))}"


@register.filter
def at(values: Sequence[object], place: int) -> object:
    """The item at an index that is only known while rendering."""
    return values[place]

"""Pictures that the engine draws (`qc4.stats.pictures`), on pages."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.safestring import SafeString, mark_safe

from qc4.charts import short

register = template.Library()


@register.simple_tag
def picture(svg: str) -> SafeString:
    """A picture as the engine drew it; it escapes every name."""
    return mark_safe(svg)  # noqa: S308  # drawn by `qc4.charts`, which escapes


@register.filter
def shortened(name: str, longest: int) -> str:
    """A name as pictures have it, its middle left out where it is longer: names of variants differ at their ends."""
    return short(name, longest)


@register.filter
def shade(value: float | None) -> str:
    """A share of 1 as one of eleven shades, the name of a class: none for less than 0."""
    return "" if value is None or value < 0 else f"shade-{round(10 * min(value, 1.0))}"


@register.filter
def at(values: Sequence[object], place: int) -> object:
    """The value at a place that is only known while rendering."""
    return values[place]

"""Check boxes of measures. The catalogue is the same for everyone, so each box is rendered once per process."""

from __future__ import annotations

from collections.abc import Set
from functools import cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from qc4.measures.registry import Measure

register = template.Library()


@register.simple_tag
def measure_tick(measure: Measure, chosen: Set[str]) -> SafeString:
    """Render a measure with its check box, checked if its key is in ``chosen``."""
    return _tick(measure, measure.key in chosen)


@cache
def _tick(measure: Measure, ticked: bool) -> SafeString:
    return render_to_string("scoring/measure_tick.html", {"measure": measure, "ticked": ticked})

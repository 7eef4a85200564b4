"""Baselines to tick, each with its parameters: the same for everybody, so they are rendered once per process."""

from __future__ import annotations

from functools import cache

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from evaluation.baseline_runs.forms import RunBaselines

register = template.Library()


@register.simple_tag
@cache
def baseline_ticks() -> SafeString:
    """A box for each baseline with fields for its parameters, as nobody has filled them in yet."""
    return render_to_string("baseline_runs/baseline_ticks.html", {"rows": RunBaselines().rows})

"""Check boxes of baselines with their parameters; the same for everyone, so they are rendered once per process."""

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
    """Render a check box for each baseline, with empty fields for its parameters."""
    return render_to_string("baseline_runs/baseline_ticks.html", {"rows": RunBaselines().rows})

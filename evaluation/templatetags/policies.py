"""Scoring options: the fields to choose them, and their description."""

from __future__ import annotations

from urllib.parse import urlencode

from django import template

from evaluation.scoring.policies import PolicyField, options_in_words, policy_fields
from qc4.model.policies import Policies

register = template.Library()


@register.inclusion_tag("scoring/options.html")
def policies(chosen: Policies) -> dict[str, tuple[PolicyField, ...] | bool | str]:
    """Render a select per scoring option, in a menu inside a form that sends them by GET or POST."""
    return {"fields": policy_fields(chosen), "words": options_in_words(chosen), "is_default": chosen == Policies()}


@register.inclusion_tag("scoring/option_inputs.html")
def policy_inputs(chosen: Policies) -> dict[str, dict[str, str]]:
    """Render the scoring options as hidden inputs."""
    return {"policies": chosen.to_dict()}


@register.filter
def policy_address(chosen: Policies) -> str:
    """Return the non-default scoring options as a query string: "?overlap=first", or nothing."""
    defaults = Policies().to_dict()
    changed = {name: choice for name, choice in chosen.to_dict().items() if choice != defaults[name]}
    return f"?{urlencode(changed)}" if changed else ""


@register.filter
def policy_words(chosen: Policies | dict[str, str]) -> str:
    """Describe the scoring options that differ from the defaults."""
    return options_in_words(Policies.parse(chosen))

"""Whether somebody is there to do the work that a page waits for."""

from __future__ import annotations

from django import template

from evaluation.runs.workers import alive

register = template.Library()


@register.inclusion_tag("parts/no_worker.html")
def no_worker(waits: object) -> dict[str, bool]:
    """A notice where something waits and no worker is alive; nothing otherwise."""
    return {"is_alone": bool(waits) and not alive().exists()}

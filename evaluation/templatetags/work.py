"""Of work: whether somebody is there to do it, and where a stream run's results are."""

from __future__ import annotations

from django import template

from evaluation.models import Run
from evaluation.runs.workers import alive
from evaluation.selectors.streams import SHORT_HASH
from evaluation.stream_settings import StreamSettings

register = template.Library()


@register.inclusion_tag("parts/no_worker.html")
def no_worker(waits: object) -> dict[str, bool]:
    """A notice where something waits and no worker is alive; nothing otherwise."""
    return {"is_alone": bool(waits) and not alive().exists()}


@register.filter
def settings_key(run: Run) -> str:
    """The settings of a stream run as addresses of the stream's page name them."""
    return StreamSettings.parse(run.options).sha256[:SHORT_HASH]

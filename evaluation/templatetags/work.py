"""Of work: whether somebody is there to do it, and where a stream run's results are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from accounts.person import administers
from evaluation.models import Run
from evaluation.selectors.streams import SHORT_HASH
from evaluation.stream_settings import StreamSettings
from work.workers import live_workers

register = template.Library()


@register.inclusion_tag("parts/no_worker.html", takes_context=True)
def no_worker(context: Mapping[str, Any], waits: object) -> dict[str, bool]:
    """A notice where something waits and no worker is alive; nothing otherwise."""
    is_alone = bool(waits) and not live_workers().exists()
    return {"is_alone": is_alone, "operates": is_alone and administers(context["request"].user)}


@register.filter
def settings_key(run: Run) -> str:
    """The settings of a stream run as addresses of the stream's page name them."""
    return StreamSettings.parse(run.options).sha256[:SHORT_HASH]

"""Tags about runs: a notice if no worker is alive, and links to comparisons and results."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template

from accounts.person import administers
from evaluation.models import Run
from evaluation.stream_settings import StreamSettings
from evaluation.streams.selectors import SHORT_HASH
from evaluation.submissions.selectors import Rival, rival_of
from work.workers import live_workers

register = template.Library()


@register.inclusion_tag("work/no_worker.html", takes_context=True)
def no_worker(context: Mapping[str, Any], waits: object) -> dict[str, bool]:
    """Show a notice if something is waiting and no worker is alive."""
    is_alone = bool(waits) and not live_workers().exists()
    return {"is_alone": is_alone, "operates": is_alone and administers(context["request"].user)}


@register.filter
def settings_key(run: Run) -> str:
    """The settings of a stream run, as in URLs of the stream's page."""
    return StreamSettings.parse(run.options).sha256[:SHORT_HASH]


@register.simple_tag(takes_context=True)
def rival(context: Mapping[str, Any], run: Run) -> Rival | None:
    """The algorithm that a finished evaluation is compared with first; None if there is none."""
    return rival_of(run.submission, context["request"].user) if run.submission else None

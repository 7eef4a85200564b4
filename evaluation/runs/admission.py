"""Limits on unfinished work, so that one person cannot fill the queue for everybody."""

from __future__ import annotations

from django.conf import settings
from django.db.models import Avg, F

from accounts.models import User
from evaluation.models import Run
from evaluation.runs.errors import TooManyRuns
from evaluation.runs.turns import before_another
from work.lease import State
from work.workers import live_workers

UNFINISHED = (State.QUEUED, State.RUNNING)


def admit(user: User | None, queue: str) -> None:
    """Refuse one more run where a limit is reached. Two requests in the same instant may both pass: the limits
    keep order, they are not a promise. A person's limit is for each queue: what follows by itself from their work
    waits in another one, and keeps them from nothing.

    Raises:
        TooManyRuns: with the queue position it would have had and when to try again.
    """
    unfinished = Run.objects.filter(state__in=UNFINISHED)
    if user is not None and unfinished.filter(created_by=user, queue=queue).count() >= settings.JOB_LIMIT_PER_USER:
        _refuse(user, settings.JOB_LIMIT_PER_USER, queue, "You have")
    if unfinished.count() >= settings.JOB_LIMIT_TOTAL:
        _refuse(user, settings.JOB_LIMIT_TOTAL, queue, "This site has")


def seconds_per_run() -> float:
    """How long the last runs took on average; 10 while nothing is known."""
    last = Run.objects.filter(state=State.DONE).order_by("-finished_at").values("pk")[:20]
    mean = Run.objects.filter(pk__in=list(last.values_list("pk", flat=True))).aggregate(
        mean=Avg(F("finished_at") - F("started_at"))
    )["mean"]
    return mean.total_seconds() if mean else 10.0


def _refuse(user: User | None, limit: int, queue: str, whose: str) -> None:
    position = before_another(user, queue) + 1
    seconds = seconds_per_run() * position / max(live_workers().count(), 1)
    raise TooManyRuns(limit=limit, position=position, retry_after=int(min(max(seconds, 5), 600)), whose=whose)

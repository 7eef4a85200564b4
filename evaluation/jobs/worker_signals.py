"""Hooks the sweeper and the sign of life into Celery's worker processes; imported with the tasks."""

from __future__ import annotations

from typing import Any

from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down
from django.conf import settings

from evaluation.jobs.background import Background
from evaluation.runs.workers import Pool, set_pool, this_pool, this_worker

_background: Background | None = None


@celeryd_after_setup.connect
def set_up(instance: Any, **_: Any) -> None:
    """It knows what it takes, and no pool process is forked yet."""
    names = instance.app.amqp.queues.consume_from
    queues = tuple(name.removeprefix(settings.JOB_QUEUE_PREFIX) for name in names)
    set_pool(Pool(queues, instance.concurrency))


@worker_ready.connect
def start(**_: Any) -> None:
    """The worker's main process is ready: sweep now and regularly."""
    global _background
    _background = Background(this_worker(), this_pool())
    _background.start()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """It was told to stop: give its runs back to the queue instead of letting their leases run out."""
    if _background is not None:
        _background.stop()

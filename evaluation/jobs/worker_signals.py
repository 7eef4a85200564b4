"""Hooks the sweeper and the sign of life into Celery's worker processes; imported with the tasks."""

from __future__ import annotations

from typing import Any

from celery.signals import worker_ready, worker_shutting_down
from django.conf import settings

from evaluation.jobs.background import Background
from evaluation.runs.workers import this_worker

_background: Background | None = None


@worker_ready.connect
def start(sender: Any, **_: Any) -> None:
    """The worker's main process is ready: sweep now and regularly."""
    global _background
    queues = [queue.name.removeprefix(settings.JOB_QUEUE_PREFIX) for queue in sender.task_consumer.queues]
    _background = Background(this_worker(), queues, sender.pool.num_processes)
    _background.start()


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """It was told to stop: give its runs back to the queue instead of letting their leases run out."""
    if _background is not None:
        _background.stop()

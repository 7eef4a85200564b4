"""Hooks the sweeper and the sign of life into Celery's worker processes; imported with the tasks."""

from __future__ import annotations

import os
from collections.abc import Callable
from threading import Event, Thread
from typing import Any

from celery.signals import celeryd_after_setup, worker_ready, worker_shutting_down
from django.conf import settings

from evaluation.jobs.background import Background
from evaluation.runs.workers import Pool, set_pool, this_pool, this_worker
from work.supervisor import SUPERVISOR

WATCH_SECONDS = 1.0
GRACE_SECONDS = 2.0
"""Between the end of the supervisor, which tells a worker to stop, and the end of a worker that waits for a run."""

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
    if supervisor := os.environ.get(SUPERVISOR):
        Thread(target=end_after, args=(int(supervisor),), name="supervisor watch", daemon=True).start()


def end_after(supervisor: int, end: Callable[[int], object] = os._exit) -> None:
    """Wait until the supervisor is not the parent any more, then end this process.

    The system tells a worker to stop when its supervisor is killed (`end_with_parent`), and the worker hands its runs
    back. But it then waits for what its pool computes, however long that takes, and nobody is left to end it. Its pool
    ends with it: Celery asks the system for that.
    """
    pause = Event()
    while os.getppid() == supervisor:
        pause.wait(WATCH_SECONDS)
    pause.wait(GRACE_SECONDS)
    end(os.EX_SOFTWARE)


@worker_shutting_down.connect
def stop(**_: Any) -> None:
    """It was told to stop: give its runs back to the queue instead of letting their leases run out."""
    if _background is not None:
        _background.stop()

"""Wake-up calls: messages on the broker that end the sleep of idle workers. Without a broker there are none.

They say nothing and may be lost: every idle worker looks at the tables twice a second anyway.
"""

from __future__ import annotations

import logging
import warnings
from threading import Event, Lock, Thread

from celery import Celery, current_app
from django.conf import settings
from django.db import transaction
from kombu.common import Broadcast
from kombu.entity import Exchange

from work.loop import Bell

log = logging.getLogger(__name__)

WAKE = "work.wake"
WORKER = ("--quiet", "--skip-checks", "worker", "--pool", "solo", "--loglevel", "WARNING")
ALONE = ("--without-gossip", "--without-mingle", "--without-heartbeat")


class _Caller:
    """Sends calls from a thread of its own, so that no request waits for a broker; those of a burst become one."""

    def __init__(self) -> None:
        self._wanted = Event()
        self._lock = Lock()
        self._thread: Thread | None = None

    def call(self) -> None:
        self._wanted.set()
        with self._lock:
            if self._thread is None or not self._thread.is_alive():
                self._thread = Thread(target=self._send, name="wake-up calls", daemon=True)
                self._thread.start()

    def _send(self) -> None:
        while self._wanted.wait():
            self._wanted.clear()
            exchange = _exchange()
            try:
                current_app.send_task(
                    WAKE, queue=Broadcast(exchange.name), declare=[exchange], retry=False, ignore_result=True
                )
            except Exception as error:  # whatever a broker's library raises
                log.warning("no wake-up call: the broker cannot be reached (%s)", error)


_caller = _Caller()


def wake_on_commit() -> None:
    """Call idle workers once the surrounding transaction is committed."""
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(_caller.call)


def listen(bell: Bell, name: str) -> None:
    """Be a Celery worker whose only task rings the bell. Every worker gets each call."""
    app: Celery = current_app._get_current_object()
    app.conf.task_queues = [Broadcast(_exchange().name)]
    app.task(bell.ring, name=WAKE)
    # Celery warns root because of messages that carry code. These are JSON and say nothing.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")
    app.worker_main([*WORKER, *ALONE, "--hostname", f"{name}@%h"])


def _exchange() -> Exchange:
    return Exchange(f"{settings.JOB_QUEUE_PREFIX}wake", type="fanout")

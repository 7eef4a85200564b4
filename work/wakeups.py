"""Wake-up calls: messages that wake idle workers through the broker, if there is one.

They are empty and may be lost, because every idle worker looks at the tables twice a second anyway.
"""

from __future__ import annotations

import logging
import warnings
from threading import Event, Lock, Thread
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction

from work.loop import Bell

if TYPE_CHECKING:  # imported only if there is a broker
    from celery import Celery

log = logging.getLogger(__name__)

WAKE = "work.wake"
OPTIONS: dict[str, Any] = {
    "broker_connection_timeout": 2,
    "broker_connection_retry_on_startup": True,
    "broker_connection_max_retries": None,
    "worker_enable_remote_control": False,
    "worker_hijack_root_logger": False,
}
COMMAND = ("--quiet", "--skip-checks", "worker", "--pool", "solo", "--loglevel", "WARNING")
STANDALONE = ("--without-gossip", "--without-mingle", "--without-heartbeat")


def celery_app() -> Celery:
    """Return the Celery application that broadcasts wake-up calls to all connected workers."""
    from celery import Celery
    from kombu.common import Broadcast

    app = Celery("qc4", broker=settings.CELERY_BROKER_URL, set_as_current=False, fixups=[])
    app.conf.update(OPTIONS, task_queues=[Broadcast(f"{settings.JOB_QUEUE_PREFIX}wake")])
    return app


class WakeupSender:
    """Sends wake-up calls from a separate thread, so that no request waits for the broker. Bursts become one call."""

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
        app = celery_app()
        [queue] = app.amqp.queues.values()
        while self._wanted.wait():
            self._wanted.clear()
            try:
                app.send_task(WAKE, queue=queue, declare=[queue.exchange], retry=False, ignore_result=True)
            except Exception as error:  # whatever a broker's library raises
                log.warning("no wake-up call: the broker cannot be reached (%s)", error)


wakeup_sender = WakeupSender()


def wake_on_commit() -> None:
    """Wake idle workers once the current transaction is committed."""
    if settings.CELERY_BROKER_URL:
        transaction.on_commit(lambda: wakeup_sender.call())


def listen_for_wakeups(bell: Bell, name: str) -> None:
    """Run a Celery worker whose only task rings the bell."""
    app = celery_app()
    app.task(bell.ring, name=WAKE)
    # Celery warns root users because messages can carry code. These are empty JSON messages.
    warnings.filterwarnings("ignore", message="You're running the worker with superuser privileges")
    app.worker_main([*COMMAND, *STANDALONE, "--hostname", f"{name}@%h"])

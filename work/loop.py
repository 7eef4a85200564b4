"""The loop of each worker process: claim the next piece of work and do it, or sleep briefly if there is none."""

from __future__ import annotations

import logging
import os
import select
import signal
from collections.abc import Sequence
from contextlib import suppress

from django.conf import settings
from django.db import Error, connection

from work.sources import Source, Task

log = logging.getLogger(__name__)

SourceQueues = Sequence[tuple[Source, str]]

POLL_SECONDS = 0.5
"""Seconds between two polls of the tables by an idle process, if no wake-up call arrives."""
STOP_SECONDS = 60
"""A process that still computes this long after the time limit of its work is killed by the operating system."""


class Bell:
    """Wakes the idle processes of a worker. It is a pipe without locks, as any process may be killed at any time."""

    def __init__(self) -> None:
        self._read_end, self._write_end = os.pipe2(os.O_NONBLOCK | os.O_CLOEXEC)

    def ring(self) -> None:
        with suppress(BlockingIOError):  # nobody has listened for a long time
            os.write(self._write_end, b"!")

    def wait(self, seconds: float) -> None:
        """Sleep until the bell rings, at most for this long."""
        select.select([self._read_end], [], [], seconds)
        with suppress(BlockingIOError):  # another process has heard it
            os.read(self._read_end, 65_536)


def claim_next(worker: str, source_queues: SourceQueues) -> Task | None:
    """Claim the next piece of work. Return None if there is none."""
    for source, queue in source_queues:
        if (task := source.claim(worker, queue)) is not None:
            return task
    return None


def loop(worker: str, source_queues: SourceQueues, bell: Bell) -> None:
    """Claim and do work forever.

    Args:
        source_queues: sources and queues, in the order in which to ask them for work.

    Raises:
        MemoryError: a piece of work ran out of memory. The memory that is left may not be enough for the next one, so
            this process ends and another one replaces it.
    """
    is_disconnected = False
    while True:
        try:
            task = claim_next(worker, source_queues)
        except Error as error:
            log.error("worker %s cannot ask the database for work: %s", worker, error)
            connection.close()  # the first retry is immediate: a restarted server has only closed the connection
            bell.wait(settings.JOB_SWEEP_SECONDS if is_disconnected else 0)
            is_disconnected = True
            continue
        is_disconnected = False
        if task is None:
            bell.wait(POLL_SECONDS)
        elif not _do(task, worker):
            bell.wait(settings.JOB_SWEEP_SECONDS)


def _do(task: Task, worker: str) -> bool:
    # The sweeper fails work at its time limit. The alarm ends a process that would continue to compute in vain.
    signal.alarm(int(settings.JOB_TIME_LIMIT_SECONDS) + STOP_SECONDS)
    try:
        return task.run()
    except MemoryError:
        raise
    except Exception:  # tasks handle the errors that they expect
        log.exception("worker %s: a piece of work failed unexpectedly", worker)
        connection.close()
        return False
    finally:
        signal.alarm(0)

"""Notices that a worker's pool takes nothing any more, although it is called: the one failure no lease shows."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from evaluation.jobs.transitions import State
from evaluation.models import Run

PATIENCE_SECONDS = 600.0


class Watchdog:
    """Asked at every sweep whether the worker seems stuck.

    It is when runs have waited in its queues, called for, and it has held none, for `PATIENCE_SECONDS` on end. A
    broker that is away does not count: then nothing was called. Ending a worker that only helped others for so long
    costs their help and nothing else.
    """

    def __init__(self, worker: str, queues: Sequence[str], clock: Callable[[], float] = time.monotonic) -> None:
        self._worker = worker
        self._queues = queues
        self._clock = clock
        self._well_at = clock()

    def is_stuck(self) -> bool:
        """Whether the worker should be ended, so that it is started anew."""
        waiting = Run.objects.filter(state=State.QUEUED, queue__in=self._queues, woken_at__isnull=False)
        holds_one = Run.objects.filter(state=State.RUNNING, worker=self._worker)
        if holds_one.exists() or not waiting.exists():
            self._well_at = self._clock()
        return self._clock() - self._well_at > PATIENCE_SECONDS

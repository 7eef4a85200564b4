"""Notices that a worker's pool takes nothing any more, although it is called: the one failure no lease shows.

It happens for certain where a pool process is killed while it waits for work and the broker is the folder of files:
there the pool's processes share one pipe, and the killed one keeps the lock of its reading end for ever. It happens by
chance where Redis was restarted: Celery may connect to it again and hear nothing from it (celery issues 8030, 10205).
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from celery.worker import state
from django.conf import settings

from evaluation.models import Run
from evaluation.runs.transitions import State

PATIENCE_SECONDS = 180.0
UNTAKEN_SWEEPS = 3
UNTAKEN_SECONDS = 10.0
"""How long a message may lie in the pool beside an idle process: so many sweeps, and at least so many seconds."""


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


class PoolWatchdog:
    """Asked at every sweep whether the pool leaves messages lying although not all of its processes are busy.

    Args:
        processes: how many the pool has.
        given: the requests that were given to the pool and have not ended.
        taken: those of them that a pool process works on.
    """

    def __init__(
        self,
        processes: int,
        given: Iterable[Any] = state.reserved_requests,
        taken: Iterable[Any] = state.active_requests,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._processes = processes
        self._given = given
        self._taken = taken
        self._clock = clock
        self._since: dict[str, float] = {}

    def is_stuck(self) -> bool:
        """Whether the worker should be ended, so that it is started anew."""
        now = self._clock()
        taken = {request.id for request in self._taken}
        is_busy = len(taken) >= self._processes
        lying = set() if is_busy else {request.id for request in self._given} - taken
        self._since = {request: self._since.get(request, now) for request in lying}
        patience = max(UNTAKEN_SWEEPS * settings.JOB_SWEEP_SECONDS, UNTAKEN_SECONDS)
        return any(now - since > patience for since in self._since.values())

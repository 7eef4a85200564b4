"""The thread in every web and worker process that sweeps and, in workers, says that the worker is alive."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable
from threading import Event, Lock, Thread

from django.conf import settings
from django.db import connection

from evaluation.jobs.sweeper import sweep
from evaluation.jobs.tidying import tidy
from evaluation.jobs.watchdog import PoolWatchdog, Watchdog
from evaluation.runs import workers
from evaluation.runs.workers import Pool

log = logging.getLogger(__name__)

TIDY_EVERY = 240
"""Sweeps between two tidyings: an hour at 15 seconds a sweep."""
FORK_WAIT_SECONDS = 5.0
NO_POOL = Pool((), 0)


class Background:
    """Sweeps at once and then every ``JOB_SWEEP_SECONDS`` until stopped.

    Args:
        worker: the worker to report as alive; "" in a web process.
        pool: what it takes.
    """

    def __init__(self, worker: str = "", pool: Pool = NO_POOL) -> None:
        self._worker = worker
        self._pool = pool
        self._watchdogs: list[PoolWatchdog | Watchdog] = []
        if worker:
            self._watchdogs = [PoolWatchdog(pool.slots), Watchdog(worker, pool.queues)]
        self._end = Event()
        # A pool process forked in the middle of a sweep could inherit a locked mutex of the database library.
        self._busy = Lock()
        self._fork_waits = False
        self._thread = Thread(target=self._work, name="sweeper", daemon=True)

    def start(self) -> None:
        os.register_at_fork(before=self._before_fork, after_in_parent=self._after_fork, after_in_child=self._after_fork)
        self._thread.start()

    def stop(self) -> None:
        """End after the sweep that is going on; a worker signs off, so that its runs are taken over at once."""
        self._end.set()
        self._thread.join(timeout=10)

    def _work(self) -> None:
        rounds = 0
        while True:
            with self._busy:
                self._round(rounds)
            rounds += 1
            if self._end.wait(settings.JOB_SWEEP_SECONDS):
                break
        if self._worker:
            self._guarded(lambda: workers.sign_off(self._worker))

    def _round(self, number: int) -> None:
        if self._worker:
            self._guarded(lambda: workers.say_alive(self._worker, self._pool))
        self._guarded(sweep)
        self._guarded(self._end_if_stuck)
        if number % TIDY_EVERY == 0:
            self._guarded(tidy)
        connection.close()

    def _end_if_stuck(self) -> None:
        if any(watchdog.is_stuck() for watchdog in self._watchdogs):
            log.critical("worker %s takes no runs although some wait; it ends, to be started anew", self._worker)
            workers.sign_off(self._worker)
            os._exit(os.EX_SOFTWARE)

    def _guarded(self, act: Callable[[], object]) -> None:
        """A sweep that fails is tried again at the next beat; nothing ends this thread but `stop`."""
        try:
            act()
        except Exception:
            log.exception("the sweeper met a problem and goes on")
            connection.close()

    def _before_fork(self) -> None:
        self._fork_waits = self._busy.acquire(timeout=FORK_WAIT_SECONDS)

    def _after_fork(self) -> None:
        if self._fork_waits:
            self._fork_waits = False
            self._busy.release()

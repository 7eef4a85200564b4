"""Tasks that web processes and workers repeat: sweep, tidy up and, in workers, report that they are alive."""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable
from threading import Event, Thread

from django.conf import settings
from django.db import connection

from work.sources import all_sources
from work.workers import Pool, report_alive

log = logging.getLogger(__name__)

TIDY_EVERY = 240
"""Number of sweeps between two calls of `tidy`: one hour at one sweep every 15 seconds."""


def sweep() -> Counter[str]:
    """Requeue or fail work that is stuck, in every source (see `Source.sweep`)."""
    done: Counter[str] = Counter()
    for source in all_sources():
        done += source.sweep()
    if done:
        log.info("sweep: %s", ", ".join(f"{number} {what}" for what, number in done.items()))
    return done


def tidy() -> int:
    """Delete rows that nothing needs any more, in every source."""
    return sum(source.tidy() for source in all_sources())


class PeriodicTasks:
    """Runs the repeated tasks once, and then every ``JOB_SWEEP_SECONDS``.

    Args:
        worker: the worker to report as alive; "" in a web process.
        pool: the pool of that worker; None in a web process.
    """

    def __init__(self, worker: str = "", pool: Pool | None = None) -> None:
        self._worker = worker
        self._pool = pool
        self._number = 0
        self._next_at = float("-inf")

    def run_if_due(self) -> None:
        if time.monotonic() < self._next_at:
            return
        if self._pool is not None:
            pool = self._pool
            self._run_logged(lambda: report_alive(self._worker, pool))
        self._run_logged(sweep)
        if self._number % TIDY_EVERY == 0:
            self._run_logged(tidy)
        connection.close()
        self._number += 1
        self._next_at = time.monotonic() + settings.JOB_SWEEP_SECONDS

    def _run_logged(self, act: Callable[[], object]) -> None:
        """Call a function and log its errors. The next round tries again."""
        try:
            act()
        except Exception:
            log.exception("the sweeper met a problem and continues")
            connection.close()


class SweeperThread:
    """The sweeper thread of a web process. It fails overdue work even while no worker is running."""

    def __init__(self) -> None:
        self._end = Event()
        self._thread = Thread(target=self._work, name="sweeper", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """End after the current round."""
        self._end.set()
        self._thread.join(timeout=10)

    def _work(self) -> None:
        tasks = PeriodicTasks()
        while not self._end.is_set():
            tasks.run_if_due()
            self._end.wait(settings.JOB_SWEEP_SECONDS)

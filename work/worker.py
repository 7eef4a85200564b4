"""The worker: a main process that sweeps, and the processes that it forks and keeps running, which do the work."""

from __future__ import annotations

import gc
import logging
import os
from collections.abc import Callable, Sequence
from functools import partial

from django.conf import settings
from django.db import Error
from threadpoolctl import threadpool_limits

from work.background import PeriodicTasks
from work.loop import Bell, loop
from work.sources import all_sources, dedicated_sources, sources_in_order
from work.supervisor import Child, Report, Supervisor
from work.wakeups import listen_for_wakeups
from work.workers import Pool, unregister_worker, worker_name

log = logging.getLogger(__name__)

NICE = 10
"""Niceness of computing processes, so that a web server and database on the same machine come first."""


def run_worker(
    pool: Pool, report: Report, *, other_children: Sequence[Child] = (), on_tick: Callable[[], object] = lambda: None
) -> None:
    """Run a worker until SIGINT or SIGTERM. Then put unfinished work back into the queue.

    Args:
        pool: the queues to serve and the number of processes.
        report: a function that receives messages for the operator.
        other_children: other processes to keep running.
        on_tick: a function that is called five times a second.
    """
    worker, bell = worker_name(), Bell()
    for source in all_sources():
        source.load()
    gc.collect()
    gc.freeze()  # the collector would write to memory shared with the forked processes, which would copy it
    loops = {
        f"loop {number + 1}": list(sources_in_order(pool.queues, is_reserved=pool.reserves_one and not number))
        for number in range(pool.slots)
    }
    children = [
        Child(name, partial(_run_in_background, partial(loop, worker, some, bell)), report)
        for name, some in {**loops, **dedicated_sources(pool.queues)}.items()
    ]
    if settings.CELERY_BROKER_URL:
        children.append(Child("calls", partial(listen_for_wakeups, bell, worker.replace(":", ".")), report))
    tasks = PeriodicTasks(worker, pool)

    def tick() -> None:
        tasks.run_if_due()
        on_tick()

    tasks.run_if_due()
    log.info("worker %s is ready", worker)
    Supervisor([*other_children, *children], tick).run()
    try:
        unregister_worker(worker)
    except Error:
        log.exception("worker %s could not sign off: the leases it holds will expire", worker)


def _run_in_background(work: Callable[[], object]) -> None:
    os.nice(NICE)
    # There is a process for each core, so threads of numerical libraries would only wait for each other.
    with threadpool_limits(limits=1):
        work()

"""A worker: processes that each loop over the tables, forked from one that keeps them running and sweeps."""

from __future__ import annotations

import gc
import logging
from collections.abc import Callable
from functools import partial

from django.conf import settings
from django.db import Error
from threadpoolctl import threadpool_limits

from work.background import Rounds
from work.loop import Bell, loop
from work.sources import every_source, in_order, in_own_process
from work.supervisor import Child, Fork, Say, Supervisor
from work.wakeups import listen
from work.workers import Pool, sign_off, this_worker

log = logging.getLogger(__name__)


def run_worker(pool: Pool, say: Say) -> None:
    """Work until SIGINT or SIGTERM; then what is being worked on goes back to the queue."""
    for source in every_source():
        source.load()
    gc.collect()
    gc.freeze()  # shared with the processes that are forked; the collector would touch and so copy all of it
    worker, bell, rounds = this_worker(), Bell(), Rounds(this_worker(), pool)

    def in_one_thread(work: Callable[[], object]) -> None:
        # There is a process for each core; threads of numerical libraries beside them only wait for each other.
        with threadpool_limits(limits=1):
            work()

    children: list[Child] = []
    for number in range(pool.slots):
        lines = list(in_order(pool.queues, is_kept=pool.keeps_one and number == 0))
        children.append(Fork(f"loop {number + 1}", partial(in_one_thread, partial(loop, worker, lines, bell)), say))
    for name, own in in_own_process(pool.queues).items():
        children.append(Fork(name, partial(in_one_thread, partial(loop, worker, own, bell)), say))
    if settings.CELERY_BROKER_URL:
        children.append(Fork("calls", partial(listen, bell, worker.replace(":", ".")), say))
    rounds.go_if_due()
    log.info("worker %s is ready", worker)
    Supervisor(children, rounds.go_if_due).run()
    try:
        sign_off(worker)
    except Error:
        log.exception("worker %s could not sign off: the leases it holds will expire", worker)

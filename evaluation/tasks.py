"""Celery tasks: they fetch by id and call a service. The row decides, so any message may come late, twice or never."""

from __future__ import annotations

from celery import shared_task

from evaluation.jobs import (  # noqa: F401 - workers have everything before they fork; the signals register themselves
    announcements,
    baselines,
    evaluations,
    imports,
    prefetching,
    stream_baselines,
    streams,
    sweeps,
    vectors,
    warming,
    worker_signals,
)
from evaluation.jobs.execution import execute_next
from evaluation.runs import wakeups
from evaluation.runs.workers import is_leaving, this_pool, this_worker


@shared_task(name=wakeups.WAKE)
def wake(run_id: int) -> None:
    """Do the run whose turn it is; the one that was called for tells that some wait, no more.

    What a leaving worker leaves, the sweeper calls another one for.
    """
    if is_leaving():
        return
    try:
        execute_next(this_worker(), this_pool())
    except MemoryError:
        # The next one may need as much, and finds what is left here in pieces: a new process takes this one's place.
        raise SystemExit from None


@shared_task(name=wakeups.PREFETCH)
def prefetch(run_id: int, part: int, parts: int) -> None:
    """Help with a big run, if it still runs."""
    prefetching.prefetch(run_id, part, parts)

"""The slots of workers: one of each is kept for what people wait for, and bulk work gives way where none is free."""

from __future__ import annotations

from django.db.models import Count

from evaluation.models import Run
from evaluation.runs.transitions import State
from evaluation.runs.turns import BULK, INTERACTIVE, waiting
from evaluation.runs.workers import Pool, alive


def open_queues(worker: str, pool: Pool) -> frozenset[str]:
    """The queues a worker may take a run from now: of several slots bulk work gets all but one.

    A worker that serves bulk work alone keeps none, and the only slot of one that serves both is open to both.
    """
    queues = frozenset(pool.queues)
    if INTERACTIVE not in queues or pool.slots == 1:
        return queues
    bulk = Run.objects.filter(state=State.RUNNING, worker=worker, queue=BULK).count()
    return queues if bulk < pool.slots - 1 else queues - {BULK}


def somebody_waits() -> bool:
    """Whether more interactive runs wait than there are slots to take them."""
    return (number := waiting(INTERACTIVE).count()) > 0 and number > _free()


def _free() -> int:
    serving = [worker for worker in alive() if INTERACTIVE in worker.queues.split(",")]
    running = Run.objects.filter(state=State.RUNNING, worker__in=[worker.name for worker in serving])
    held = dict(running.order_by().values_list("worker").annotate(Count("pk")))
    return sum(max(worker.slots - held.get(worker.name, 0), 0) for worker in serving)

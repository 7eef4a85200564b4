"""Bulk work leaves its process to what somebody waits for, where no other one is free."""

from __future__ import annotations

from collections import Counter

from django.db import transaction
from django.db.models import Count, F

from evaluation.runs.errors import GaveWay
from evaluation.runs.turns import waiting
from work.lease import Lease, State
from work.sources import INTERACTIVE, all_sources
from work.workers import live_workers


def somebody_waits() -> bool:
    """Whether more interactive runs wait than there are slots to take them."""
    return (number := waiting(INTERACTIVE).count()) > 0 and number > _free()


def give_way(lease: Lease) -> None:
    """Leave the slot to an interactive run, if one waits that finds none.

    Raises:
        GaveWay: it did.
    """
    why = "Gave way to a run that somebody waits for; after that it goes on where it stopped."
    with transaction.atomic():
        # One after another: who comes next finds the slot that the first one left.
        list(live_workers().select_for_update().order_by("pk"))
        gave = somebody_waits() and lease.hand_back(why, count_attempt=False, gave_way=F("gave_way") + 1)
    if gave:
        raise GaveWay(f"{lease} gave way")


def _free() -> int:
    serving = [worker for worker in live_workers() if INTERACTIVE in worker.queues.split(",")]
    held: Counter[str] = Counter()
    for source in all_sources():
        if source.model is None:
            continue
        running = source.model._default_manager.filter(state=State.RUNNING, worker__in=[one.name for one in serving])
        for worker, number in running.order_by().values_list("worker").annotate(Count("pk")):
            held[worker] += number - source.has_own_process  # its own process is none of the slots
    return sum(max(worker.slots - held[worker.name], 0) for worker in serving)

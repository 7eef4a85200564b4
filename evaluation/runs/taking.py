"""Which run a worker takes, and when it leaves it to another: what `turns` and `slots` say, held in the database."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F

from evaluation.runs.errors import GaveWay
from evaluation.runs.lease import Lease, claim
from evaluation.runs.slots import open_queues, somebody_waits
from evaluation.runs.turns import next_run
from evaluation.runs.workers import Pool, alive
from work.models import Worker


def claim_next(worker: str, pool: Pool) -> Lease | None:
    """Take the run whose turn it is, of those the worker may take now; None if there is none."""
    while True:
        with transaction.atomic():
            # One after another within a worker, so that no two take the slot that is kept.
            list(Worker.objects.select_for_update().filter(name=worker))
            found = next_run(open_queues(worker, pool))
            if found is None:
                return None
            lease = claim(found, worker)
        if lease is not None:
            return lease
        # Another worker was faster. That was this person's turn: whose is next is asked anew, not skipped to.


def give_way(lease: Lease) -> None:
    """Leave the slot to an interactive run, if one waits that finds none.

    Raises:
        GaveWay: it did.
    """
    why = "Gave way to a run that somebody waits for; after that it goes on where it stopped."
    with transaction.atomic():
        # One after another: who comes next finds the slot that the first one left.
        list(alive().select_for_update().order_by("pk"))
        gave = somebody_waits() and lease.hand_back(why, count_attempt=False, gave_way=F("gave_way") + 1)
    if gave:
        raise GaveWay(f"run {lease.run_id} gave way")

"""Which workers are alive, by their own word and the database's clock."""

from __future__ import annotations

import os
import socket
from dataclasses import dataclass

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from work.clock import from_now
from work.leases import hand_back_all
from work.models import Worker
from work.sources import INTERACTIVE, models

_main_process = f"{socket.gethostname()}:{os.getpid()}"


@dataclass(frozen=True, slots=True)
class Pool:
    """The queues that a worker serves, and the number of its processes."""

    queues: tuple[str, ...]
    slots: int

    @property
    def keeps_one(self) -> bool:
        """True if one of its processes does nothing but what people wait for."""
        return self.slots > 1 and INTERACTIVE in self.queues


def this_worker() -> str:
    """The name of the worker this process belongs to: host and process id of its main process.

    Computed once per main process: those that do its work are forked from it and so share its name.
    """
    return _main_process


def say_alive(name: str, pool: Pool) -> None:
    """Note that a worker is alive and what it takes."""
    said = {"queues": ",".join(pool.queues), "slots": pool.slots, "seen_at": Now()}
    Worker.objects.update_or_create(name=name, defaults=said)


def alive() -> QuerySet[Worker]:
    """Workers that spoke up within three of their beats."""
    return Worker.objects.filter(seen_at__gte=from_now(-3 * settings.JOB_SWEEP_SECONDS - 1))


def sign_off(name: str) -> None:
    """A worker that has shut down in order: what it held goes back to the queue, without counting the attempt."""
    Worker.objects.filter(name=name).delete()
    for model in models():
        hand_back_all(model, name)

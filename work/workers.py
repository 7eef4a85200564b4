"""The list of live workers. Each worker reports itself, and the database's clock decides."""

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
from work.sources import INTERACTIVE, leased_models

_main_process = f"{socket.gethostname()}:{os.getpid()}"


@dataclass(frozen=True, slots=True)
class Pool:
    """The queues that a worker serves, and the number of its processes."""

    queues: tuple[str, ...]
    slots: int

    @property
    def reserves_one(self) -> bool:
        """True if one process is reserved for interactive work."""
        return self.slots > 1 and INTERACTIVE in self.queues


def worker_name() -> str:
    """Return the name of this process's worker: the host name and the id of its main process.

    Forked processes share the name of their main process.
    """
    return _main_process


def report_alive(name: str, pool: Pool) -> None:
    """Record that a worker is alive, with its queues and its number of processes."""
    values = {"queues": ",".join(pool.queues), "slots": pool.slots, "seen_at": Now()}
    Worker.objects.update_or_create(name=name, defaults=values)


def live_workers() -> QuerySet[Worker]:
    """Return the workers that have reported themselves within the last three sweep intervals."""
    return Worker.objects.filter(seen_at__gte=from_now(-3 * settings.JOB_SWEEP_SECONDS - 1))


def unregister_worker(name: str) -> None:
    """Remove a worker that has shut down cleanly, and put its work back into the queue. The attempts do not count."""
    Worker.objects.filter(name=name).delete()
    for model in leased_models():
        hand_back_all(model, name)

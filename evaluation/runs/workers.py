"""Which workers are alive, by their own word and the database's clock."""

from __future__ import annotations

import os
import socket
from ctypes import c_bool
from dataclasses import dataclass
from multiprocessing import RawValue

from django.conf import settings
from django.db.models import QuerySet
from django.db.models.functions import Now

from evaluation.models import Run
from evaluation.runs.lease import Lease
from evaluation.runs.transitions import State
from work.clock import from_now
from work.models import Worker

_main_process = f"{socket.gethostname()}:{os.getpid()}"
# In shared memory and without a lock: pool processes are forked from the main process, and any of them may be killed.
_is_leaving = RawValue(c_bool, False)


@dataclass(frozen=True, slots=True)
class Pool:
    """What a worker takes: from which queues, and how many runs at once."""

    queues: tuple[str, ...]
    slots: int


_pool = Pool(tuple(settings.JOB_QUEUES), 1)


def this_worker() -> str:
    """The name of the worker this process belongs to: host and process id of its main process.

    Computed once per main process: pool processes are forked from it and so share its name.
    """
    return _main_process


def this_pool() -> Pool:
    """What the worker this process belongs to takes."""
    return _pool


def set_pool(pool: Pool) -> None:
    """Said by the main process before it forks."""
    global _pool
    _pool = pool


def is_leaving() -> bool:
    """Whether this worker was told to end: its pool takes no more runs."""
    return bool(_is_leaving.value)


def say_alive(name: str, pool: Pool) -> None:
    """Note that a worker is alive and what it takes."""
    said = {"queues": ",".join(pool.queues), "slots": pool.slots, "seen_at": Now()}
    Worker.objects.update_or_create(name=name, defaults=said)


def alive() -> QuerySet[Worker]:
    """Workers that spoke up within three of their beats."""
    return Worker.objects.filter(seen_at__gte=from_now(-3 * settings.JOB_SWEEP_SECONDS - 1))


def served_queues() -> frozenset[str]:
    """The queues somebody listens to."""
    return frozenset(queue for queues in alive().values_list("queues", flat=True) for queue in queues.split(","))


def sign_off(name: str) -> None:
    """A worker that shuts down in order: its runs go back to the queue at once, without counting the attempt."""
    _is_leaving.value = True
    Worker.objects.filter(name=name).delete()
    for run in Run.objects.filter(state=State.RUNNING, worker=name):
        lease = Lease(run.pk, run.token, name)
        lease.hand_back("The worker was shut down; another one goes on where it stopped.", count_attempt=False)

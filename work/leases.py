"""Leases: which worker may write the results of a piece of work, and until when.

A claim is one conditional UPDATE that increments the row's fencing token. Everything the holder writes afterwards
is conditional on that token. So a process that was stopped, cut off or given up can never write again."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from threading import Event, Thread
from types import TracebackType
from typing import Any, Literal, TypeVar

from django.conf import settings
from django.db import Error, connection, transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from work.clock import from_now
from work.models import WORKER_CHARS, Leased

State = Leased.State

TRANSITIONS: dict[str, frozenset[str]] = {
    State.QUEUED: frozenset({State.RUNNING, State.CANCELLED}),
    State.RUNNING: frozenset({State.QUEUED, State.DONE, State.FAILED, State.CANCELLED}),
    State.DONE: frozenset(),
    State.FAILED: frozenset(),
    State.CANCELLED: frozenset(),
}
"""State -> the states it may change to. Work that has ended never changes again; repeating it makes a new row."""


class LeaseLost(Exception):  # noqa: N818  # not an error: it tells the process to stop
    """The work was cancelled, failed, deleted or taken over. Its former holder stops and writes nothing more."""


def transition(
    model: type[Leased],
    pk: int | str,
    from_state: str,
    to_state: str,
    *,
    actor: str,
    why: str,
    only_if: Q | None = None,
    **values: Any,
) -> bool:
    """Move a row from one state to another, if it is still in the first state and ``only_if`` holds.

    States change only here. The conditional UPDATE and the model's record of it are one transaction.

    Returns:
        True if this call changed the state. If several processes try at once, exactly one succeeds.
    """
    if to_state not in TRANSITIONS[from_state]:
        raise ValueError(f"Work cannot change from state {from_state!r} to {to_state!r}.")
    with transaction.atomic():
        rows = model._default_manager.filter(only_if or Q(), pk=pk, state=from_state)
        if not rows.update(state=to_state, **{**model.entering(to_state), **values}):
            return False
        model.record(pk, actor=actor, why=why, from_state=from_state, to_state=to_state)
    return True


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write the results of a row, as long as the row has this token."""

    model: type[Leased]
    pk: int | str
    token: int
    worker: str

    def __str__(self) -> str:
        return f"{self.model._meta.verbose_name} {self.pk}"

    def extend(self, **progress: Any) -> None:
        """Extend the lease, and store progress in the same UPDATE.

        Raises:
            LeaseLost: this process no longer holds the row. Inside a transaction, this rolls everything back.
        """
        held_row = self.model._default_manager.filter(pk=self.pk, state=State.RUNNING, token=self.token)
        if not held_row.update(lease_until=from_now(settings.JOB_LEASE_SECONDS), **progress):
            raise LeaseLost(f"{self} is no longer held by {self.worker} (token {self.token})")

    def finish(self, why: str, **progress: Any) -> None:
        """Move the row to DONE. Raise LeaseLost if this process no longer holds it."""
        if not self._end(State.DONE, why, **progress):
            raise LeaseLost(f"{self} was taken from {self.worker} before it was done")

    def fail(self, why: str, **values: Any) -> bool:
        """Move the row to FAILED. Return False if this process no longer holds it."""
        return self._end(State.FAILED, why, **values)

    def hand_back(self, why: str, *, count_attempt: bool, **values: Any) -> bool:
        """Put the row back into the queue for another worker. An attempt that was only interrupted does not count."""
        attempts = F("attempts") if count_attempt else F("attempts") - 1
        return self._end(State.QUEUED, why, attempts=attempts, **values)

    def _end(self, state: str, why: str, **values: Any) -> bool:
        same_token = Q(token=self.token)
        return transition(
            self.model, self.pk, State.RUNNING, state, actor=self.worker, why=why, only_if=same_token, **values
        )


def claim(model: type[Leased], pk: int | str, worker: str) -> Lease | None:
    """Claim a queued row. Return None if it is no longer queued: another worker was faster, or it was cancelled."""
    with transaction.atomic():
        taken = transition(
            model, pk, State.QUEUED, State.RUNNING,
            actor=worker, why="Started.",
            token=F("token") + 1, attempts=F("attempts") + 1, worker=worker[:WORKER_CHARS],
            lease_until=from_now(settings.JOB_LEASE_SECONDS), started_at=Now(),
        )  # fmt: skip
        if not taken:
            return None
        return Lease(model, pk, model._default_manager.values_list("token", flat=True).get(pk=pk), worker)


def hand_back_all(model: type[Leased], worker: str) -> int:
    """Put everything that a worker still holds back into the queue, after a clean shutdown. The attempts do not count.

    Returns:
        The number of rows that were put back.
    """
    why = "The worker was shut down; another one will continue from there."
    held = model._default_manager.filter(state=State.RUNNING, worker=worker).values_list("pk", "token")
    return sum(Lease(model, pk, token, worker).hand_back(why, count_attempt=False) for pk, token in held)


# A heartbeat that keeps the lease of a piece of work while its process computes, however long that takes.

log = logging.getLogger(__name__)


class Heartbeat:
    """A context manager whose thread extends the lease. It has its own database connection.

    It extends the lease after every third of the lease's duration. ``is_lost`` becomes true once the process no longer
    holds the work because it was cancelled, swept or taken over. The holder sees this at its next checkpoint. If the
    database does not respond, the thread tries again: nobody else can take the work either.
    """

    def __init__(self, lease: Lease) -> None:
        self.is_lost = False
        self._lease = lease
        self._end = Event()
        self._thread = Thread(target=self._beat, name=f"heartbeat of {lease}", daemon=True)

    def __enter__(self) -> Heartbeat:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end.set()
        self._thread.join()

    def _beat(self) -> None:
        try:
            while not self._end.wait(settings.JOB_LEASE_SECONDS / 3):
                try:
                    self._lease.extend()
                except LeaseLost:
                    self.is_lost = True
                    return
                except Error:  # or the connection is already closed
                    log.warning("%s: no heartbeat because the database did not respond", self._lease, exc_info=True)
                    connection.close()
        finally:
            connection.close()


# The sweeper, which requeues or fails work whose worker is dead or too slow. Several sweepers may run at once,
# because each change is one conditional UPDATE.

Row = TypeVar("Row", bound=Leased)
Reason = Literal["time-limit", "worker-died"]

SWEEPER = "sweeper"


def sweep_leases(model: type[Row], fail: Callable[[Row, Reason, Q], bool]) -> Counter[str]:
    """Requeue or fail the running rows of a table that are over the time limit or whose worker has died.

    Args:
        fail: a function that fails a running row for this reason if the condition still holds. It returns True if it
            did.

    Returns:
        The number of rows under ``timed_out``, ``given_up`` and ``requeued``.
    """
    running = model._default_manager.filter(state=State.RUNNING)
    # If the database's clock was set back, the leases of dead workers would last too long. Shorten them. A worker that
    # is alive extends its lease in time.
    ahead = from_now(2 * settings.JOB_LEASE_SECONDS)
    running.filter(lease_until__gt=ahead).update(lease_until=from_now(settings.JOB_LEASE_SECONDS))
    done: Counter[str] = Counter()
    late = Q(started_at__lt=from_now(-settings.JOB_TIME_LIMIT_SECONDS))
    for row in running.filter(late):
        done["timed_out"] += fail(row, "time-limit", late)
    silent = Q(lease_until__lt=from_now(0))
    for row in running.filter(silent):
        same_attempt = silent & Q(token=row.token)
        if row.attempts >= settings.JOB_MAX_ATTEMPTS:
            done["given_up"] += fail(row, "worker-died", same_attempt)
        else:
            done["requeued"] += transition(
                model, row.pk, State.RUNNING, State.QUEUED, actor=SWEEPER, only_if=same_attempt,
                why="The worker stopped responding; another one will continue from there.",
            )  # fmt: skip
    return +done

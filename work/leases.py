"""Leases: which process may write for a piece of work, until when, and what happens when it dies."""

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

EXITS: dict[str, frozenset[str]] = {
    State.QUEUED: frozenset({State.RUNNING, State.CANCELLED}),
    State.RUNNING: frozenset({State.QUEUED, State.DONE, State.FAILED, State.CANCELLED}),
    State.DONE: frozenset(),
    State.FAILED: frozenset(),
    State.CANCELLED: frozenset(),
}
"""State -> the states it may change to. Work that has ended never changes again; to repeat it is a new row."""


class LeaseLost(Exception):  # noqa: N818  # not an error: the order to stop, because the work is no longer ours
    """The work was cancelled, failed, deleted or taken over: its former holder writes nothing more and stops."""


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
    """Move a row from one state to another, if it still is in the first and ``only_if`` holds.

    This is the only place where a state changes: one conditional UPDATE and what the model records of it, together
    or not at all.

    Returns:
        Whether this call did it. If several try at once, exactly one succeeds.
    """
    if to_state not in EXITS[from_state]:
        raise ValueError(f"work does not go from {from_state} to {to_state}")
    with transaction.atomic():
        rows = model._default_manager.filter(only_if or Q(), pk=pk, state=from_state)
        if not rows.update(state=to_state, **{**model.entering(to_state), **values}):
            return False
        model.record(pk, actor=actor, why=why, from_state=from_state, to_state=to_state)
    return True


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write for a row, while it still has this token."""

    model: type[Leased]
    pk: int | str
    token: int
    worker: str

    def __str__(self) -> str:
        return f"{self.model._meta.verbose_name} {self.pk}"

    def extend(self, **progress: Any) -> None:
        """Hold the row for another lease, and note progress in the same UPDATE.

        Raises:
            LeaseLost: it is no longer ours. Inside a transaction, that takes everything back.
        """
        mine = self.model._default_manager.filter(pk=self.pk, state=State.RUNNING, token=self.token)
        if not mine.update(lease_until=from_now(settings.JOB_LEASE_SECONDS), **progress):
            raise LeaseLost(f"{self} is no longer held by {self.worker} (token {self.token})")

    def finish(self, why: str, **progress: Any) -> None:
        """DONE; LeaseLost as `extend`."""
        if not self._leave(State.DONE, why, **progress):
            raise LeaseLost(f"{self} was taken from {self.worker} before it was done")

    def fail(self, why: str, **values: Any) -> bool:
        """FAILED; False if the row is no longer ours."""
        return self._leave(State.FAILED, why, **values)

    def hand_back(self, why: str, *, count_attempt: bool, **values: Any) -> bool:
        """Back to the queue at once, for another worker. An attempt that was only interrupted does not count."""
        attempts = F("attempts") if count_attempt else F("attempts") - 1
        return self._leave(State.QUEUED, why, attempts=attempts, **values)

    def _leave(self, state: str, why: str, **values: Any) -> bool:
        only_mine = Q(token=self.token)
        return transition(
            self.model, self.pk, State.RUNNING, state, actor=self.worker, why=why, only_if=only_mine, **values
        )


def claim(model: type[Leased], pk: int | str, worker: str) -> Lease | None:
    """Take a queued row; None if it is not there to be taken (somebody was faster, it ended, it was cancelled)."""
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
    """Put back what a worker still holds that has ended in order; the attempts do not count."""
    why = "The worker was shut down; another one goes on where it stopped."
    held = model._default_manager.filter(state=State.RUNNING, worker=worker).values_list("pk", "token")
    return sum(Lease(model, pk, token, worker).hand_back(why, count_attempt=False) for pk, token in held)


# --- Heartbeat --------------------------------------------------------------------------------------------------------

log = logging.getLogger(__name__)


class Heartbeat:
    """A context manager whose thread extends the lease every third of it, on a connection of its own.

    ``lost`` becomes true once the work is somebody else's (cancelled, swept, taken over); the holder sees it at
    its next checkpoint. A database that does not answer is tried again: nobody else can take the work there either.
    """

    def __init__(self, lease: Lease) -> None:
        self.lost = False
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
                    self.lost = True
                    return
                except Error:  # also a connection that is closed already
                    log.warning("%s: no heartbeat, the database did not answer", self._lease, exc_info=True)
                    connection.close()
        finally:
            connection.close()


# --- Recovery ---------------------------------------------------------------------------------------------------------
# Several processes may do this at once: each change is one conditional UPDATE.

Row = TypeVar("Row", bound=Leased)
Reason = Literal["time-limit", "worker-died"]

SWEEPER = "sweeper"


def sweep_leases(model: type[Row], fail: Callable[[Row, Reason, Q], bool]) -> Counter[str]:
    """Look at every running row of a table once and move on those that nobody else would.

    Args:
        fail: fails a running row for this reason, if the condition holds; returns whether it did.

    Returns:
        What was done: ``timed_out``, ``given_up``, ``requeued`` and how often.
    """
    running = model._default_manager.filter(state=State.RUNNING)
    # After the database's clock was set back, the leases of dead workers lie in the future for as long as that was. A
    # worker that lives extends its lease in time.
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
                why="The worker fell silent; another one continues where it stopped.",
            )  # fmt: skip
    return +done

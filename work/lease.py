"""Leases: which worker may write the results of a piece of work, and until when.

A claim is one conditional UPDATE that increments the row's fencing token. Everything the holder writes afterwards
is conditional on that token. So a process that was stopped, cut off or given up can never write again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from work.clock import from_now
from work.models import Leased
from work.models.leased import WORKER_CHARS

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

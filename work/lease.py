"""Leases: who may write for a piece of work, and until when.

A claim is one conditional UPDATE that raises the row's fencing token. Everything the holder writes afterwards
is conditional on that token, so a process that was stopped, cut off or given up can never write again.
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

EXITS: dict[str, frozenset[str]] = {
    State.QUEUED: frozenset({State.RUNNING, State.CANCELLED}),
    State.RUNNING: frozenset({State.QUEUED, State.DONE, State.FAILED, State.CANCELLED}),
    State.DONE: frozenset(),
    State.FAILED: frozenset(),
    State.CANCELLED: frozenset(),
}
"""State -> the states it may change to. Work that has ended never changes again; to repeat it is a new row."""


class LeaseLost(Exception):  # noqa: N818  # not an error: the order to stop, because the work is no longer ours
    """The work was cancelled, failed, deleted or taken over: whoever held it writes nothing more and stops."""


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
        Whether this call did it. Of several that try at once exactly one does.
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

"""Leases: who may write for a run, and until when.

A claim is one conditional UPDATE that raises the run's fencing token. Everything the holder writes afterwards
is conditional on that token, so a process that was stopped, cut off or given up can never write again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q
from django.db.models.functions import Now

from evaluation.limits import WORKER_CHARS
from evaluation.models import Run
from evaluation.runs.errors import LeaseLost, RunError
from evaluation.runs.transitions import State, transition
from work.clock import from_now


@dataclass(frozen=True, slots=True)
class Lease:
    """The right to write for a run, while the row still has this token."""

    run_id: int
    token: int
    worker: str

    def extend(self, **progress: Any) -> None:
        """Hold the run for another lease, and note progress in the same UPDATE.

        Raises:
            LeaseLost: it is no longer ours. Inside a transaction, that takes everything back.
        """
        mine = Run.objects.filter(pk=self.run_id, state=State.RUNNING, token=self.token, cancel_requested=False)
        if not mine.update(lease_until=from_now(settings.JOB_LEASE_SECONDS), heartbeat_at=Now(), **progress):
            raise LeaseLost(f"run {self.run_id} is no longer held by {self.worker} (token {self.token})")

    def finish(self, why: str, **progress: Any) -> None:
        """DONE; LeaseLost as `extend`."""
        done = transition(
            self.run_id, State.RUNNING, State.DONE, actor=self.worker, why=why, only_if=self._mine, **progress
        )
        if not done:
            raise LeaseLost(f"run {self.run_id} was taken from {self.worker} before it was done")

    def fail(self, error: RunError) -> bool:
        """FAILED with what the user is told; False if the run is no longer ours."""
        return transition(
            self.run_id, State.RUNNING, State.FAILED,
            actor=self.worker, why=error.sentence, only_if=self._mine, error=error.to_dict(),
        )  # fmt: skip

    def hand_back(self, why: str, *, count_attempt: bool, **values: Any) -> bool:
        """Back to the queue at once, for another worker. An attempt that was only interrupted does not count."""
        attempts = F("attempts") if count_attempt else F("attempts") - 1
        return transition(
            self.run_id, State.RUNNING, State.QUEUED,
            actor=self.worker, why=why, only_if=self._mine, attempts=attempts, **values,
        )  # fmt: skip

    @property
    def _mine(self) -> Q:
        return Q(token=self.token)


def claim(run_id: int, worker: str) -> Lease | None:
    """Take a queued run; None if it is not there to be taken (somebody was faster, it ended, it was cancelled)."""
    with transaction.atomic():
        taken = transition(
            run_id, State.QUEUED, State.RUNNING,
            actor=worker, why="Started.", only_if=Q(cancel_requested=False),
            token=F("token") + 1, attempts=F("attempts") + 1, worker=worker[:WORKER_CHARS],
            lease_until=from_now(settings.JOB_LEASE_SECONDS), heartbeat_at=Now(), started_at=Now(),
        )  # fmt: skip
        if not taken:
            return None
        return Lease(run_id, Run.objects.values_list("token", flat=True).get(pk=run_id), worker)

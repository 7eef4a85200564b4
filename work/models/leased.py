"""What every piece of work has, so that one process at a time does it and a dead process loses nothing."""

from __future__ import annotations

from typing import Any

from django.db import models

WORKER_CHARS = 120


class Leased(models.Model):
    """A row that a worker claims for a while. Its state is the truth; messages only wake workers.

    `work.lease` alone changes the state. A model may say which of its other columns change with it (`entering`) and
    write a log of the changes (`record`).
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    ENDED = frozenset({State.DONE, State.FAILED, State.CANCELLED})

    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    # Fencing: every claim raises it; whoever holds an older one writes nothing.
    token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=WORKER_CHARS, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # When the current or last attempt began.
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def has_ended(self) -> bool:
        return self.state in self.ENDED

    @classmethod
    def entering(cls, state: str) -> dict[str, Any]:
        """The columns that change when a row enters a state."""
        if state == cls.State.QUEUED:
            return {"lease_until": None, "worker": ""}
        return {"lease_until": None} if state in cls.ENDED else {}

    @classmethod
    def record(cls, pk: Any, *, actor: str, why: str, from_state: str = "", to_state: str = "") -> None:
        """Note a change of state in the transaction that makes it; without states, a remark."""

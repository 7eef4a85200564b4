"""The base of every table of work: one process at a time does a piece of work, and a dead process loses nothing."""

from __future__ import annotations

from typing import Any

from django.db import models

WORKER_CHARS = 120


class Leased(models.Model):
    """A row that a worker claims for a limited time. Only its state column decides; messages just wake workers.

    Only `work.lease` changes the state. A model can define which other columns change with it (`entering`), and log
    the changes (`record`).
    """

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    ENDED = frozenset({State.DONE, State.FAILED, State.CANCELLED})

    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    # Fencing token: every claim increments it, and the holder of an older token can write nothing.
    token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=WORKER_CHARS, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)
    # The start of the current or last attempt.
    started_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

    @property
    def has_ended(self) -> bool:
        return self.state in self.ENDED

    @classmethod
    def entering(cls, state: str) -> dict[str, Any]:
        """Return the columns that change when a row enters a state, with their new values."""
        if state == cls.State.QUEUED:
            return {"lease_until": None, "worker": ""}
        return {"lease_until": None} if state in cls.ENDED else {}

    @classmethod
    def record(cls, pk: Any, *, actor: str, why: str, from_state: str = "", to_state: str = "") -> None:
        """Log a change of state in the same transaction. Without states, log a remark."""

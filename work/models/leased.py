"""What every piece of work has, so that one process at a time does it and a dead process loses nothing."""

from __future__ import annotations

from django.db import models

WORKER_CHARS = 120


class Leased(models.Model):
    """A row that a worker claims for a while. Its state is the truth; messages only wake workers."""

    class State(models.TextChoices):
        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    state = models.CharField(max_length=9, choices=State, default=State.QUEUED)
    # Fencing: every claim raises it; whoever holds an older one writes nothing.
    token = models.PositiveIntegerField(default=0)
    attempts = models.PositiveIntegerField(default=0)
    worker = models.CharField(max_length=WORKER_CHARS, blank=True)
    lease_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        abstract = True

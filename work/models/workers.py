"""Workers that are alive, so that no page waits in silence for one that is not there."""

from __future__ import annotations

from django.db import models

from work.models.leased import WORKER_CHARS


class Worker(models.Model):
    """A worker process and when it last said so (database time)."""

    name = models.CharField(max_length=WORKER_CHARS, unique=True)
    queues = models.CharField(max_length=200)
    # How many runs it works on at once.
    slots = models.PositiveIntegerField(default=1)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

"""The workers that are alive, so that a page can say if there is none."""

from __future__ import annotations

from django.db import models

from work.models.leased import WORKER_CHARS


class Worker(models.Model):
    """A worker and the time when it last reported itself (database time)."""

    name = models.CharField(max_length=WORKER_CHARS, unique=True)
    queues = models.CharField(max_length=200)
    # The number of runs that it works on at once.
    slots = models.PositiveIntegerField(default=1)
    seen_at = models.DateTimeField()

    class Meta:
        ordering = ("name",)

    def __str__(self) -> str:
        return self.name

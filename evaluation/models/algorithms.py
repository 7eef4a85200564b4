"""The algorithms whose clusterings a collection compares."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Lower, Now

from annotations.models import Collection
from evaluation.limits import ALGORITHM_CHARS, ORDER_CHARS


class Algorithm(models.Model):
    """A named algorithm in one collection. Names differ by more than case."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="algorithms")
    name = models.CharField(max_length=ALGORITHM_CHARS)
    description = models.TextField(blank=True)
    # The key of the built-in baseline, "" for everybody else's algorithms.
    baseline = models.CharField(max_length=40, blank=True)
    # What differs from the baseline's default parameters, as it is written: "k=8:restarts=3".
    settings = models.CharField(max_length=ORDER_CHARS, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("collection", "name")
        constraints = [
            models.UniqueConstraint("collection", Lower("name"), name="algorithm_name_once_per_collection"),
            models.CheckConstraint(condition=~models.Q(name=""), name="algorithm_has_a_name"),
        ]

    def __str__(self) -> str:
        return self.name

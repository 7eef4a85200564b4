"""What the curators of a collection agreed on. Every version is kept; none ever changes (held by a trigger)."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.collections import Collection


class GuidelinesVersion(models.Model):
    """A version of a collection's guidelines, as Markdown. The one with the highest number counts."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="guidelines")
    number = models.PositiveIntegerField()
    text = models.TextField(blank=True)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("collection", "-number")
        constraints = [
            models.UniqueConstraint(fields=("collection", "number"), name="guidelines_number_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="guidelines_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"guidelines v{self.number} of {self.collection}"


class GuidelinesReader(models.Model):
    """The version of a collection's guidelines that somebody read last."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="guidelines_readers")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()

    class Meta:
        ordering = ("collection", "user")
        constraints = [models.UniqueConstraint(fields=("collection", "user"), name="guidelines_reader_once")]

    def __str__(self) -> str:
        return f"{self.user} read v{self.number} of {self.collection}"

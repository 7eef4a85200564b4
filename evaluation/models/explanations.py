"""Explanations of scores that no request may work out, once a worker has."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from annotations.models.files import PackedFile


class Explanation(models.Model):
    """Why one clustering's content scores as it does against one gold standard's, under one set of policies.

    The key is the SHA-256 of everything it follows from. Old ones are tidied away, and worked out anew when somebody
    asks.
    """

    key = models.CharField(max_length=64, primary_key=True)
    n_clusters = models.PositiveIntegerField()
    n_topics = models.PositiveIntegerField()
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        indexes = [models.Index(fields=("created_at",), name="explanation_by_age")]

    def __str__(self) -> str:
        return self.key[:8]


class ExplanationPart(PackedFile):
    """Some rows of one of its lists as JSON, so that pages read a few of thousands; ``head`` is what is no list."""

    explanation = models.ForeignKey(Explanation, on_delete=models.CASCADE, related_name="parts")
    field = models.CharField(max_length=20)
    number = models.PositiveIntegerField()

    class Meta:
        ordering = ("explanation", "field", "number")
        constraints = [models.UniqueConstraint(fields=("explanation", "field", "number"), name="explanation_part_once")]

    def __str__(self) -> str:
        return f"{self.field} {self.number} of {self.explanation_id}"

"""Scores, keyed by content: the same clustering is never scored twice against the same gold standard."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from annotations.limits import MEASURE_CHARS


class Evaluation(models.Model):
    """One clustering's content scored against one gold standard's content with one set of scoring options.

    Measures on vectors have an evaluation of their own, so that new vectors do not affect the other scores.

    Runs of different submissions, versions and collections share an evaluation; `RunQuery` links it to its runs.
    """

    clustering_sha256 = models.CharField(max_length=64)
    gold_sha256 = models.CharField(max_length=64)
    policies = models.JSONField()
    # SHA-256 of the canonical JSON of `policies`.
    policies_sha256 = models.CharField(max_length=64)
    # "" for measures without vectors; for the others the SHA-256 of the vectors, or "none".
    vectors_sha256 = models.CharField(max_length=64, default="", blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=("clustering_sha256", "gold_sha256", "policies_sha256", "vectors_sha256"),
                name="one_evaluation_per_content",
            )
        ]

    def __str__(self) -> str:
        return f"{self.clustering_sha256[:8]} against {self.gold_sha256[:8]}"


class Score(models.Model):
    """A measure's value, or the reason why there is none; always exactly one of the two."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="scores")
    measure = models.CharField(max_length=MEASURE_CHARS)
    measure_version = models.PositiveIntegerField()
    # "1", "2", ..; "all" (classic measures over all topics); "" for measures that use the whole hierarchy.
    level = models.CharField(max_length=6, blank=True)
    # Depth at which nested clusters were cut, and the depth of the finest cut; both 0 if nothing was cut.
    depth = models.PositiveIntegerField(default=0)
    deepest = models.PositiveIntegerField(default=0)
    value = models.FloatField(null=True)
    undefined = models.TextField(blank=True)
    # True if the option overlap = first removed overlap: pages counted only for their first topic or cluster.
    flattened = models.BooleanField(default=False)
    engine = models.CharField(max_length=20)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=("evaluation", "measure", "measure_version", "level", "depth"), name="one_score_per_cell"
            ),
            models.CheckConstraint(
                condition=models.Q(value__isnull=False, undefined="")
                | (models.Q(value__isnull=True) & ~models.Q(undefined="")),
                name="score_is_a_value_or_a_reason",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.measure}[{self.level}] = {self.value if self.value is not None else self.undefined}"

"""Scores, keyed by content: the same clustering against the same gold standard is never scored twice."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from annotations.limits import MEASURE_CHARS


class Evaluation(models.Model):
    """One clustering's content against one gold standard's content under one set of policies.

    Measures that look at vectors have an evaluation of their own, so that other vectors leave all other scores alone.

    Runs of different submissions, versions and collections share it; `RunQuery` says which runs it answers.
    """

    clustering_sha256 = models.CharField(max_length=64)
    gold_sha256 = models.CharField(max_length=64)
    policies = models.JSONField()
    # SHA-256 of the canonical JSON of `policies`.
    policies_sha256 = models.CharField(max_length=64)
    # "" for measures that look at no vectors; the SHA-256 of the vectors (or "none") for those that do.
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
    """A measure's value, or the reason why it has none; never both, never neither."""

    evaluation = models.ForeignKey(Evaluation, on_delete=models.CASCADE, related_name="scores")
    measure = models.CharField(max_length=MEASURE_CHARS)
    measure_version = models.PositiveIntegerField()
    # "1", "2", ..; "all" (classic measures over all topics); "" for measures that see the whole hierarchy.
    level = models.CharField(max_length=6, blank=True)
    # Where nested clusters were cut for it, and the depth of the finest cut; 0 where nothing is cut.
    depth = models.PositiveIntegerField(default=0)
    deepest = models.PositiveIntegerField(default=0)
    value = models.FloatField(null=True)
    undefined = models.TextField(blank=True)
    # Whether the policy overlap = first took overlap away: pages counted for their first topic or cluster only.
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

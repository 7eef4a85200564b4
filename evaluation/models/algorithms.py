"""Algorithms whose clusterings are compared in a collection."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Lower, Now

from annotations.limits import LINE_CHARS, MEASURE_CHARS, URL_CHARS
from annotations.models import Collection
from common.confusables import LookField
from evaluation.limits import ALGORITHM_CHARS, AUTHORS_CHARS, BASELINE_SPEC_CHARS


class Algorithm(models.Model):
    """A named algorithm in one collection. Names are unique, ignoring case."""

    class Counts(models.TextChoices):
        """The rule for the algorithm's effective submission, see `evaluation.scoring.effective`."""

        LATEST = "latest"
        BEST = "best"
        PINNED = "pinned"

    ABOUT = (
        *("description", "authors", "code_url", "paper_url", "bibtex"),
        *("model", "model_size", "hardware", "seconds_per_query", "cost_per_1000"),
    )
    """The fields that describe an algorithm; all are optional."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="algorithms")
    name = models.CharField(max_length=ALGORITHM_CHARS)
    # A key that is equal for confusable names: different people's algorithms of a collection must not look alike
    # (evaluation.algorithms.services).
    look = LookField(of="name", db_index=True)
    description = models.TextField(blank=True)
    # The key of the built-in baseline, "" for other algorithms.
    baseline = models.CharField(max_length=40, blank=True)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, blank=True, related_name="+"
    )
    # The parameters that differ from the baseline's defaults, as written: "k=8:restarts=3".
    settings = models.CharField(max_length=BASELINE_SPEC_CHARS, blank=True, default="")
    created_at = models.DateTimeField(db_default=Now())

    authors = models.CharField(max_length=AUTHORS_CHARS, blank=True, default="")
    code_url = models.CharField(max_length=URL_CHARS, blank=True, default="")
    paper_url = models.CharField(max_length=URL_CHARS, blank=True, default="")
    bibtex = models.TextField(blank=True, default="")
    model = models.CharField(max_length=LINE_CHARS, blank=True, default="")
    model_size = models.CharField(max_length=LINE_CHARS, blank=True, default="")
    hardware = models.CharField(max_length=LINE_CHARS, blank=True, default="")
    seconds_per_query = models.FloatField(null=True, blank=True)
    # In US dollars.
    cost_per_1000 = models.FloatField(null=True, blank=True)

    counts = models.CharField(max_length=6, choices=Counts, default=Counts.LATEST)
    # The measure by which the best submission is chosen; empty for the other rules.
    counts_by = models.CharField(max_length=MEASURE_CHARS, blank=True, default="")
    # Also null if the pinned submission was deleted: then the latest one is effective.
    pinned = models.ForeignKey(
        "evaluation.Submission", on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    class Meta:
        ordering = ("collection", "name")
        indexes = [models.Index(fields=("collection", "name", "id"), name="algorithm_by_name")]
        constraints = [
            models.UniqueConstraint("collection", Lower("name"), name="algorithm_name_once_per_collection"),
            models.CheckConstraint(condition=~models.Q(name=""), name="algorithm_has_a_name"),
            models.CheckConstraint(
                condition=models.Q(counts__in=["latest", "pinned"], counts_by="")
                | (models.Q(counts="best") & ~models.Q(counts_by="")),
                name="algorithm_counts_by_a_rule",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_described(self) -> bool:
        """True if at least one descriptive field is filled in."""
        return any(getattr(self, name) not in ("", None) for name in self.ABOUT)


class FormerName(models.Model):
    """A name of an algorithm before it was renamed, or of an algorithm that was merged into it."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="former_names")
    algorithm = models.ForeignKey(Algorithm, on_delete=models.CASCADE, related_name="former_names")
    name = models.CharField(max_length=ALGORITHM_CHARS)
    look = LookField(of="name", db_index=True)
    # The id of the merged algorithm, which old URLs may contain.
    former_id = models.BigIntegerField(null=True, blank=True, db_index=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("algorithm", "-pk")
        constraints = [
            models.UniqueConstraint("collection", Lower("name"), name="former_name_once_per_collection"),
        ]

    def __str__(self) -> str:
        return f"{self.name}, now {self.algorithm}"

"""Published gold standards: immutable documents per query, bundled in numbered versions of a collection.

Database triggers enforce the immutability.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.collections import Collection, Query
from annotations.models.storage import PackedFile, Stored


class Gold(Stored):
    """The gold standard of one query. Its file holds the content."""

    part = "gold standards"
    of_collection, of_person = "query__collection", "query__collection__created_by"

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="golds")
    # SHA-256 of the canonical ``qc4-gold/1`` JSON.
    sha256 = models.CharField(max_length=64)
    n_pages = models.PositiveIntegerField()
    n_topics = models.PositiveIntegerField()
    n_levels = models.PositiveIntegerField()
    n_outliers = models.PositiveIntegerField()
    # Number of topics on level 1, 2, ..
    topics_per_level = models.JSONField()
    completion = models.CharField(max_length=8, default="strict")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("query", "pk")
        constraints = [
            models.UniqueConstraint(fields=("query", "sha256"), name="gold_content_once_per_query"),
            models.CheckConstraint(
                condition=models.Q(completion__in=["strict", "complete"]), name="gold_completion_known"
            ),
        ]

    def __str__(self) -> str:
        return f"gold {self.sha256[:8]} of {self.query}"

    def measured(self) -> tuple[int, int]:
        return len(self.file.packed), 1


class GoldFile(PackedFile):
    """A gold standard as canonical ``qc4-gold/1`` JSON (`qc4.io.write_gold`)."""

    gold = models.OneToOneField(Gold, on_delete=models.CASCADE, primary_key=True, related_name="file")

    def __str__(self) -> str:
        return f"file of {self.gold}"


class GoldOutline(PackedFile):
    """The tree that pages show of a gold standard, derived from its file (`annotations.gold.selectors`)."""

    gold = models.OneToOneField(Gold, on_delete=models.CASCADE, primary_key=True, related_name="outline")

    def __str__(self) -> str:
        return f"outline of {self.gold}"


class GoldVersion(models.Model):
    """A published version of a collection's gold standards; unchanged queries share their `Gold` with earlier ones."""

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="gold_versions")
    number = models.PositiveIntegerField()
    # SHA-256 over the lines "<query key>\t<gold sha256>\n" in query order.
    sha256 = models.CharField(max_length=64)
    note = models.TextField(blank=True)
    golds = models.ManyToManyField(Gold, through="GoldVersionEntry", related_name="versions")
    published_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    published_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("collection", "-number")
        constraints = [
            models.UniqueConstraint(fields=("collection", "number"), name="gold_version_number_once"),
            models.CheckConstraint(condition=models.Q(number__gte=1), name="gold_version_number_from_1"),
        ]

    def __str__(self) -> str:
        return f"gold v{self.number}"


class GoldVersionEntry(models.Model):
    """The gold standard of one query in a gold version."""

    version = models.ForeignKey(GoldVersion, on_delete=models.CASCADE, related_name="entries")
    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="gold_entries")
    gold = models.ForeignKey(Gold, on_delete=models.CASCADE, related_name="entries")

    class Meta:
        ordering = ("version", "query")
        constraints = [models.UniqueConstraint(fields=("version", "query"), name="one_gold_per_query_and_version")]

    def __str__(self) -> str:
        return f"{self.version}: {self.gold}"

"""Vectors of the pages of a query, for internal measures."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.collections import Query
from annotations.models.storage import PackedFile, Stored


class VectorSet(Stored):
    """One vector per page of a query, in the order of its page list. A query's latest set is the one in use.

    Sets never change: scores refer to their set by its hash.
    """

    part = "vectors"
    of_collection = "query__collection"

    class Origin(models.TextChoices):
        UPLOADED = "uploaded"
        TEXT = "text"

    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="vector_sets")
    origin = models.CharField(max_length=8, choices=Origin)
    # The uploaded file's name and SHA-256, or all parameters used to compute the vectors from text.
    parameters = models.JSONField(default=dict, blank=True)
    # SHA-256 of the .npy file.
    sha256 = models.CharField(max_length=64)
    n_pages = models.PositiveIntegerField()
    n_dimensions = models.PositiveIntegerField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("query", "-pk")
        constraints = [
            models.CheckConstraint(condition=models.Q(origin__in=["uploaded", "text"]), name="vectors_origin_known"),
            models.CheckConstraint(condition=models.Q(n_dimensions__gte=1), name="vectors_have_dimensions"),
        ]

    def __str__(self) -> str:
        return f"vectors {self.sha256[:8]} of {self.query}"

    def measured(self) -> tuple[int, int]:
        return len(self.file.packed), 1


class VectorFile(PackedFile):
    """The vectors as a .npy file: float64, pages x dimensions."""

    vectors = models.OneToOneField(VectorSet, on_delete=models.CASCADE, primary_key=True, related_name="file")

    def __str__(self) -> str:
        return f"file of {self.vectors}"

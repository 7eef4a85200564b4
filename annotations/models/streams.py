"""Data streams: points with arrival times and classes, for clusterings that change over time."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now

from annotations.models.collections import Collection
from annotations.models.storage import PackedFile, Stored
from common.limits import KEY_CHARS


class Stream(Stored):
    """A stream of a collection. ``key`` is its permanent id in files and URLs.

    Streams never change: results refer to their stream by its hash. A corrected stream is a new stream.
    """

    part = "streams"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="streams")
    key = models.CharField(max_length=KEY_CHARS)
    text = models.TextField(blank=True)
    position = models.PositiveIntegerField()
    # SHA-256 of the canonical ``qc4-stream/1`` JSON.
    sha256 = models.CharField(max_length=64)
    n_points = models.PositiveIntegerField()
    n_dimensions = models.PositiveIntegerField()
    n_classes = models.PositiveIntegerField()
    n_noise = models.PositiveIntegerField()
    first_time = models.FloatField()
    last_time = models.FloatField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("collection", "position", "pk")
        indexes = [models.Index(fields=("collection", "position", "id"), name="stream_in_order")]
        constraints = [
            models.UniqueConstraint(fields=("collection", "key"), name="stream_key_once_per_collection"),
            models.CheckConstraint(condition=~models.Q(key=""), name="stream_has_a_key"),
            models.CheckConstraint(
                condition=models.Q(n_points__gte=1, n_dimensions__gte=1), name="stream_has_points_and_dimensions"
            ),
            models.CheckConstraint(
                condition=models.Q(last_time__gte=models.F("first_time")), name="stream_time_goes_forward"
            ),
        ]

    def __str__(self) -> str:
        return self.text or self.key

    def measured(self) -> tuple[int, int]:
        return len(self.file.packed), 1


class StreamFile(PackedFile):
    """A stream as canonical ``qc4-stream/1`` JSON."""

    stream = models.OneToOneField(Stream, on_delete=models.CASCADE, primary_key=True, related_name="file")

    def __str__(self) -> str:
        return f"file of {self.stream}"

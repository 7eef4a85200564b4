"""Clusterings of data streams over time, and how they were measured."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from annotations.models import Collection, Stream
from annotations.models.storage import PackedFile
from common.limits import FILE_NAME_CHARS
from evaluation.models.submissions import AnySubmission


class StreamSubmission(AnySubmission):
    """One algorithm's clusterings of a stream over time.

    Its ``sha256`` is that of its canonical ``qc4-stream-clustering/1`` file.
    """

    address = "stream-submission"
    part = "submissions to streams"
    of_collection = "stream__collection"

    stream = models.ForeignKey(Stream, on_delete=models.CASCADE, related_name="submissions")
    # The file's name as it came; empty for baselines.
    filename = models.CharField(max_length=FILE_NAME_CHARS, blank=True)
    n_snapshots = models.PositiveIntegerField()
    n_clusters = models.PositiveIntegerField()

    class Meta(AnySubmission.Meta):
        ordering = ("stream", "-pk")
        indexes = [
            models.Index(fields=("stream", "-id"), name="stream_submission_latest"),
            models.Index(fields=("created_by", "-created_at", "-id"), name="stream_submission_of_person"),
        ]
        constraints = [
            *AnySubmission.Meta.constraints,
            models.CheckConstraint(condition=models.Q(n_snapshots__gte=1), name="stream_submission_has_snapshots"),
        ]

    @property
    def collection(self) -> Collection:
        return self.stream.collection

    def measured(self) -> tuple[int, int]:
        return len(self.file.packed), 1


class StreamSubmissionFile(PackedFile):
    """The clusterings of a submission as canonical ``qc4-stream-clustering/1`` JSON."""

    submission = models.OneToOneField(StreamSubmission, on_delete=models.CASCADE, primary_key=True, related_name="file")

    def __str__(self) -> str:
        return f"file of {self.submission}"


class StreamResult(models.Model):
    """A stream submission measured with one choice of settings by one engine. Complete once it has medians."""

    submission = models.ForeignKey(StreamSubmission, on_delete=models.CASCADE, related_name="results")
    # What counts at a time, k and tau: `evaluation.stream_settings`.
    settings = models.JSONField()
    # SHA-256 of the canonical JSON of `settings`.
    settings_sha256 = models.CharField(max_length=64)
    engine = models.CharField(max_length=20)
    # Measure -> median over the moments that have a value; null while moments are missing.
    medians = models.JSONField(null=True, blank=True)
    created_at = models.DateTimeField(db_default=Now())

    class Meta:
        ordering = ("submission", "-pk")
        constraints = [
            models.UniqueConstraint(
                fields=("submission", "settings_sha256", "engine"), name="one_stream_result_per_settings_and_engine"
            )
        ]

    def __str__(self) -> str:
        return f"{self.submission}, settings {self.settings_sha256[:8]}"


class StreamMoment(models.Model):
    """The measures of one snapshot; committed one after the other, so that no work is done twice."""

    result = models.ForeignKey(StreamResult, on_delete=models.CASCADE, related_name="moments")
    # Place of the snapshot in its submission, from 0.
    number = models.PositiveIntegerField()
    time = models.FloatField()
    # How many points counted.
    points = models.PositiveIntegerField()
    # Measure -> value; one that has none is not there.
    values = models.JSONField(default=dict, blank=True)
    # Why there are no values at all.
    undefined = models.TextField(blank=True)
    # Measure -> why it has no value, where others have one.
    reasons = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("result", "number")
        constraints = [models.UniqueConstraint(fields=("result", "number"), name="one_moment_per_snapshot")]

    def __str__(self) -> str:
        return f"{self.result} at {self.time:g}"

"""Clusterings of data streams over time, and their results."""

from __future__ import annotations

from django.db import models
from django.db.models.functions import Now

from annotations.models import Collection, Stream
from annotations.models.storage import PackedFile
from common.limits import FILE_NAME_CHARS
from evaluation.models.submissions import AnySubmission


class StreamSubmission(AnySubmission):
    """One algorithm's clusterings of a stream over time.

    ``sha256`` is the hash of its canonical ``qc4-stream-clustering/1`` file.
    """

    address = "stream-submission"
    part = "submissions to streams"
    of_collection = "stream__collection"

    stream = models.ForeignKey(Stream, on_delete=models.CASCADE, related_name="submissions")
    # The name of the uploaded file; empty for baselines.
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
    """Scores of a stream submission for one choice of settings and one engine version. Complete once it has medians."""

    submission = models.ForeignKey(StreamSubmission, on_delete=models.CASCADE, related_name="results")
    # Horizon, k and tau, see `evaluation.stream_settings`.
    settings = models.JSONField()
    # SHA-256 of the canonical JSON of `settings`.
    settings_sha256 = models.CharField(max_length=64)
    engine = models.CharField(max_length=20)
    # Measure -> median over the time steps that have a value; null until all time steps are computed.
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
    """The scores of one snapshot. Each is committed by itself, so that no work is done twice."""

    result = models.ForeignKey(StreamResult, on_delete=models.CASCADE, related_name="moments")
    # Position of the snapshot in its submission, from 0.
    number = models.PositiveIntegerField()
    time = models.FloatField()
    # Number of points that counted.
    points = models.PositiveIntegerField()
    # Measure -> value; measures without a value are absent.
    values = models.JSONField(default=dict, blank=True)
    # The reason, if there are no values at all.
    undefined = models.TextField(blank=True)
    # Measure -> the reason why it has no value, if others have one.
    reasons = models.JSONField(default=dict, blank=True)

    class Meta:
        ordering = ("result", "number")
        constraints = [models.UniqueConstraint(fields=("result", "number"), name="one_moment_per_snapshot")]

    def __str__(self) -> str:
        return f"{self.result} at {self.time:g}"

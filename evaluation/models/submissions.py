"""Submissions: what all kinds share, submissions for queries, and their clusterings."""

from __future__ import annotations

from typing import ClassVar

from django.conf import settings
from django.db import models
from django.db.models import Count, Sum
from django.db.models.functions import Length, Now

from annotations.models import Collection, Query, Stored
from annotations.models.storage import PackedFile
from evaluation.limits import REPEAT_CHARS
from evaluation.models.algorithms import Algorithm
from evaluation.models.uploads import Upload


class AnySubmission(Stored):
    """An algorithm's result for queries or for a stream. Private to its owner until published.

    Attributes:
        address: the URL name of its page, which its URLs also contain.
    """

    address: ClassVar[str]

    class Origin(models.TextChoices):
        BROWSER = "browser"
        API = "api"
        COMMAND = "command"
        BASELINE = "baseline"

    algorithm = models.ForeignKey(Algorithm, on_delete=models.CASCADE, related_name="%(class)ss")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    published = models.BooleanField(default=False)
    origin = models.CharField(max_length=8, choices=Origin)
    parameters = models.JSONField(default=dict, blank=True)
    # Hash of the whole content: equal submissions have equal hashes.
    sha256 = models.CharField(max_length=64)

    class Meta:
        abstract = True
        constraints = [
            models.CheckConstraint(
                condition=models.Q(origin__in=["browser", "api", "command", "baseline"]),
                name="%(class)s_origin_known",
            )
        ]

    def __str__(self) -> str:
        return f"{self.algorithm} #{self.pk}"


class Submission(AnySubmission):
    """One algorithm's clusterings of a collection's queries.

    ``sha256`` is the hash of the lines ``<query key>\\t<clustering sha256>\\n`` in query order.
    """

    address = "submission"
    part = "submissions"

    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, related_name="submissions")
    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, null=True, blank=True, related_name="submissions")
    seed = models.BigIntegerField(null=True, blank=True)
    # Distinguishes repeats of the same algorithm (a seed, a prompt), which together form one row of the leaderboard.
    # Empty for a submission that replaces earlier ones.
    repeat = models.CharField(max_length=REPEAT_CHARS, blank=True, default="")
    # The parameter sweep that made it. Such submissions serve model selection: leaderboards, lists and exports omit
    # them, and they are not scored.
    sweep = models.ForeignKey(
        "evaluation.Run", on_delete=models.CASCADE, null=True, blank=True, related_name="sweep_submissions"
    )

    class Meta(AnySubmission.Meta):
        ordering = ("collection", "-pk")
        indexes = [
            models.Index(fields=("collection", "-id"), name="submission_latest"),
            models.Index(fields=("created_by", "-created_at", "-id"), name="submission_latest_of_person"),
        ]

    def measured(self) -> tuple[int, int]:
        files = ClusteringFile.objects.filter(clustering__submission=self)
        kept = files.aggregate(bytes=Sum(Length("packed")), rows=Count("pk"))
        return kept["bytes"] or 0, kept["rows"]


class SubmissionReport(models.Model):
    """Report on an accepted file: pages covered, overlap, sizes, warnings."""

    submission = models.OneToOneField(Submission, on_delete=models.CASCADE, primary_key=True, related_name="report")
    # The result of `evaluation.submissions.services.Report.to_dict`.
    content = models.JSONField()

    def __str__(self) -> str:
        return f"report on {self.submission}"


class Clustering(models.Model):
    """Summary of one query's clusters; the clusters themselves are in its file."""

    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, related_name="clusterings")
    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="clusterings")
    # SHA-256 of the clusters alone (ids, labels, parents, members), so that equal clusterings share their scores.
    sha256 = models.CharField(max_length=64, db_index=True)
    n_clusters = models.PositiveIntegerField()
    n_memberships = models.PositiveIntegerField()
    n_pages_covered = models.PositiveIntegerField()

    class Meta:
        ordering = ("submission", "query")
        constraints = [models.UniqueConstraint(fields=("submission", "query"), name="one_clustering_per_query")]

    def __str__(self) -> str:
        return f"{self.submission}: {self.query}"


class ClusteringFile(PackedFile):
    """The clusters as canonical ``qc4-clustering/1`` JSON, with all other content of the uploaded clustering."""

    clustering = models.OneToOneField(Clustering, on_delete=models.CASCADE, primary_key=True, related_name="file")

    def __str__(self) -> str:
        return f"file of {self.clustering}"

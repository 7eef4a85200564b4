"""Runs: the only reliable record of work. The broker's messages only wake workers (docs/developers/jobs.md)."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Sum
from django.db.models.functions import Length, Now

from accounts.limits import USERNAME_CHARS
from annotations.models import Collection, GoldVersion, Query, Stored, Stream
from evaluation.limits import STEP_CHARS
from evaluation.models.scores import Evaluation
from evaluation.models.streams import StreamSubmission
from evaluation.models.submissions import Submission
from evaluation.models.uploads import Upload
from work.models import Leased

SCORE_BYTES = 8
"""Bytes of one score in a column."""


class Run(Stored, Leased):
    """A piece of work with a lease: an evaluation, an import, a set of baselines, a parameter sweep, ..."""

    part = "scores"

    class Kind(models.TextChoices):
        EVALUATION = "evaluation"
        IMPORT = "import"
        BASELINES = "baselines"
        VECTORS = "vectors"
        SWEEP = "sweep"
        STREAM = "stream"
        STREAM_BASELINES = "stream-baselines"
        ANNOUNCEMENT = "announcement"

    ABOUT = ("collection", "submission", "gold_version", "upload", "stream", "stream_submission")
    """What a run can refer to; its kind decides which of them are set."""

    kind = models.CharField(max_length=20, choices=Kind)
    # "interactive" if a person waits for the run, otherwise "bulk".
    queue = models.CharField(max_length=11, default="interactive")
    collection = models.ForeignKey(Collection, on_delete=models.CASCADE, null=True, blank=True, related_name="runs")
    submission = models.ForeignKey(Submission, on_delete=models.CASCADE, null=True, blank=True, related_name="runs")
    gold_version = models.ForeignKey(GoldVersion, on_delete=models.CASCADE, null=True, blank=True, related_name="runs")
    upload = models.ForeignKey(Upload, on_delete=models.PROTECT, null=True, blank=True, related_name="runs")
    stream = models.ForeignKey(Stream, on_delete=models.CASCADE, null=True, blank=True, related_name="runs")
    stream_submission = models.ForeignKey(
        StreamSubmission, on_delete=models.CASCADE, null=True, blank=True, related_name="runs"
    )
    # Further input of this kind of run: import options, baseline keys and seed, parameters of a sweep, settings of a
    # stream's measures.
    options = models.JSONField(default=dict, blank=True)
    # Measure key -> version; and the engine version when the run was queued.
    measures = models.JSONField(default=dict, blank=True)
    policies = models.JSONField(default=dict, blank=True)
    engine = models.CharField(max_length=20, blank=True)
    # For a finished evaluation: the greatest depth of its clusterings for which columns exist; 1 if all are flat.
    deepest = models.PositiveIntegerField(default=1)

    # How often interactive runs preempted it since it last stored a result.
    gave_way = models.PositiveIntegerField(default=0)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    step = models.CharField(max_length=STEP_CHARS, blank=True)
    # Set when the run failed: {"code", "sentence", "where", "fix", "problems": [..]}.
    error = models.JSONField(null=True, blank=True)
    rerun_of = models.ForeignKey("self", on_delete=models.SET_NULL, null=True, blank=True, related_name="reruns")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, null=True, related_name="+")
    created_at = models.DateTimeField(db_default=Now())
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-pk",)
        indexes = [
            models.Index(fields=("state", "lease_until"), name="run_by_state_and_lease"),
            models.Index(fields=("collection", "state", "kind"), name="run_by_collection"),
            models.Index(fields=("gold_version", "state", "kind", "submission"), name="run_of_version"),
            models.Index(fields=("collection", "-id"), name="run_latest_of_collection"),
            models.Index(fields=("created_by", "-id"), name="run_latest_of_person"),
            models.Index(fields=("state", "queue", "created_by"), name="run_by_queue"),
            models.Index(fields=("created_by", "queue", "started_at"), name="run_by_turn"),
        ]
        constraints = [
            models.CheckConstraint(
                condition=models.Q(state__in=["queued", "running", "done", "failed", "cancelled"]),
                name="run_state_known",
            ),
            models.CheckConstraint(
                condition=models.Q(state="running", lease_until__isnull=False)
                | (~models.Q(state="running") & models.Q(lease_until__isnull=True)),
                name="run_has_a_lease_while_it_runs",
            ),
            models.CheckConstraint(
                condition=models.Q(state__in=["done", "failed", "cancelled"], finished_at__isnull=False)
                | models.Q(state__in=["queued", "running"], finished_at__isnull=True),
                name="run_has_an_end_once_ended",
            ),
            models.CheckConstraint(
                condition=models.Q(state="failed", error__isnull=False)
                | (~models.Q(state="failed") & models.Q(error__isnull=True)),
                name="run_says_why_it_failed",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="evaluation") | models.Q(submission__isnull=False, gold_version__isnull=False),
                name="evaluation_has_submission_and_gold",
            ),
            models.CheckConstraint(
                condition=~models.Q(kind="stream") | models.Q(stream__isnull=False, stream_submission__isnull=False),
                name="stream_run_has_stream_and_submission",
            ),
        ]

    def __str__(self) -> str:
        return f"run {self.pk} ({self.kind}, {self.state})"

    def measured(self) -> tuple[int, int]:
        kept = self.columns.aggregate(bytes=Sum(Length("packed")))["bytes"] or 0
        return kept, kept // SCORE_BYTES

    @classmethod
    def entering(cls, state: str) -> dict[str, Any]:
        """As for every leased model; also keep ``finished_at`` as the table's constraints require."""
        more = {"step": ""} if state == cls.State.QUEUED else {"finished_at": Now()} if state in cls.ENDED else {}
        return {**super().entering(state), **more}

    @classmethod
    def record(cls, pk: int, *, actor: str, why: str, from_state: str = "", to_state: str = "") -> None:
        """Append an event to the run's log; without states it is only a message."""
        RunEvent.objects.create(
            run_id=pk,
            actor=actor[:USERNAME_CHARS],
            from_state=from_state,
            to_state=to_state,
            why=why,
            attempt=cls.objects.values_list("attempts", flat=True).get(pk=pk),
        )


class RunEvent(models.Model):
    """An event of a run: at once audit trail, log for users and source of progress. A trigger keeps it append-only."""

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="events")
    at = models.DateTimeField(db_default=Now())
    # A user name, a worker's name, or "sweeper".
    actor = models.CharField(max_length=USERNAME_CHARS)
    from_state = models.CharField(max_length=9, blank=True)
    to_state = models.CharField(max_length=9, blank=True)
    why = models.TextField()
    attempt = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("run", "pk")

    def __str__(self) -> str:
        return f"{self.at:%H:%M:%S} {self.why}"


class RunQuery(models.Model):
    """A query of an evaluation run that has its scores. It is committed in the same transaction as these and the lease.

    A query has a second row if the run includes measures on vectors.
    """

    run = models.ForeignKey(Run, on_delete=models.CASCADE, related_name="queries")
    query = models.ForeignKey(Query, on_delete=models.CASCADE, related_name="run_queries")
    evaluation = models.ForeignKey(Evaluation, on_delete=models.PROTECT, related_name="run_queries")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=("run", "query", "evaluation"), name="evaluation_once_per_run_and_query")
        ]

    def __str__(self) -> str:
        return f"{self.run}: {self.query}"

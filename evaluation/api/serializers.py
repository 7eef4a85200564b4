"""How submissions, runs and scores look in the API."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.person import Person as PersonAsking
from annotations.api.fields import Answer, Person
from evaluation.access import visible_clusterings
from evaluation.models import Clustering, Run, RunEvent, Submission, Upload
from evaluation.questions import NO_VECTORS
from evaluation.selectors.final_results import part_in_results
from evaluation.selectors.run_status import shown_actor
from evaluation.selectors.submission_reports import visible_report

LEVEL = {
    "oneOf": [{"type": "integer", "minimum": 1}, {"type": "string", "enum": ["all"]}, {"type": "null"}],
    "description": "A level's number; `all` for all topics of all levels; null for measures of the whole hierarchy.",
}


@extend_schema_field(OpenApiTypes.INT)
class RunId(serializers.Field[Run, Any, int, Any]):
    """A run by its id."""

    def to_representation(self, value: Run) -> int:
        return value.pk


class UploadRow(Answer[Upload]):
    """The file something came in."""

    class Meta:
        model = Upload
        fields = ("name", "sha256", "size")


class SubmissionRow(Answer[Submission]):
    """A submission in a list; ``latest_run`` is the id of its latest run, null if it has none."""

    collection = serializers.CharField(source="collection.slug")
    algorithm = serializers.CharField(source="algorithm.name")
    baseline = serializers.CharField(source="algorithm.baseline")
    created_by = Person(allow_null=True)
    latest_run = serializers.SerializerMethodField()

    class Meta:
        model = Submission
        fields: tuple[str, ...] = (
            "id",
            "collection",
            "algorithm",
            "baseline",
            "published",
            "origin",
            "created_by",
            "created_at",
            "sha256",
            "parameters",
            "seed",
            "repeat",
            "latest_run",
        )

    def get_latest_run(self, submission: Submission) -> int | None:
        if hasattr(submission, "latest_run"):
            latest: int | None = submission.latest_run
            return latest
        return submission.runs.filter(kind=Run.Kind.EVALUATION).order_by("-pk").values_list("pk", flat=True).first()


class ClusteringRow(Answer[Clustering]):
    """A submission's answer to one query, in numbers."""

    query = serializers.CharField(source="query.key")
    clusters = serializers.IntegerField(source="n_clusters")
    memberships = serializers.IntegerField(source="n_memberships")
    pages_covered = serializers.IntegerField(source="n_pages_covered")

    class Meta:
        model = Clustering
        fields = ("query", "sha256", "clusters", "memberships", "pages_covered")


class SubmissionDetail(SubmissionRow):
    """A submission, what the checker said of it, its clusterings in numbers and its runs.

    Answers that a challenge hides from the ``person`` of the context are left out. ``challenge`` says whether the
    submission takes part in the collection's challenge; it is empty if there is none.
    """

    challenge = serializers.SerializerMethodField()
    upload = UploadRow(allow_null=True)
    report = serializers.SerializerMethodField()
    clusterings = serializers.SerializerMethodField()
    runs = serializers.SerializerMethodField()

    class Meta(SubmissionRow.Meta):
        fields = (*SubmissionRow.Meta.fields, "challenge", "upload", "report", "clusterings", "runs")

    def get_challenge(self, submission: Submission) -> str:
        return part_in_results(submission, self._person)

    @extend_schema_field(ClusteringRow(many=True))
    def get_clusterings(self, submission: Submission) -> Any:
        rows = (
            visible_clusterings(self._person, submission)
            .select_related("query")
            .order_by("query__position", "query_id")
        )
        return ClusteringRow(rows, many=True).data

    @extend_schema_field(OpenApiTypes.OBJECT)
    def get_report(self, submission: Submission) -> Any:
        return visible_report(self._person, submission)

    @property
    def _person(self) -> PersonAsking:
        found: PersonAsking = self.context.get("person") or AnonymousUser()
        return found

    def get_runs(self, submission: Submission) -> list[int]:
        return list(submission.runs.filter(kind=Run.Kind.EVALUATION).order_by("pk").values_list("pk", flat=True))


class RunErrorField(serializers.Serializer[Any]):
    """Why a run failed, for people."""

    code = serializers.CharField()
    sentence = serializers.CharField()
    where = serializers.CharField()
    fix = serializers.CharField()
    problems = serializers.ListField(child=serializers.DictField())


class RunRow(Answer[Run]):
    """A run in a list. ``done`` of ``total`` queries (or steps) are ready."""

    collection = serializers.CharField(source="collection.slug", allow_null=True, default=None)
    gold_version = serializers.IntegerField(source="gold_version.number", allow_null=True, default=None)
    submission = serializers.IntegerField(source="submission_id", allow_null=True)
    stream = serializers.CharField(source="stream.key", allow_null=True, default=None)
    stream_submission = serializers.IntegerField(source="stream_submission_id", allow_null=True)
    rerun_of = serializers.IntegerField(source="rerun_of_id", allow_null=True)
    created_by = Person(allow_null=True)
    has_ended = serializers.BooleanField()
    error = RunErrorField(allow_null=True)

    class Meta:
        model = Run
        fields: tuple[str, ...] = (
            "id",
            "kind",
            "state",
            "has_ended",
            "collection",
            "submission",
            "stream",
            "stream_submission",
            "gold_version",
            "queue",
            "done",
            "total",
            "step",
            "error",
            "engine",
            "rerun_of",
            "created_by",
            "created_at",
            "started_at",
            "finished_at",
        )


class FromStatus(serializers.Field[Any, Any, Any, Any]):
    """A fact about a run that `evaluation.selectors.run_status` found out, under the field's name or its source."""

    def get_attribute(self, instance: Run) -> Any:
        return self.context["status"][self.source]


class StatusNumber(FromStatus, serializers.IntegerField):
    """How many."""


class StatusFlag(FromStatus, serializers.BooleanField):
    """Whether."""


class StatusSeconds(FromStatus, serializers.FloatField):
    """How long."""

    def to_representation(self, value: float) -> float:
        return round(float(value), 3)


class RunDetail(RunRow):
    """A run, how it gets on, and everything needed to do it again.

    ``queue_position`` is 1 for the next run to be started and 0 when it is not waiting.
    """

    queue_position = StatusNumber(source="position")
    attempt = StatusNumber()
    max_attempts = StatusNumber()
    seconds_left = StatusSeconds(allow_null=True, help_text="An estimate; null while there is none.")
    heartbeat_age = StatusSeconds(allow_null=True, help_text="Seconds; null unless it is running.")
    workers_alive = StatusNumber()
    is_served = StatusFlag(help_text="Whether a live worker listens to its queue.")
    upload = UploadRow(allow_null=True)

    class Meta(RunRow.Meta):
        fields = (
            *RunRow.Meta.fields,
            "queue_position",
            "attempt",
            "max_attempts",
            "seconds_left",
            "heartbeat_age",
            "workers_alive",
            "is_served",
            "measures",
            "policies",
            "options",
            "upload",
        )


class RunEventRow(Answer[RunEvent]):
    """One line of a run's log; without states it is a remark.

    ``actor`` is a user name, `sweeper`, `system` or `a worker`. Administrators of the site see which worker.
    """

    actor = serializers.SerializerMethodField()

    def get_actor(self, event: RunEvent) -> str:
        return shown_actor(event.actor, operates=self.context.get("operates", False))

    class Meta:
        model = RunEvent
        fields = ("at", "actor", "from_state", "to_state", "why", "attempt")


class ScoreRow(serializers.Serializer[dict[str, Any]]):
    """One score with its provenance: ``value``, or in ``undefined`` the reason why there is none."""

    algorithm = serializers.CharField()
    submission = serializers.IntegerField()
    counts = serializers.SerializerMethodField(
        help_text="Whether the submission counts for its algorithm on the board of this gold version and policies."
    )
    run = serializers.IntegerField(source="run_id")
    query = serializers.CharField(source="key")
    query_text = serializers.CharField(help_text="What pages call the query.")
    measure = serializers.CharField()
    measure_version = serializers.IntegerField()
    level = serializers.SerializerMethodField()
    depth = serializers.SerializerMethodField(
        help_text="Where nested clusters are cut for it, 1 for the outermost; null where nothing is cut."
    )
    deepest = serializers.SerializerMethodField(help_text="The depth of the finest cut; null where nothing is cut.")
    value = serializers.FloatField(allow_null=True)
    undefined = serializers.SerializerMethodField()
    flattened = serializers.BooleanField(
        help_text="Whether `overlap = first` really counted pages for their first topic or cluster only."
    )
    gold_version = serializers.IntegerField()
    engine = serializers.CharField()
    policies = serializers.DictField(child=serializers.CharField())
    vectors = serializers.SerializerMethodField(
        help_text="SHA-256 of the vectors it was computed on; null for measures that look at none, or found none."
    )

    def get_counts(self, row: dict[str, Any]) -> bool:
        return row["run_id"] in self.context["counting"]

    @extend_schema_field(LEVEL)
    def get_level(self, row: dict[str, Any]) -> int | str | None:
        level: str = row["level"]
        return int(level) if level.isdigit() else level or None

    def get_depth(self, row: dict[str, Any]) -> int | None:
        return row["depth"] or None

    def get_deepest(self, row: dict[str, Any]) -> int | None:
        return row["deepest"] or None

    def get_undefined(self, row: dict[str, Any]) -> str | None:
        return row["undefined"] or None

    def get_vectors(self, row: dict[str, Any]) -> str | None:
        return None if row["vectors"] in {"", NO_VECTORS} else row["vectors"]

"""How runs look in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from common.api.fields import Answer, Person
from evaluation.models import Run, RunEvent, Upload
from evaluation.runs.selectors import shown_actor


@extend_schema_field(OpenApiTypes.INT)
class RunId(serializers.Field[Run, Any, int, Any]):
    """A run's id."""

    def to_representation(self, value: Run) -> int:
        return value.pk


class UploadRow(Answer[Upload]):
    """An uploaded file."""

    class Meta:
        model = Upload
        fields = ("name", "sha256", "size")


class RunErrorField(serializers.Serializer[Any]):
    """The reason why a run failed."""

    code = serializers.CharField()
    sentence = serializers.CharField()
    where = serializers.CharField()
    fix = serializers.CharField()
    problems = serializers.ListField(child=serializers.DictField())


class RunRow(Answer[Run]):
    """A run in a list. ``done`` of ``total`` queries (or steps) are finished."""

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
    """A value from `evaluation.runs.selectors.status`, by the field's name or its source."""

    def get_attribute(self, instance: Run) -> Any:
        return self.context["status"][self.source]


class StatusNumber(FromStatus, serializers.IntegerField):
    """A number."""


class StatusFlag(FromStatus, serializers.BooleanField):
    """A truth value."""


class StatusSeconds(FromStatus, serializers.FloatField):
    """A duration in seconds."""

    def to_representation(self, value: float) -> float:
        return round(float(value), 3)


class RunDetail(RunRow):
    """A run, its progress, and everything needed to repeat it.

    ``queue_position`` is 1 for the next run to start and 0 if the run is not waiting.
    """

    queue_position = StatusNumber(source="position")
    attempt = StatusNumber()
    max_attempts = StatusNumber()
    seconds_left = StatusSeconds(allow_null=True, help_text="An estimate; null if there is none.")
    heartbeat_age = StatusSeconds(allow_null=True, help_text="Seconds; null unless the run is running.")
    workers_alive = StatusNumber()
    is_served = StatusFlag(help_text="Whether a live worker serves the run's queue.")
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
    """One entry of a run's log; without states it is only a message.

    ``actor`` is a user name, `sweeper`, `system` or `a worker`. Administrators of the site see the worker's name.
    """

    actor = serializers.SerializerMethodField()

    def get_actor(self, event: RunEvent) -> str:
        return shown_actor(event.actor, operates=self.context.get("operates", False))

    class Meta:
        model = RunEvent
        fields = ("at", "actor", "from_state", "to_state", "why", "attempt")

"""How scores look in the API."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.questions import NO_VECTORS

LEVEL = {
    "oneOf": [{"type": "integer", "minimum": 1}, {"type": "string", "enum": ["all"]}, {"type": "null"}],
    "description": "A level's number; `all` for all topics of all levels; null for measures of the whole hierarchy.",
}


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

"""What the answers look like that services build as plain dictionaries: for the schema only, nothing is read by it."""

from __future__ import annotations

from typing import Any, get_args

from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from evaluation.api.serializers import LEVEL
from qc4.measures.measure import Better


@extend_schema_field(LEVEL)
class LevelField(serializers.Field[Any, Any, Any, Any]):
    """A level of the gold standard as files write it."""


@extend_schema_field({"oneOf": [{"type": "string"}, {"type": "null"}]})
class BoardLevel(serializers.Field[Any, Any, Any, Any]):
    """A column's level: a number as text, ``all``, or null."""


class FamilyShape(serializers.Serializer[Any]):
    """A group of measures."""

    key = serializers.CharField()
    title = serializers.CharField()


class MeasureShape(serializers.Serializer[Any]):
    """Every fact about a measure. ``range`` is [low, high], null where unbounded."""

    key = serializers.CharField()
    title = serializers.CharField()
    family = serializers.CharField()
    meaning = serializers.CharField()
    formula = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]  # the field's own source is not used
    range = serializers.ListField(child=serializers.FloatField(allow_null=True), min_length=2, max_length=2)
    better = serializers.ChoiceField(get_args(Better))
    accepts = serializers.ListField(child=serializers.CharField())
    needs = serializers.ListField(child=serializers.CharField())
    symmetric = serializers.BooleanField()
    version = serializers.IntegerField()
    levels = serializers.CharField()
    policies = serializers.BooleanField(help_text="Whether the policies change its value.")
    degenerate = serializers.CharField(help_text="What to know about its edges; empty where the general rules hold.")


class CatalogueShape(serializers.Serializer[Any]):
    """All measures."""

    engine = serializers.CharField()
    families = FamilyShape(many=True)
    measures = MeasureShape(many=True)


class ColumnShape(serializers.Serializer[Any]):
    """A column of the leaderboard."""

    measure = serializers.CharField()
    title = serializers.CharField()
    level = BoardLevel()
    better = serializers.ChoiceField(get_args(Better))


class MeanShape(serializers.Serializer[Any]):
    """A measure over the queries, for one algorithm: ``value``, or in ``undefined`` why there is none."""

    value = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(allow_null=True)
    counted = serializers.IntegerField(help_text="How many queries the mean is over.")
    scored = serializers.IntegerField(help_text="How many have a value of their own.")
    queries = serializers.IntegerField(help_text="How many have the level at all.")
    missing = serializers.ListField(child=serializers.CharField(), help_text="Queries without a clustering.")
    undefined_queries = serializers.DictField(child=serializers.CharField(), help_text="Query id -> why.")
    per_query = serializers.ListField(
        child=serializers.FloatField(allow_null=True), help_text="In the order of the board's `queries`."
    )


class BoardRowShape(serializers.Serializer[Any]):
    """One algorithm; ``waiting`` says why it has no scores yet."""

    rank = serializers.IntegerField(allow_null=True)
    algorithm = serializers.CharField()
    baseline = serializers.CharField(allow_null=True)
    submission = serializers.IntegerField(allow_null=True)
    run = serializers.IntegerField(allow_null=True)
    engines = serializers.ListField(child=serializers.CharField())
    outdated = serializers.BooleanField()
    newer_submission = serializers.IntegerField(allow_null=True)
    waiting = serializers.CharField(allow_null=True)
    scores = serializers.DictField(child=MeanShape())


class BoardShape(serializers.Serializer[Any]):
    """A leaderboard: rows best first, those without a value last; ties share a rank."""

    collection = serializers.CharField()
    gold_version = serializers.IntegerField(allow_null=True)
    gold_sha256 = serializers.CharField(allow_null=True)
    engine = serializers.CharField()
    sort = serializers.CharField()
    missing = serializers.ChoiceField(["zero", "skip"])
    queries = serializers.ListField(child=serializers.CharField())
    measures = ColumnShape(many=True)
    rows = BoardRowShape(many=True)


class ScoreShape(serializers.Serializer[Any]):
    """One score: a value, or in ``undefined`` the reason why there is none."""

    measure = serializers.CharField()
    level = LevelField()
    value = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(allow_null=True)


class ClusterShape(serializers.Serializer[Any]):
    """A cluster's parts of QC4; an infinite ``s_random`` is null."""

    id = serializers.CharField()
    level = serializers.IntegerField()
    best_topic = serializers.CharField()
    entropy = serializers.FloatField()
    s_recall = serializers.FloatField()
    s_random = serializers.FloatField(allow_null=True)
    quality = serializers.FloatField()


class TopicShape(serializers.Serializer[Any]):
    """A level-1 topic's coverage."""

    id = serializers.CharField()
    coverage = serializers.FloatField()


class ExplanationShape(serializers.Serializer[Any]):
    """As ``python -m qc4 score --explain --format json``, and which gold standard it is against."""

    gold_version = serializers.IntegerField()
    gold_sha256 = serializers.CharField()
    engine = serializers.CharField()
    query = serializers.CharField()
    pages = serializers.IntegerField()
    policies = serializers.DictField(child=serializers.CharField())
    removed_clusters = serializers.ListField(child=serializers.CharField())
    scores = ScoreShape(many=True)
    clusters = ClusterShape(many=True)
    topics = TopicShape(many=True)
    vectors = serializers.DictField(
        required=False, help_text="Where the vectors come from, if a measure that looks at them was asked for."
    )

"""What the behaviour study looks like as JSON: for the schema only, nothing is read by it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

STATUS_WORDS = "`passed`, `failed`, or `undefined`."


class AgreementShape(serializers.Serializer[Any]):
    """How many cells the paper prints, and how many of them differ."""

    compared = serializers.IntegerField()
    differing = serializers.IntegerField()


class StudyPartShape(serializers.Serializer[Any]):
    """One measure as it is read."""

    measure = serializers.CharField()
    reading = serializers.CharField(help_text="`whole`, `all`, `coarsest`, or `finest`.")


class StudySideShape(serializers.Serializer[Any]):
    """A side of a column: the mean of its parts."""

    name = serializers.CharField(help_text="`quality`, `coverage`, or `overall`.")
    parts = StudyPartShape(many=True)
    better = serializers.CharField(help_text="`higher` or `lower`.")


class StudyColumnShape(serializers.Serializer[Any]):
    """What is judged; ``paper`` marks the 13 of Table 1."""

    key = serializers.CharField()
    title = serializers.CharField()
    sides = StudySideShape(many=True)
    paper = serializers.BooleanField()


class StudyTopicShape(serializers.Serializer[Any]):
    """A topic with its pages and those of its subtopics."""

    id = serializers.CharField()
    name = serializers.CharField()
    parent = serializers.CharField(allow_null=True)  # type: ignore[assignment]  # the field's own parent is not used
    pages = serializers.ListField(child=serializers.CharField())


class StudyClusteringShape(serializers.Serializer[Any]):
    """A clustering: lists of page ids."""

    key = serializers.CharField()
    title = serializers.CharField()
    clusters = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))


class StudyCaseShape(serializers.Serializer[Any]):
    """A gold standard, clusterings, and their right order: keys best first, equally good ones together."""

    key = serializers.CharField()
    title = serializers.CharField()
    expected = serializers.CharField()
    pages = serializers.ListField(child=serializers.CharField())
    topics = StudyTopicShape(many=True)
    clusterings = StudyClusteringShape(many=True)
    order = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    only = serializers.CharField(allow_null=True, help_text="The one side that may tell them apart.")
    scores = serializers.DictField(
        child=serializers.ListField(child=serializers.DictField()),
        help_text="Clustering -> its scores: measure, reading, level, value or undefined.",
    )


class StudyGroupShape(serializers.Serializer[Any]):
    """Cases that test one thing."""

    key = serializers.CharField()
    title = serializers.CharField()
    origin = serializers.CharField(help_text="`table 1`, `amigó`, or `limits`.")
    tests = serializers.CharField()
    cases = StudyCaseShape(many=True)


class SideScoreShape(serializers.Serializer[Any]):
    """A side's value for a clustering, or why it has none."""

    value = serializers.FloatField(allow_null=True)
    undefined = serializers.CharField(allow_null=True)


class VerdictShape(serializers.Serializer[Any]):
    """One column on one case; ``scores``: clustering -> a score per side of the column."""

    case = serializers.CharField()
    column = serializers.CharField()
    status = serializers.CharField(help_text=STATUS_WORDS)
    reasons = serializers.ListField(child=serializers.CharField())
    scores = serializers.DictField(child=SideScoreShape(many=True))


class StudyCellShape(serializers.Serializer[Any]):
    """One column on one group; ``printed`` is what the paper prints, null where it prints nothing."""

    group = serializers.CharField()
    column = serializers.CharField()
    status = serializers.CharField(help_text=STATUS_WORDS)
    printed = serializers.BooleanField(allow_null=True)
    agrees = serializers.BooleanField(allow_null=True)
    explanation = serializers.CharField(allow_null=True)
    verdicts = VerdictShape(many=True)


class StudyShape(serializers.Serializer[Any]):
    """The whole study."""

    engine = serializers.CharField()
    agreement = AgreementShape()
    columns = StudyColumnShape(many=True)
    groups = StudyGroupShape(many=True)
    cells = StudyCellShape(many=True)

"""Serializers of submissions."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import AnonymousUser
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from accounts.person import Person as PersonAsking
from common.api.fields import Answer, Person
from evaluation.access import visible_clusterings
from evaluation.challenges.final_results import participation_sentence
from evaluation.models import Clustering, Run, Submission
from evaluation.runs.serializers import UploadRow
from evaluation.submissions.selectors import visible_report


class SubmissionRow(Answer[Submission]):
    """A submission in a list. ``latest_run`` is the id of its latest evaluation, or null if it has none."""

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
    """Size figures of a submission's clustering of one query."""

    query = serializers.CharField(source="query.key")
    clusters = serializers.IntegerField(source="n_clusters")
    memberships = serializers.IntegerField(source="n_memberships")
    pages_covered = serializers.IntegerField(source="n_pages_covered")

    class Meta:
        model = Clustering
        fields = ("query", "sha256", "clusters", "memberships", "pages_covered")


class SubmissionDetail(SubmissionRow):
    """A submission with its checker report, the sizes of its clusterings and its runs.

    Clusterings that a challenge hides from the ``person`` of the context are omitted. ``challenge`` says whether the
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
        return participation_sentence(submission, self._person)

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

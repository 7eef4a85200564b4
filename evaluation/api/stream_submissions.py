"""Clusterings of streams: list, push, look at, measure with other settings, publish."""

from __future__ import annotations

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May
from common.api.fields import Answer, Person
from common.api.json_bodies import fields_of
from common.api.pagination import paged
from common.api.schema import listing
from common.api.throttles import PER_UPLOAD
from common.api.uploads import FILE_PARSERS, file_request, received
from evaluation.access import get_stream, get_stream_submission, own_submission, visible_stream_submissions
from evaluation.api.run_serializers import RunDetail, RunId
from evaluation.api.runs import answer
from evaluation.api.streams import STREAM_KEY, SettingsOptions, settings_in
from evaluation.api.submissions import PublishedOptions, provenance_in, publishing
from evaluation.cases import stream_file
from evaluation.models import StreamResult, StreamSubmission
from evaluation.selectors.stream_results import with_medians
from evaluation.services import streams, uploads
from evaluation.services.submission_deletion import delete_one
from qc4.io.kinds import STREAM_CLUSTERINGS


class StreamSubmissionRow(Answer[StreamSubmission]):
    """A stream submission in a list; ``sha256`` is that of its canonical file."""

    collection = serializers.CharField(source="stream.collection.slug")
    stream = serializers.CharField(source="stream.key")
    algorithm = serializers.CharField(source="algorithm.name")
    baseline = serializers.CharField(source="algorithm.baseline")
    created_by = Person(allow_null=True)

    class Meta:
        model = StreamSubmission
        fields: tuple[str, ...] = (
            "id",
            "collection",
            "stream",
            "algorithm",
            "baseline",
            "published",
            "origin",
            "filename",
            "created_by",
            "created_at",
            "sha256",
            "parameters",
            "n_snapshots",
            "n_clusters",
        )


class StreamResultRow(Answer[StreamResult]):
    """A submission measured with one choice of settings: medians over the moments."""

    settings = serializers.DictField(child=serializers.FloatField())
    medians = serializers.DictField(child=serializers.FloatField())
    moments = serializers.IntegerField(source="total", help_text="How many moments there are.")
    counted = serializers.IntegerField(help_text="How many of them have a value of CMM.")

    class Meta:
        model = StreamResult
        fields = ("settings", "settings_sha256", "engine", "medians", "moments", "counted", "created_at")


class StreamSubmissionDetail(StreamSubmissionRow):
    """A stream submission with its results and runs, the latest first."""

    results = serializers.SerializerMethodField()
    runs = serializers.SerializerMethodField()

    class Meta(StreamSubmissionRow.Meta):
        fields = (*StreamSubmissionRow.Meta.fields, "results", "runs")

    def get_results(self, submission: StreamSubmission) -> list[dict[str, Any]]:
        rows = with_medians(submission.results.all()).order_by("-pk")
        return list(StreamResultRow(rows, many=True).data)

    def get_runs(self, submission: StreamSubmission) -> list[int]:
        return list(submission.runs.order_by("-pk").values_list("pk", flat=True))


class PushedStreamSubmission(serializers.Serializer[Any]):
    """A new stream submission, and the run that measures it."""

    submission = StreamSubmissionDetail()
    run = RunId()


class StreamSubmissionOptions(PublishedOptions, SettingsOptions):
    """What may be said about clusterings of a stream."""


class StreamSubmissionsView(APIView):
    """The submissions of a stream."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @listing("stream_submissions", StreamSubmissionRow, "streams", [STREAM_KEY])
    def get(self, request: Request, slug: str, key: str) -> Response:
        """The submissions of a stream you may see, the latest first."""
        rows = visible_stream_submissions(request.user, get_stream(request.user, slug, key))
        rows = rows.select_related("stream__collection", "algorithm", "created_by")
        return paged(rows.order_by("-pk"), StreamSubmissionRow, request)

    @extend_schema(
        operation_id="submit_to_stream",
        parameters=[STREAM_KEY, StreamSubmissionOptions],
        request=file_request(
            StreamSubmissionOptions, "qc4-stream-clustering/1 JSON or JSON Lines, or CSV of balls; and the settings."
        ),
        responses={201: PushedStreamSubmission},
        tags=["streams"],
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        """Submit clusterings of a stream over time; measuring them is queued at once."""
        stream = get_stream(request.user, slug, key, May.SUBMIT)
        user = person(request)
        file = received(request, StreamSubmissionOptions)
        settings = settings_in(dict(file.options))
        with uploads.kept(uploads.store(file.source, file.name, user, STREAM_CLUSTERINGS)) as upload:
            path, algorithm = uploads.path_of(upload), file.options.get("algorithm", "")
            document, clustering = streams.check(stream, path, upload.name, algorithm, user)
            provenance = provenance_in(file.options, user)
            submission, run = streams.submit(
                stream, document, clustering, provenance, settings=settings, filename=upload.name
            )
        uploads.delete_unused(upload)
        body = PushedStreamSubmission(
            {"submission": get_stream_submission(request.user, submission.pk), "run": run}
        ).data
        address = request.build_absolute_uri(reverse("api:stream-submission", args=[submission.pk]))
        return Response(body, status=status.HTTP_201_CREATED, headers={"Location": address})


class StreamSubmissionView(APIView):
    """One stream submission."""

    @extend_schema(operation_id="stream_submission", responses=StreamSubmissionDetail, tags=["streams"])
    def get(self, request: Request, pk: int) -> Response:
        """A stream submission: where it comes from, its medians with every choice of settings, its runs."""
        return Response(_detail(request, pk))

    @extend_schema(operation_id="delete_stream_submission", responses={204: None}, tags=["streams"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete a submission of your own with its runs and results, for good. 400 while a worker is writing for it."""
        delete_one(own_submission(request.user, get_stream_submission(request.user, pk)))
        return Response(status=status.HTTP_204_NO_CONTENT)


class StreamSubmissionFileView(APIView):
    """A stream submission's clusterings."""

    @extend_schema(
        operation_id="stream_submission_file",
        responses={
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "The `qc4-stream-clustering/1` file.")
        },
        tags=["streams"],
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """The clusterings as `qc4-stream-clustering/1`, which can be submitted again as they are."""
        content = stream_file(get_stream_submission(request.user, pk))
        return HttpResponse(content, content_type="application/json")


class MeasureStreamSubmissionView(APIView):
    """Measure a stream submission."""

    @extend_schema(
        operation_id="measure_stream_submission",
        request=SettingsOptions,
        responses={202: RunDetail},
        tags=["streams"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Measure a submission of your own with these settings, as a run; results with other settings stay."""
        submission = own_submission(request.user, get_stream_submission(request.user, pk))
        settings = settings_in(SettingsOptions.of(fields_of(request)))
        run = streams.measure(submission, settings, person(request))
        return answer(run, request, status.HTTP_202_ACCEPTED)


PublishStreamSubmissionView, UnpublishStreamSubmissionView = publishing(
    "stream_submission", "streams", get_stream_submission, StreamSubmissionDetail
)


def _detail(request: Request, pk: int) -> dict[str, Any]:
    return dict(StreamSubmissionDetail(get_stream_submission(request.user, pk)).data)

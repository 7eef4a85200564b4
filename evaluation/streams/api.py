"""Data streams with their measures over time, and submissions of clusterings of them."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import HttpResponse, HttpResponseBase
from django.urls import reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.collections import streams as stored
from annotations.collections.streams import stream_bytes
from annotations.models import Stream
from common.api.fields import Answer, Person
from common.api.json_bodies import fields_of
from common.api.options import Options, option
from common.api.pagination import paged
from common.api.schema import listing
from common.api.throttles import PER_UPLOAD
from common.api.uploads import FILE_PARSERS, FileOptions, file_request, received
from common.downloads import unchanging
from common.limits import KEY_CHARS
from evaluation.access import (
    get_stream,
    get_stream_submission,
    own_submission,
    require_organiser,
    visible_stream_submissions,
    visible_streams,
)
from evaluation.deletion.services import delete_one, delete_stream
from evaluation.limits import MAX_HORIZON_POINTS, NEIGHBOURS
from evaluation.models import StreamResult, StreamSubmission
from evaluation.runs.api import run_response
from evaluation.runs.serializers import RunDetail, RunId
from evaluation.scoring.cases import stream_file
from evaluation.stream_settings import LAST, NAMES, TAU, K, StreamSettings
from evaluation.streams import services as streams
from evaluation.streams.forms import RunStreamBaselines
from evaluation.streams.selectors import StreamSeries, stream_series, with_medians
from evaluation.submissions.api import NoiseOptions, PublishedOptions, provenance_in, publishing
from evaluation.uploads import services as uploads
from qc4.io.kinds import STREAM_CLUSTERINGS, STREAMS

STREAM_KEY = OpenApiParameter(
    "key",
    OpenApiTypes.STR,
    OpenApiParameter.PATH,
    description="The stream's id. Characters that a URL cannot contain are written `~HEX;`, e.g. `~2F;` for `/`.",
)


class StreamRow(Answer[Stream]):
    """A stream in figures; ``sha256`` is the hash of its canonical file."""

    created_by = Person(allow_null=True)

    class Meta:
        model = Stream
        fields = (
            "key",
            "text",
            "sha256",
            "n_points",
            "n_dimensions",
            "n_classes",
            "n_noise",
            "first_time",
            "last_time",
            "created_by",
            "created_at",
        )


class StreamOptions(NoiseOptions, FileOptions):
    """Options of an upload of a stream."""

    key = serializers.CharField(
        required=False, max_length=KEY_CHARS, help_text="Its permanent name; by default the name in the file."
    )


class SettingsOptions(Options):
    """The points that count at each time step, and CMM's k and tau.

    Give ``last``, or ``decay`` and ``threshold``, or neither.
    """

    last = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=MAX_HORIZON_POINTS,
        help_text=f"The last `last` points count, with equal weights; {LAST:,} by default.",
    )
    decay = serializers.FloatField(required=False, min_value=0, help_text="A point has weight 2^(-decay x age).")
    threshold = serializers.FloatField(
        required=False, min_value=0, max_value=1, help_text="Points with a lower weight do not count; above 0."
    )
    k = serializers.IntegerField(
        default=K, min_value=1, max_value=NEIGHBOURS, help_text="Number of neighbours used to compute connectivity."
    )
    tau = serializers.FloatField(
        default=TAU, min_value=0, max_value=1, help_text="Classes with a connectivity above this are merged."
    )


def settings_in(chosen: dict[str, Any]) -> StreamSettings:
    """Return the stream settings among the chosen options. Raises as `StreamSettings.of` does."""
    return StreamSettings.of(**{name: chosen[name] for name in NAMES if chosen.get(name) is not None})


class StreamBaselinesOptions(SettingsOptions):
    """The baselines to run, and the horizon."""

    only = option(RunStreamBaselines.base_fields["only"], "All baselines if omitted.")
    seed = option(RunStreamBaselines.base_fields["seed"])


class SeriesOptions(Options):
    """The settings whose results are returned."""

    settings = serializers.CharField(
        required=False,
        help_text="The first 12 digits of the settings' SHA-256; by default the settings used by most submissions.",
    )


class StreamsView(APIView):
    """The streams of a collection."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @listing("streams", StreamRow, "streams")
    def get(self, request: Request, slug: str) -> Response:
        """List the streams of a collection, in the collection's order."""
        collection = get_collection(request.user, slug)
        rows = visible_streams(request.user, collection).select_related("created_by")
        return paged(rows.order_by("position", "pk"), StreamRow, request)

    @extend_schema(
        operation_id="upload_stream",
        parameters=[StreamOptions],
        request=file_request(StreamOptions, "A stream: qc4-stream/1 JSON, or CSV `time,class,x1,x2,...`."),
        responses={201: StreamRow},
        tags=["streams"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Add a stream with its ground truth. Requires the right to curate."""
        collection = get_collection(request.user, slug, May.CURATE)
        user = person(request)
        file = received(request, StreamOptions)
        with uploads.deleted_on_error(uploads.store(file.source, file.name, user, STREAMS)) as upload:
            document = stored.read_stream_file(
                uploads.path_of(upload), upload.name, file.options.get("key", ""), noise=file.options["noise"]
            )
            row = stored.add_stream(collection, document, user)
        uploads.delete_unused(upload)
        address = request.build_absolute_uri(reverse("api:stream", args=[slug, row.key]))
        row.refresh_from_db(fields=["created_at"])
        return Response(StreamRow(row).data, status=status.HTTP_201_CREATED, headers={"Location": address})


class StreamView(APIView):
    """One stream."""

    @extend_schema(
        operation_id="stream",
        parameters=[STREAM_KEY],
        responses={
            (200, "application/json"): OpenApiResponse(
                OpenApiTypes.OBJECT, "The canonical `qc4-stream/1` file; its SHA-256 is the `ETag`."
            ),
            304: OpenApiResponse(description="Your version (`If-None-Match`) is the current stream."),
        },
        tags=["streams"],
    )
    def get(self, request: Request, slug: str, key: str) -> HttpResponseBase:
        """Return a stream as `qc4-stream/1`: points with times, classes and vectors."""
        row = get_stream(request.user, slug, key)
        return unchanging(request, row.sha256, partial(stream_bytes, row))

    @extend_schema(operation_id="delete_stream", parameters=[STREAM_KEY], responses={204: None}, tags=["streams"])
    def delete(self, request: Request, slug: str, key: str) -> Response:
        """Permanently delete a stream with everyone's submissions to it. Requires owning the collection."""
        delete_stream(get_stream(request.user, slug, key, May.MANAGE))
        return Response(status=status.HTTP_204_NO_CONTENT)


class StreamSeriesView(APIView):
    """A stream's measures over time."""

    @extend_schema(
        operation_id="stream_series",
        parameters=[STREAM_KEY, SeriesOptions],
        responses=StreamSeries,
        tags=["streams"],
    )
    def get(self, request: Request, slug: str, key: str) -> Response:
        """Return CMM, its components and the flat measures of every submission you can see: time steps and medians."""
        row = get_stream(request.user, slug, key)
        wanted = SeriesOptions.of(request.query_params).get("settings", "")
        return Response(stream_series(row, request.user, wanted).to_dict())


class StreamBaselinesView(APIView):
    """Baselines on a stream."""

    @extend_schema(
        operation_id="run_stream_baselines",
        parameters=[STREAM_KEY],
        request=StreamBaselinesOptions,
        responses={202: RunDetail},
        tags=["streams"],
    )
    def post(self, request: Request, slug: str, key: str) -> Response:
        """Cluster a stream with the baselines, as one run; each becomes a published submission."""
        row = get_stream(request.user, slug, key, May.COMPUTE)
        require_organiser(request.user, row.collection)
        chosen = StreamBaselinesOptions.of(fields_of(request))
        run = streams.enqueue_baselines(
            stream=row,
            keys=chosen.get("only"),
            settings=settings_in(chosen),
            seed=chosen["seed"],
            user=person(request),
        )
        return run_response(run, request, status.HTTP_202_ACCEPTED)


# --- Submissions to streams: list, submit, show, measure with other settings, publish ---


class StreamSubmissionRow(Answer[StreamSubmission]):
    """A stream submission in a list; ``sha256`` is the hash of its canonical file."""

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
    """The medians over the time steps of a submission, measured with one set of settings."""

    settings = serializers.DictField(child=serializers.FloatField())
    medians = serializers.DictField(child=serializers.FloatField())
    moments = serializers.IntegerField(source="total", help_text="The number of time steps.")
    counted = serializers.IntegerField(help_text="The number of time steps that have a value of CMM.")

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
    """Options of a submission to a stream."""


class StreamSubmissionsView(APIView):
    """The submissions of a stream."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @listing("stream_submissions", StreamSubmissionRow, "streams", [STREAM_KEY])
    def get(self, request: Request, slug: str, key: str) -> Response:
        """List the submissions of a stream you can see, the latest first."""
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
        """Submit clusterings of a stream over time and queue a run that measures them."""
        stream = get_stream(request.user, slug, key, May.SUBMIT)
        user = person(request)
        file = received(request, StreamSubmissionOptions)
        settings = settings_in(dict(file.options))
        with uploads.deleted_on_error(uploads.store(file.source, file.name, user, STREAM_CLUSTERINGS)) as upload:
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
        """Return a stream submission: its origin, its medians with every set of settings, and its runs."""
        return Response(_detail(request, pk))

    @extend_schema(operation_id="delete_stream_submission", responses={204: None}, tags=["streams"])
    def delete(self, request: Request, pk: int) -> Response:
        """Delete your own submission with its runs and results, permanently. 400 while a worker is writing for it."""
        delete_one(own_submission(request.user, get_stream_submission(request.user, pk)))
        return Response(status=status.HTTP_204_NO_CONTENT)


class StreamSubmissionFileView(APIView):
    """The clusterings of a stream submission."""

    @extend_schema(
        operation_id="stream_submission_file",
        responses={
            (200, "application/json"): OpenApiResponse(OpenApiTypes.OBJECT, "The `qc4-stream-clustering/1` file.")
        },
        tags=["streams"],
    )
    def get(self, request: Request, pk: int) -> HttpResponse:
        """Return the clusterings as `qc4-stream-clustering/1`, which can be submitted again unchanged."""
        content = stream_file(get_stream_submission(request.user, pk))
        return HttpResponse(content, content_type="application/json")


class MeasureStreamSubmissionView(APIView):
    """Measuring of a stream submission."""

    @extend_schema(
        operation_id="measure_stream_submission",
        request=SettingsOptions,
        responses={202: RunDetail},
        tags=["streams"],
    )
    def post(self, request: Request, pk: int) -> Response:
        """Measure your own submission with these settings, as a run; results with other settings are not changed."""
        submission = own_submission(request.user, get_stream_submission(request.user, pk))
        settings = settings_in(SettingsOptions.of(fields_of(request)))
        run = streams.measure(submission, settings, person(request))
        return run_response(run, request, status.HTTP_202_ACCEPTED)


PublishStreamSubmissionView, UnpublishStreamSubmissionView = publishing(
    "stream_submission", "streams", get_stream_submission, StreamSubmissionDetail
)


def _detail(request: Request, pk: int) -> dict[str, Any]:
    return dict(StreamSubmissionDetail(get_stream_submission(request.user, pk)).data)

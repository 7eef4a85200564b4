"""List, upload and download page vectors, and make them from page text."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.http import Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection, get_query
from annotations.collections.vectors import latest_vectors, npy_bytes
from annotations.models import VectorSet
from common.api.fields import Answer, Person
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.pagination import paged
from common.api.schema import KEY, listing
from common.api.throttles import PER_UPLOAD
from common.api.uploads import FILE_PARSERS, FileOptions, file_request, received
from common.downloads import unchanging
from common.limits import LIMITS
from evaluation.runs.api import run_response
from evaluation.runs.serializers import RunDetail, RunId
from evaluation.uploads import services as uploads
from evaluation.vectors import services as vectors
from evaluation.vectors.forms import TextVectors
from qc4.io.kinds import VECTORS
from qc4.io.source import read_blob


class VectorsRow(Answer[VectorSet]):
    """Figures of a query's vectors. ``parameters`` say how they were made, or from which file they were read."""

    query = serializers.CharField(source="query.key")
    pages = serializers.IntegerField(source="n_pages")
    dimensions = serializers.IntegerField(source="n_dimensions")
    # A plain CharField because the schema has a different "origin", that of submissions.
    origin = serializers.CharField(help_text="`uploaded` or `text`.")
    created_by = Person(allow_null=True)

    class Meta:
        model = VectorSet
        fields = ("query", "sha256", "pages", "dimensions", "origin", "parameters", "created_by", "created_at")


class PutVectors(serializers.Serializer[Any]):
    """A query's new vectors, and the runs they caused."""

    vectors = VectorsRow()
    runs = serializers.ListField(
        child=RunId(),
        help_text="The runs that score on them; empty if nothing changed or if such runs are already queued.",
    )


class VectorsOptions(FileOptions):
    """Options of an upload of vectors."""


FILE = file_request(VectorsOptions, "Not JSON: a .npy or CSV file, a row per page; for a collection a ZIP of them.")


class TextOptions(Options):
    """Options of making vectors from page text."""

    FORM = TextVectors


class VectorsView(APIView):
    """The vectors of a collection."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @listing("vectors", VectorsRow, "vectors")
    def get(self, request: Request, slug: str) -> Response:
        """List the latest vectors of each query that has some."""
        latest = latest_vectors(get_collection(request.user, slug))
        rows = VectorSet.objects.filter(pk__in=[row.pk for row in latest.values()])
        rows = rows.select_related("query", "created_by").order_by("query__position", "query_id")
        return paged(rows, VectorsRow, request)

    @extend_schema(
        operation_id="upload_vectors",
        parameters=[VectorsOptions],
        request=FILE,
        responses={202: RunDetail},
        tags=["vectors"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Upload a ZIP of vectors, as a run: a `.npy` or CSV file per query. Requires the right to curate."""
        collection = get_collection(request.user, slug, May.CURATE)
        user = person(request)
        file = received(request, VectorsOptions)
        with uploads.deleted_on_error(uploads.store(file.source, file.name, user, VECTORS)) as upload:
            run = vectors.enqueue_file(collection=collection, upload=upload, user=user)
        return run_response(run, request, status.HTTP_202_ACCEPTED)


class TextVectorsView(APIView):
    """Vectors from page text."""

    @extend_schema(operation_id="vectors_from_text", request=TextOptions, responses={202: RunDetail}, tags=["vectors"])
    def post(self, request: Request, slug: str) -> Response:
        """Make vectors from the text of the pages, as a run. Requires the right to curate."""
        collection = get_collection(request.user, slug, May.CURATE)
        chosen: dict[str, Any] = TextOptions.of(fields_of(request))
        run = vectors.enqueue_from_text(collection=collection, user=person(request), **chosen)
        return run_response(run, request, status.HTTP_202_ACCEPTED)


class QueryVectorsView(APIView):
    """The vectors of one query."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @extend_schema(
        operation_id="query_vectors",
        parameters=[KEY],
        responses={
            (200, "application/octet-stream"): OpenApiResponse(
                OpenApiTypes.BINARY, "A `.npy` file (float64, pages x dimensions); its SHA-256 is the `ETag`."
            ),
            304: OpenApiResponse(description="Your version (`If-None-Match`) is still the latest."),
        },
        tags=["vectors"],
    )
    def get(self, request: Request, slug: str, key: str) -> HttpResponseBase:
        """Download a query's latest vectors as a `.npy` file, in the order of its page list."""
        query = get_query(request.user, slug, key)
        row = query.vector_sets.order_by("-pk").first()
        if row is None:
            raise Http404("This query has no vectors.")
        return unchanging(request, row.sha256, partial(npy_bytes, row), "application/octet-stream", "vectors.npy")

    @extend_schema(
        operation_id="put_vectors",
        parameters=[KEY, VectorsOptions],
        request=FILE,
        responses=PutVectors,
        tags=["vectors"],
    )
    def put(self, request: Request, slug: str, key: str) -> Response:
        """Set a query's vectors from a `.npy` or CSV file; latest submissions are scored on them. Requires curate."""
        query = get_query(request.user, slug, key, May.CURATE)
        file = received(request, VectorsOptions)
        blob = read_blob(file.source, file.name, LIMITS)
        row, started = vectors.put(query, blob.data, blob.name, person(request))
        row.refresh_from_db(fields=["created_at"])
        return Response(PutVectors({"vectors": row, "runs": started}).data)

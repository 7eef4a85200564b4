"""Gold versions of a collection: list them, publish the next one."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.gold.api import GoldVersionDetail, GoldVersionRow
from common.api.pagination import paged
from common.api.schema import listing
from common.api.throttles import PER_UPLOAD
from common.api.uploads import FILE_PARSERS, FileOptions, file_request, received
from common.file_reading import read_sent
from evaluation.gold.forms import PublishGold
from evaluation.gold.services import publish_and_reevaluate
from evaluation.runs.serializers import RunId
from qc4.io import read_collection


class PublishedGoldVersion(serializers.Serializer[Any]):
    """A published gold version, and the runs it caused."""

    gold_version = GoldVersionDetail()
    runs = serializers.ListField(child=RunId(), help_text="The runs that score the latest submissions against it.")


class GoldOptions(FileOptions):
    """Options of a new gold version."""

    FORM = PublishGold
    HELP = {"note": "What changed, and why."}


class GoldVersionsView(APIView):
    """The gold versions of a collection."""

    parser_classes = FILE_PARSERS
    throttle_classes = PER_UPLOAD

    @listing("gold_versions", GoldVersionRow, "gold standards")
    def get(self, request: Request, slug: str) -> Response:
        """List the published gold versions, the latest first."""
        versions = get_collection(request.user, slug).gold_versions.select_related("published_by")
        return paged(versions.order_by("-number"), GoldVersionRow, request)

    @extend_schema(
        operation_id="publish_gold",
        parameters=[GoldOptions],
        request=file_request(GoldOptions, "One `qc4-gold/1` file or a ZIP of them."),
        responses={201: PublishedGoldVersion, 200: PublishedGoldVersion},
        tags=["gold standards"],
    )
    def post(self, request: Request, slug: str) -> Response:
        """Publish gold standards as the next version; queries that are not in the file keep theirs.

        Requires the right to publish. The latest submissions are scored against the new version. Returns 200 and the
        latest version if the file changes nothing.
        """
        collection = get_collection(request.user, slug, May.PUBLISH)
        file = received(request, GoldOptions)
        documents = read_sent(read_collection, file.source, name=file.name).documents
        latest = collection.gold_versions.order_by("-number").values_list("number", flat=True).first() or 0
        version, started = publish_and_reevaluate(
            collection=collection,
            documents=documents,
            user=person(request),
            note=file.options["note"],
            completion=file.options["completion"],
        )
        body = PublishedGoldVersion({"gold_version": version, "runs": started}, context={"person": request.user}).data
        if version.number <= latest:
            return Response(body)
        address = request.build_absolute_uri(reverse("api:gold-version", args=[collection.slug, version.number]))
        return Response(body, status=status.HTTP_201_CREATED, headers={"Location": address})

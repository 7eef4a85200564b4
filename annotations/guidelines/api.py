"""API of a collection's guidelines and their changes."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers, status
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import get_collection
from annotations.guidelines import selectors as guidelines
from annotations.guidelines.services import note_read
from annotations.models import GuidelinesVersion
from common.api.fields import Answer, Person
from common.api.json_bodies import fields_of
from common.api.options import Options
from common.api.throttles import DRAFT_WORK
from common.limits import LARGEST_VERSION


class GuidelinesOptions(Options):
    """The version to return."""

    version = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_VERSION, help_text="A version's number; by default the latest."
    )


class GuidelinesDetail(Answer[GuidelinesVersion]):
    """A version of the guidelines. ``html`` is sanitised: no scripts, no pictures, links to http(s) only."""

    created_by = Person(allow_null=True)
    html = serializers.SerializerMethodField()

    class Meta:
        model = GuidelinesVersion
        fields = ("number", "text", "html", "created_by", "created_at")

    def get_html(self, version: GuidelinesVersion) -> str:
        return guidelines.render_markdown(version.text)


class GuidelinesView(APIView):
    """The guidelines of a collection."""

    @extend_schema(
        operation_id="guidelines", responses=GuidelinesDetail, parameters=[GuidelinesOptions], tags=["curation"]
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the guidelines of a collection as Markdown and HTML; 404 if there are none."""
        collection = get_collection(request.user, slug)
        chosen: dict[str, Any] = GuidelinesOptions.of(request.query_params)
        versions = collection.guidelines.filter(number=chosen["version"]) if chosen else collection.guidelines
        found = versions.select_related("created_by").order_by("-number").first()
        if found is None:
            raise Http404("This collection has no guidelines with this version.")
        return Response(GuidelinesDetail(found).data)


class SinceVersion(Options):
    """The version to compare with."""

    since = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_VERSION, help_text="By default the version you last read."
    )


class ReadVersion(Options):
    """The version that the caller has read."""

    version = serializers.IntegerField(min_value=1, max_value=LARGEST_VERSION)


class GuidelinesChangesView(APIView):
    """Changes to the guidelines."""

    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="guidelines_changes",
        parameters=[SinceVersion],
        responses=guidelines.GuidelinesNews,
        tags=["curation"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """Return the guidelines and the lines changed since the version you last read, or since another version."""
        collection = get_collection(request.user, slug)
        since = SinceVersion.of(request.query_params).get("since")
        return Response(guidelines.news(collection, request.user, since).to_dict())

    @extend_schema(operation_id="read_guidelines", request=ReadVersion, responses={204: None}, tags=["curation"])
    def post(self, request: Request, slug: str) -> Response:
        """Record that you have read a version. The workspace then notifies you of later versions."""
        collection = get_collection(request.user, slug)
        note_read(collection, person(request), ReadVersion.of(fields_of(request))["version"])
        return Response(status=status.HTTP_204_NO_CONTENT)

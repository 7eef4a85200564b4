"""A collection's guidelines, to read, and what is new in them."""

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
    """Which version."""

    version = serializers.IntegerField(
        required=False, min_value=1, max_value=LARGEST_VERSION, help_text="An earlier version; else the latest."
    )


class GuidelinesDetail(Answer[GuidelinesVersion]):
    """A version of the guidelines. ``html`` is sanitised: no scripts, no pictures, links to http(s) only."""

    created_by = Person(allow_null=True)
    html = serializers.SerializerMethodField()

    class Meta:
        model = GuidelinesVersion
        fields = ("number", "text", "html", "created_by", "created_at")

    def get_html(self, version: GuidelinesVersion) -> str:
        return guidelines.rendered(version.text)


class GuidelinesView(APIView):
    """What the curators agreed on."""

    @extend_schema(
        operation_id="guidelines", responses=GuidelinesDetail, parameters=[GuidelinesOptions], tags=["curation"]
    )
    def get(self, request: Request, slug: str) -> Response:
        """The guidelines of a collection as Markdown and HTML; 404 while nobody wrote any."""
        collection = get_collection(request.user, slug)
        chosen: dict[str, Any] = GuidelinesOptions.of(request.query_params)
        versions = collection.guidelines.filter(number=chosen["version"]) if chosen else collection.guidelines
        found = versions.select_related("created_by").order_by("-number").first()
        if found is None:
            raise Http404("There are no such guidelines in this collection.")
        return Response(GuidelinesDetail(found).data)


class SinceVersion(Options):
    """From which version on."""

    since = serializers.IntegerField(
        required=False, min_value=0, max_value=LARGEST_VERSION, help_text="By default the one you read last."
    )


class ReadVersion(Options):
    """What somebody has read."""

    version = serializers.IntegerField(min_value=1, max_value=LARGEST_VERSION)


class GuidelinesChangesView(APIView):
    """What is new in the guidelines."""

    throttle_classes = DRAFT_WORK

    @extend_schema(
        operation_id="guidelines_changes",
        parameters=[SinceVersion],
        responses=guidelines.GuidelinesNews,
        tags=["curation"],
    )
    def get(self, request: Request, slug: str) -> Response:
        """The guidelines, and line by line what changed since the version you read last, or another one."""
        collection = get_collection(request.user, slug)
        since = SinceVersion.of(request.query_params).get("since")
        return Response(guidelines.news(collection, request.user, since).to_dict())

    @extend_schema(operation_id="read_guidelines", request=ReadVersion, responses={204: None}, tags=["curation"])
    def post(self, request: Request, slug: str) -> Response:
        """Say that you have read a version: the workspace tells you of later ones."""
        collection = get_collection(request.user, slug)
        note_read(collection, person(request), ReadVersion.of(fields_of(request))["version"])
        return Response(status=status.HTTP_204_NO_CONTENT)

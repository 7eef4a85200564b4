"""A collection's guidelines, to read."""

from __future__ import annotations

from typing import Any

from django.http import Http404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection
from annotations.api.options import Options
from annotations.api.serializers import Answer, Person
from annotations.limits import LARGEST_VERSION
from annotations.models import GuidelinesVersion
from annotations.selectors import guidelines


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

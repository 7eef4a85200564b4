"""API of gold versions: their entries, and each gold standard byte for byte as it was published."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_gold_version, with_key
from annotations.challenges.access import require_visible_gold, visible_entries
from annotations.gold.selectors import document_bytes
from annotations.gold.services import record_gold_exposure
from annotations.models import Gold, GoldVersion, GoldVersionEntry
from common.api.fields import Answer, Person
from common.api.schema import KEY
from common.downloads import unchanging


class GoldVersionRow(Answer[GoldVersion]):
    """A published version. ``sha256`` covers the lines ``<query key>\\t<gold sha256>\\n`` in query order."""

    published_by = Person(allow_null=True)

    class Meta:
        model = GoldVersion
        fields: tuple[str, ...] = ("number", "sha256", "note", "published_by", "published_at")


class GoldEntry(Answer[GoldVersionEntry]):
    """The gold standard of one query in a version. ``sha256`` is the hash of its canonical ``qc4-gold/1`` file."""

    query = serializers.CharField(source="query.key")
    sha256 = serializers.CharField(source="gold.sha256")
    pages = serializers.IntegerField(source="gold.n_pages")
    levels = serializers.IntegerField(source="gold.n_levels")
    topics_per_level = serializers.ListField(source="gold.topics_per_level", child=serializers.IntegerField())
    outliers = serializers.IntegerField(source="gold.n_outliers")
    completion = serializers.ChoiceField(
        source="gold.completion", choices=Gold._meta.get_field("completion").choices or ["strict", "complete"]
    )

    class Meta:
        model = GoldVersionEntry
        fields = ("query", "sha256", "pages", "levels", "topics_per_level", "outliers", "completion")


class GoldVersionDetail(GoldVersionRow):
    """A version and its entries, without those that a challenge hides from the context's ``person``."""

    queries = serializers.SerializerMethodField()

    class Meta(GoldVersionRow.Meta):
        fields = (*GoldVersionRow.Meta.fields, "queries")

    @extend_schema_field(GoldEntry(many=True))
    def get_queries(self, version: GoldVersion) -> Any:
        person = self.context.get("person") or AnonymousUser()
        entries = (
            visible_entries(person, version).select_related("query", "gold").order_by("query__position", "query_id")
        )
        return GoldEntry(entries, many=True).data


# --- Views ------------------------------------------------------------------------------------------------------------


class GoldVersionView(APIView):
    """One gold version."""

    @extend_schema(operation_id="gold_version", responses=GoldVersionDetail, tags=["gold standards"])
    def get(self, request: Request, slug: str, number: int) -> Response:
        """Return a gold version with its gold standard for each query."""
        return Response(
            GoldVersionDetail(get_gold_version(request.user, slug, number), context={"person": request.user}).data
        )


class GoldView(APIView):
    """One gold standard."""

    @extend_schema(
        operation_id="gold",
        parameters=[KEY],
        responses={
            200: OpenApiResponse(OpenApiTypes.OBJECT, "The canonical `qc4-gold/1` file; its SHA-256 is the `ETag`."),
            304: OpenApiResponse(description="Your copy (`If-None-Match`) is current: gold standards never change."),
        },
        tags=["gold standards"],
    )
    def get(self, request: Request, slug: str, number: int, key: str) -> HttpResponseBase:
        """Return the gold standard of a query as a file; 403 while the collection's challenge hides it."""
        version = get_gold_version(request.user, slug, number)
        entry = with_key(version.entries.select_related("query", "gold__file"), key, "query__key")
        if entry is not None:
            require_visible_gold(request.user, entry.query)
            record_gold_exposure(request.user, version.collection, [entry.gold])
        if entry is None:
            raise Http404("This gold version has no gold standard for this query.")
        return unchanging(request, entry.gold.sha256, partial(document_bytes, entry.gold))

"""A collection and its queries, to read."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection, get_query
from annotations.api.operations import KEY, listing
from annotations.api.options import Options
from annotations.api.pagination import paged
from annotations.api.plain_json import fields_of
from annotations.api.serializers import CollectionDetail, QueryDetail, QueryRow
from annotations.forms import Settings
from annotations.models import Collection
from annotations.services.settings import change_settings


class CollectionChanges(Options):
    """What may be changed of a collection; what is left out stays."""

    FORM = Settings
    visibility = serializers.ChoiceField(required=False, choices=Collection.Visibility.choices)
    participation = serializers.ChoiceField(required=False, choices=Collection.Participation.choices)
    timing = serializers.ChoiceField(required=False, choices=Collection.Timing.choices)

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        """None of them has a default."""
        found = super().get_fields()
        for field in found.values():
            field.default, field.required = serializers.empty, False
        return found


class CollectionView(APIView):
    """One collection."""

    @extend_schema(operation_id="collection", responses=CollectionDetail, tags=["collections"])
    def get(self, request: Request, slug: str) -> Response:
        """A collection: its size, its latest gold version, and what you may do in it."""
        collection = get_collection(request.user, slug)
        return Response(CollectionDetail(collection, context={"person": request.user}).data)

    @extend_schema(
        operation_id="change_collection", request=CollectionChanges, responses=CollectionDetail, tags=["collections"]
    )
    def patch(self, request: Request, slug: str) -> Response:
        """Change what a collection is called, what is said of it, who may read it and who may submit; its owners may.

        What is left out stays, and so does the slug.
        """
        collection = get_collection(request.user, slug, May.MANAGE)
        given = CollectionChanges.of(fields_of(request))
        kept = ("name", "description", "visibility", "participation", "timing")
        settings = {key: given.get(key, getattr(collection, key)) for key in kept}
        face = {key: given[key] for key in Collection.FACE if key in given}
        change_settings(collection, user=person(request), face=face, **settings)
        return Response(CollectionDetail(collection, context={"person": request.user}).data)


class QueriesView(APIView):
    """The queries of a collection."""

    @listing("queries", QueryRow, "collections")
    def get(self, request: Request, slug: str) -> Response:
        """The queries of a collection, in order."""
        queries = get_collection(request.user, slug).queries.all()
        return paged(queries.order_by("position", "pk"), QueryRow, request)


class QueryView(APIView):
    """One query."""

    @extend_schema(operation_id="query", responses=QueryDetail, parameters=[KEY], tags=["collections"])
    def get(self, request: Request, slug: str, key: str) -> Response:
        """A query and its search results."""
        return Response(QueryDetail(get_query(request.user, slug, key)).data)

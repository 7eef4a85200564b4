"""A collection and its queries, to read."""

from __future__ import annotations

from django.db.models import Count
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_collection, get_query
from annotations.api.operations import KEY, listing
from annotations.api.pagination import paged
from annotations.api.serializers import CollectionDetail, QueryDetail, QueryRow


class CollectionView(APIView):
    """One collection."""

    @extend_schema(operation_id="collection", responses=CollectionDetail, tags=["collections"])
    def get(self, request: Request, slug: str) -> Response:
        """A collection: its size, its latest gold version, and what you may do in it."""
        collection = get_collection(request.user, slug)
        return Response(CollectionDetail(collection, context={"person": request.user}).data)


class QueriesView(APIView):
    """The queries of a collection."""

    @listing("queries", QueryRow, "collections")
    def get(self, request: Request, slug: str) -> Response:
        """The queries of a collection, in order."""
        queries = get_collection(request.user, slug).queries.annotate(n_pages=Count("pages"))
        return paged(queries.order_by("position", "pk"), QueryRow, request)


class QueryView(APIView):
    """One query."""

    @extend_schema(operation_id="query", responses=QueryDetail, parameters=[KEY], tags=["collections"])
    def get(self, request: Request, slug: str, key: str) -> Response:
        """A query and its search results."""
        return Response(QueryDetail(get_query(request.user, slug, key)).data)

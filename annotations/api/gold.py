"""Gold versions, to read: what a version holds, and each gold standard byte for byte as it was published."""

from __future__ import annotations

from functools import partial

from django.http import Http404, HttpResponseBase
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from annotations.access import get_gold_version, with_key
from annotations.api.gold_rows import GoldVersionDetail
from annotations.api.operations import KEY
from annotations.api.unchanging import unchanging
from annotations.challenge_access import require_gold
from annotations.selectors.gold import document_bytes
from annotations.services.gold_exposure import note_gold


class GoldVersionView(APIView):
    """One gold version."""

    @extend_schema(operation_id="gold_version", responses=GoldVersionDetail, tags=["gold standards"])
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A gold version and the gold standard it holds for each query."""
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
            304: OpenApiResponse(description="What you have (`If-None-Match`) is still it: gold never changes."),
        },
        tags=["gold standards"],
    )
    def get(self, request: Request, slug: str, number: int, key: str) -> HttpResponseBase:
        """The gold standard of a query as a file. 403 while the collection's challenge hides it."""
        version = get_gold_version(request.user, slug, number)
        entry = with_key(version.entries.select_related("query", "gold__file"), key, "query__key")
        if entry is not None:
            require_gold(request.user, entry.query)
            note_gold(request.user, version.collection, [entry.gold])
        if entry is None:
            raise Http404("This gold version has no gold standard for such a query.")
        return unchanging(request, entry.gold.sha256, partial(document_bytes, entry.gold))

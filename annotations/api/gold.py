"""Gold versions, to read: what a version holds, and each gold standard byte for byte as it was published."""

from __future__ import annotations

from django.http import Http404, HttpResponseBase
from django.http import HttpResponse as PlainResponse
from django.utils.cache import get_conditional_response
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import Person
from annotations.access import get_collection
from annotations.api.operations import KEY
from annotations.api.serializers import GoldVersionDetail
from annotations.models import GoldVersion
from annotations.selectors.gold import document_bytes


class GoldVersionView(APIView):
    """One gold version."""

    @extend_schema(operation_id="gold_version", responses=GoldVersionDetail, tags=["gold standards"])
    def get(self, request: Request, slug: str, number: int) -> Response:
        """A gold version and the gold standard it holds for each query."""
        return Response(GoldVersionDetail(_version(request.user, slug, number)).data)


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
        """The gold standard of a query as a file."""
        entry = _version(request.user, slug, number).entries.filter(query__key=key).select_related("gold__file").first()
        if entry is None:
            raise Http404("This gold version has no gold standard for such a query.")
        etag = f'"{entry.gold.sha256}"'
        unchanged = get_conditional_response(request._request, etag=etag)
        if unchanged is not None:
            return unchanged
        return PlainResponse(
            document_bytes(entry.gold), content_type="application/json", headers={"ETag": etag, "Vary": "Authorization"}
        )


def _version(person: Person, slug: str, number: int) -> GoldVersion:
    version = get_collection(person, slug).gold_versions.filter(number=number).first()
    if version is None:
        raise Http404("There is no such gold version.")
    return version

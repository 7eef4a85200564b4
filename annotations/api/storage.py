"""How much is stored, and how much may be."""

from __future__ import annotations

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.person import person
from annotations.access import May, get_collection
from annotations.selectors.storage import Storage, of_collection, of_person


class OwnStorageView(APIView):
    """What one stores oneself."""

    @extend_schema(operation_id="own_storage", responses=Storage, tags=["people"])
    def get(self, request: Request) -> Response:
        """What you brought in, and the pages, gold standards and drafts of collections you made."""
        return Response(of_person(person(request)).to_dict())


class CollectionStorageView(APIView):
    """What a collection holds."""

    @extend_schema(operation_id="collection_storage", responses=Storage, tags=["people"])
    def get(self, request: Request, slug: str) -> Response:
        """What it holds, whoever brought it in; for owners."""
        return Response(of_collection(get_collection(request.user, slug, May.MANAGE)).to_dict())

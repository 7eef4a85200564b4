"""The audit log of a collection's people and publications."""

from __future__ import annotations

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from accounts.audit import of_collection
from annotations.access import May, get_collection
from annotations.api.audit import CollectionLogRow
from annotations.api.operations import listing
from annotations.api.pagination import paged


class CollectionLogView(APIView):
    """The log of a collection."""

    @listing("collection_log", CollectionLogRow, "people")
    def get(self, request: Request, slug: str) -> Response:
        """What happened to its people and publications, the latest first; for owners. Nobody's address is told."""
        return paged(of_collection(get_collection(request.user, slug, May.MANAGE).pk), CollectionLogRow, request)

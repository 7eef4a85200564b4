"""The API's front door: where everything is, its schema, and its documentation in the browser."""

from __future__ import annotations

from django.urls import reverse
from drf_spectacular.utils import extend_schema, inline_serializer
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from qc4.version import ENGINE_VERSION

LINKS = ("collections", "runs", "measures", "schema", "docs")


class RootView(APIView):
    """The front door."""

    @extend_schema(
        operation_id="root",
        responses=inline_serializer(
            "Root",
            {
                "engine": serializers.CharField(help_text="The version of the measures' engine."),
                "user": serializers.CharField(allow_null=True, help_text="Whose token this is; null without one."),
                **{name: serializers.URLField() for name in LINKS},
            },
        ),
        tags=["start"],
    )
    def get(self, request: Request) -> Response:
        """Where to go, and who you are."""
        links = {name: request.build_absolute_uri(reverse(f"api:{name}")) for name in LINKS}
        user = request.user.get_username() if request.user.is_authenticated else None
        return Response({"engine": ENGINE_VERSION, "user": user, **links})


class SchemaView(SpectacularAPIView):
    """The OpenAPI schema; the same as docs/api/openapi.yaml."""


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI from our own static files, its script in a request of its own: no inline script."""

    url_name = "api:schema"
    template_name = "api/docs.html"

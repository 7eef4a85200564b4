"""The API's front door: where everything is, its schema, and its documentation in the browser."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from threading import Lock
from typing import Any

from django.urls import reverse
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import (
    OpenApiJsonRenderer,
    OpenApiJsonRenderer2,
    OpenApiYamlRenderer,
    OpenApiYamlRenderer2,
)
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from qc4.version import ENGINE_VERSION

LINKS = ("collections", "runs", "measures", "schema", "docs")


class Root(serializers.Serializer[Any]):
    """Where everything is, and who asks."""

    engine = serializers.CharField(help_text="The version of the measures' engine.")
    user = serializers.CharField(allow_null=True, help_text="Whose token this is; null without one.")

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        return super().get_fields() | {name: serializers.URLField() for name in LINKS}


class RootView(APIView):
    """The front door."""

    @extend_schema(
        operation_id="root",
        responses=Root,
        tags=["start"],
    )
    def get(self, request: Request) -> Response:
        """Where to go, and who you are."""
        links = {name: request.build_absolute_uri(reverse(f"api:{name}")) for name in LINKS}
        user = request.user.get_username() if request.user.is_authenticated else None
        return Response(Root({"engine": ENGINE_VERSION, "user": user, **links}).data)


_building = Lock()


def schema() -> dict[str, Any]:
    """Return the schema that everybody may read. It is built once, which takes half a second.

    A web process builds it before its first visitor. The generator uses global variables, so no two threads may build
    it at the same time.
    """
    with _building:
        return _schema()


@cache
def _schema() -> dict[str, Any]:
    found: dict[str, Any] = SchemaGenerator().get_schema(request=None, public=True)
    return found


class KeptSchema(SchemaGenerator):
    """Builds the schema once in the life of a process."""

    def get_schema(self, request: Request | None = None, public: bool = False) -> dict[str, Any]:
        return schema()


@cache
def _written() -> bytes:
    """The schema as YAML, which takes as long to write as to build."""
    found: bytes = OpenApiYamlRenderer().render(schema())
    return found


class KeptYaml(OpenApiYamlRenderer):
    """Writes the schema once in the life of a process; answers that are errors as they come."""

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        if data is schema():
            return _written()
        found: bytes = super().render(data, accepted_media_type, renderer_context)  # type: ignore[no-untyped-call]  # it has no types
        return found


class KeptPlainYaml(KeptYaml):
    """The same for who asks for YAML."""

    media_type = OpenApiYamlRenderer2.media_type


class SchemaView(SpectacularAPIView):
    """The OpenAPI schema; the same as docs/api/openapi.yaml."""

    generator_class = KeptSchema
    renderer_classes = [KeptYaml, KeptPlainYaml, OpenApiJsonRenderer, OpenApiJsonRenderer2]


class DocsView(SpectacularSwaggerSplitView):
    """Swagger UI from our own static files, its script in a request of its own: no inline script."""

    url_name = "api:schema"
    template_name = "qc4site/api_docs.html"

"""How an operation of the API is described, so that the schema says what really happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction, OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers

from annotations.api.pagination import ListOptions
from annotations.api.records import is_record, record_schema

KEY = OpenApiParameter(
    "key",
    OpenApiTypes.STR,
    OpenApiParameter.PATH,
    description="The query's id. Characters that an address cannot hold are written `~HEX;`, e.g. `~2F;` for `/`.",
)


def listing(
    operation_id: str,
    row: type[serializers.BaseSerializer[Any]],
    tag: str,
    parameters: Sequence[OpenApiParameter] = (),
    options: type[ListOptions] = ListOptions,
) -> Callable[[Any], Any]:
    """A list of rows, page by page."""
    page = inline_serializer(
        f"Paged{row.__name__}",
        {
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": row(many=True),
        },
    )
    return extend_schema(operation_id=operation_id, responses=page, tags=[tag], parameters=[*parameters, options])


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema names the token."""

    target_class = "accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: object) -> dict[str, str]:
        return {
            "type": "http",
            "scheme": "bearer",
            "description": "A token from your account page. It is shown once; keep it like a password.",
        }


class RecordScheme(OpenApiSerializerExtension):
    """Lets records be named where the framework expects serializers."""

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_record(target)

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        return str(getattr(self.target, "TITLE", "") or self.target.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return record_schema(auto_schema, direction, self.target)

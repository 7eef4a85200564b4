"""How an operation of the API is described, so that the schema says what really happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction, OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers

from annotations.api.options import Options
from annotations.api.pagination import Pages
from annotations.api.records import is_record, record_schema

PAGE_PARAMETERS = (
    OpenApiParameter("page", OpenApiTypes.INT, description="Which page, from 1."),
    OpenApiParameter("page_size", OpenApiTypes.INT, description=f"At most {Pages.max_page_size} per page."),
)
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
    parameters: Sequence[OpenApiParameter | type[Options]] = (),
) -> Callable[[Any], Any]:
    """A paged list of rows."""
    page = inline_serializer(
        f"Paged{row.__name__}",
        {
            "count": serializers.IntegerField(),
            "next": serializers.URLField(allow_null=True),
            "previous": serializers.URLField(allow_null=True),
            "results": row(many=True),
        },
    )
    return extend_schema(
        operation_id=operation_id, responses=page, tags=[tag], parameters=[*parameters, *PAGE_PARAMETERS]
    )


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

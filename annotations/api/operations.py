"""How an operation of the API is described, so that the schema says what really happens."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers

from annotations.api.options import Options
from annotations.api.pagination import Pages

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

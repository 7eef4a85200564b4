"""Fields and bases that serializers of rows share."""

from __future__ import annotations

from typing import Any, TypeVar

from django.contrib.auth.base_user import AbstractBaseUser
from django.db.models import Model
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

Row = TypeVar("Row", bound=Model)


@extend_schema_field(OpenApiTypes.STR)
class Person(serializers.Field[AbstractBaseUser, Any, str, Any]):
    """A person by user name; null for what the site did itself."""

    def to_representation(self, value: AbstractBaseUser) -> str:
        return value.get_username()


class Answer(serializers.ModelSerializer[Row]):
    """Base of serializers of rows that only answer: nothing is read by them."""

    def get_fields(self) -> dict[str, serializers.Field[Any, Any, Any, Any]]:
        fields = super().get_fields()
        for field in fields.values():
            field.read_only = True
        return fields

    def get_extra_kwargs(self) -> dict[str, dict[str, Any]]:
        return {name: {"read_only": True} for name in self.Meta.fields}

"""How operations and records of the API are described in its schema."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import is_dataclass
from enum import Enum
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints, is_typeddict

from django.db.models import Field, JSONField, Model
from drf_spectacular.extensions import OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import (
    append_meta,
    build_array_type,
    build_object_type,
    is_serializer,
    list_hash,
    resolve_type_hint,
)
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import Direction, OpenApiParameter, extend_schema, inline_serializer
from rest_framework import serializers

from common.api.pagination import ListOptions
from qc4.records import record_entries

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


class RecordScheme(OpenApiSerializerExtension):
    """Lets records be named where the framework expects serializers."""

    @classmethod
    def _matches(cls, target: Any) -> bool:
        return is_record(target)

    def get_name(self, auto_schema: AutoSchema, direction: Direction) -> str:
        return str(getattr(self.target, "TITLE", "") or self.target.__name__)

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> dict[str, Any]:
        return record_schema(auto_schema, direction, self.target)


# --- Records ----------------------------------------------------------------------------------------------------------
# A record (`qc4.records`) becomes JSON by its keys. The same keys, the annotations they lead to and the docstrings make
# its schema, so nothing is written twice.

Schema = dict[str, Any]


def record_schema(auto_schema: AutoSchema, direction: Direction, kind: type) -> Schema:
    """The schema of a record: its keys in order, as `qc4.records` reads them."""
    about, attributes = described(kind)
    way, properties = Way(auto_schema, direction), {}
    for entry in record_entries(kind):
        schema, words = way.schema(kind, entry.path, may_be_none=not entry.is_optional)
        schema = _nullable(schema) if entry.is_nullable or "?." in entry.path else schema
        words = attributes.get(entry.key) or attributes.get(entry.path) or words
        properties[entry.key] = append_meta(schema, {"description": words} if words else {})
    required = sorted(entry.key for entry in record_entries(kind) if not entry.is_optional)
    return build_object_type(properties, required, about)


def is_record(kind: Any) -> bool:
    """Whether a class has keys as records have: `qc4.records.to_plain` makes dicts of the same classes."""
    return inspect.isclass(kind) and (is_dataclass(kind) or hasattr(kind, "KEYS") or hasattr(kind, "_fields"))


class Way:
    """From annotations, and fields of models, to schemas."""

    def __init__(self, auto_schema: AutoSchema, direction: Direction) -> None:
        self._auto, self._direction = auto_schema, direction

    def schema(self, kind: type, path: str, may_be_none: bool) -> tuple[Schema, str]:
        """The schema of what a path of attributes leads to, and what is said about it."""
        *steps, last = path.replace("?.", ".").split(".")
        for step in steps:
            hint = _attribute(kind, step)[0]
            further: Any = hint.related_model if isinstance(hint, Field) else _without_none(hint)
            kind = get_origin(further) or further
        hint, words = _attribute(kind, last)
        return self._of(hint if may_be_none else _without_none(hint)), words

    def _of(self, hint: Any) -> Schema:
        origin, args = get_origin(hint), get_args(hint)
        if isinstance(hint, Field):
            return self._of_field(hint)
        if origin in (Union, UnionType):
            parts = [self._of(part) for part in args if part is not NoneType]
            found = parts[0] if len(parts) == 1 else {"oneOf": parts}
            return _nullable(found) if NoneType in args else found
        if origin is Annotated:
            return self._of(hint.__metadata__[0])
        if is_serializer(hint):
            return dict(self._auto.resolve_serializer(hint, self._direction).ref)
        if hint is Any:
            return {}
        if is_typeddict(hint):
            values = {name: self._of(part) for name, part in get_type_hints(hint).items()}
            return build_object_type(values, sorted(values), inspect.getdoc(hint))
        if origin is tuple and args[-1] is not Ellipsis:
            return {"type": "array", "items": self._of(Union[args]), "minItems": len(args), "maxItems": len(args)}  # noqa: UP007  # of types only known here
        if inspect.isclass(origin) and issubclass(origin, Mapping):
            return build_object_type(additionalProperties=self._of(args[1]))
        if inspect.isclass(origin):
            return build_array_type(self._of(args[0]))
        if inspect.isclass(hint) and issubclass(hint, Enum):
            return dict(resolve_type_hint(hint)) | {
                "x-spec-enum-id": list_hash([(one.value, one.name) for one in hint])
            }
        return dict(resolve_type_hint(hint))

    def _of_field(self, field: Field[Any, Any]) -> Schema:
        """What a value of the field looks like; not what is told to who may write it."""
        if isinstance(field, JSONField) and field.default in (dict, list):
            return build_object_type() if field.default is dict else build_array_type({})
        found = self._auto._map_model_field(field, self._direction)
        kept = {name: found[name] for name in ("$ref", "oneOf", "type", "enum", "x-spec-enum-id") if name in found}
        return kept | ({"format": found["format"]} if found.get("type") == "string" and "format" in found else {})


def _nullable(schema: Schema) -> Schema:
    if not schema or "null" in schema.get("type", ()) or {"type": "null"} in schema.get("oneOf", ()):
        return schema
    if "enum" in schema:
        schema = {**schema, "enum": [*schema["enum"], None]}
    return append_meta(schema, {"nullable": True})


def _attribute(kind: type, name: str) -> tuple[Any, str]:
    """What an attribute of a class is annotated with (of a model: its field), and what is said about it."""
    if issubclass(kind, Model):
        names = {field.attname: field for field in kind._meta.concrete_fields}
        field = kind._meta.pk if name == "pk" else names.get(name) or names.get(f"{name}_id")
        if field is not None:
            return field, ""
    found = inspect.getattr_static(kind, name, None)
    function = getattr(found, "fget", None) or getattr(found, "func", None) or found
    if inspect.isfunction(function):
        return get_type_hints(function, include_extras=True)["return"], _sentence(inspect.getdoc(function) or "")
    return get_type_hints(kind, include_extras=True)[name], described(kind)[1].get(name, "")


def _without_none(hint: Any) -> Any:
    is_union = get_origin(hint) in (Union, UnionType)
    return next(part for part in get_args(hint) if part is not NoneType) if is_union else hint


def described(kind: type) -> tuple[str, dict[str, str]]:
    """What a docstring says of its class, and of each attribute."""
    about, _, listed = (inspect.getdoc(kind) or "").partition("\n\nAttributes:\n")
    attributes: dict[str, str] = {}
    for names, words in re.findall(r"^    (\w+(?:, \w+)*): (.+(?:\n     +.+)*)", listed, re.MULTILINE):
        attributes |= dict.fromkeys(names.split(", "), _sentence(words))
    return about.replace("None", "null"), attributes


def _sentence(words: str) -> str:
    joined = " ".join(words.split()).replace("None", "null")
    return joined[:1].upper() + joined[1:]

"""What the schema says of answers that are records: their keys, their types and the words of their docstrings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

import pytest
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ComponentRegistry

from annotations.models import Draft
from common.api.schema import RecordScheme
from qc4.records import Record

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}


class Corner(TypedDict):
    x: int


@dataclass(frozen=True, slots=True)
class Leaf(Record):
    """A leaf."""

    TITLE = "GreenLeaf"

    name: str


@dataclass(frozen=True, slots=True)
class Tree(Record):
    """A tree, or None.

    Attributes:
        height, age: how tall and how old it is,
            in metres and years.
        draft: what somebody thinks of it.
    """

    KEYS = (
        "height age? leaves first=leaf.name best=leaf?.name note|null kind range corner counts draft=draft?.name said"
    )

    height: int
    age: int | None
    leaves: tuple[Leaf, ...]
    leaf: Leaf
    note: str
    kind: Literal["oak", "ash"] | None
    range: tuple[float, float]
    corner: Corner
    counts: Mapping[str, int]
    draft: Draft | None

    @property
    def said(self) -> bool | None:
        """Whether it was said."""
        return None


@pytest.fixture
def schema() -> dict[str, Any]:
    auto = AutoSchema()
    auto.registry = ComponentRegistry()
    return RecordScheme(Tree).map_serializer(auto, "response")


def test_a_record_is_described_by_its_docstring(schema):
    assert schema["description"] == "A tree, or null."
    words = {name: found.get("description") for name, found in schema["properties"].items()}
    assert words["height"] == words["age"] == "How tall and how old it is, in metres and years."
    assert (words["draft"], words["said"], words["note"]) == (
        "What somebody thinks of it.",
        "Whether it was said.",
        None,
    )


def test_what_may_be_left_out_is_not_required(schema):
    assert set(schema["properties"]) - set(schema["required"]) == {"age"}


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        ("height", NUMBER),
        ("age", NUMBER),
        ("leaves", {"type": "array", "items": {"$ref": "#/components/schemas/GreenLeaf"}}),
        ("first", TEXT),
        ("best", {"type": ["string", "null"]}),
        ("note", {"type": ["string", "null"]}),
        ("kind", {"type": ["string", "null"], "enum": ["oak", "ash", None]}),
        ("range", {"type": "array", "items": {"type": "number", "format": "double"}, "minItems": 2, "maxItems": 2}),
        ("corner", {"type": "object", "properties": {"x": NUMBER}, "required": ["x"]}),
        ("counts", {"type": "object", "additionalProperties": NUMBER}),
        ("draft", {"type": ["string", "null"]}),
        ("said", {"type": ["boolean", "null"]}),
    ],
)
def test_every_kind_of_annotation_becomes_a_schema(schema, key, expected):
    found = {name: value for name, value in schema["properties"][key].items() if name != "description"}
    assert found == expected

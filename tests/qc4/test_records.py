"""How records become plain JSON values."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import Enum
from types import MappingProxyType
from typing import NamedTuple
from uuid import UUID

import numpy as np
import pytest

from qc4.records import Record, to_plain


class Colour(Enum):
    RED = "red"


class Place(NamedTuple):
    row: int
    column: int


@dataclass(frozen=True, slots=True)
class Leaf(Record):
    name: str
    sizes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Branch(Record):
    KEYS = "leaves kind=_kind first=leaf.name mark? note? total"
    leaf: Leaf
    mark: bool = False
    note: str | None = None
    hidden: str = "not named"

    @property
    def leaves(self) -> tuple[Leaf, ...]:
        return (self.leaf, self.leaf)

    @property
    def _kind(self) -> Colour:
        return Colour.RED

    def total(self) -> np.int64:
        return np.int64(sum(self.leaf.sizes))


def test_record_without_keys_has_every_field_in_order():
    assert list(Leaf("a", (1, 2)).to_dict().items()) == [("name", "a"), ("sizes", [1, 2])]


def test_declared_keys_rename_compute_and_omit():
    leaf = {"name": "a", "sizes": [1, 2]}
    found = Branch(Leaf("a", (1, 2))).to_dict()
    assert list(found.items()) == [("leaves", [leaf, leaf]), ("kind", "red"), ("first", "a"), ("total", 3)]
    marked = Branch(Leaf("a", ()), mark=True, note="").to_dict()
    assert list(marked) == ["leaves", "kind", "first", "mark", "note", "total"]


@dataclass(frozen=True, slots=True)
class Bud(Record):
    KEYS = "leaf=leaf?.name sizes=leaf?.sizes note|null"
    leaf: Leaf | None
    note: str = ""


def test_a_path_may_end_at_none_and_an_empty_value_may_be_null():
    assert Bud(None).to_dict() == {"leaf": None, "sizes": None, "note": None}
    assert Bud(Leaf("", ()), "small").to_dict() == {"leaf": "", "sizes": [], "note": "small"}


class Stranger:
    KEYS = "name"
    name = "no dataclass"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ([Stranger()], [{"name": "no dataclass"}]),
        (datetime(2026, 1, 2, tzinfo=UTC), "2026-01-02T00:00:00+00:00"),
        (UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Place(1, 2), {"row": 1, "column": 2}),
        (MappingProxyType({"a": (Place(1, 2), None)}), {"a": [{"row": 1, "column": 2}, None]}),
        ((np.float64(0.5), np.bool_(True)), [0.5, True]),
        (np.arange(4).reshape(2, 2), [[0, 1], [2, 3]]),
        (Colour.RED, "red"),
    ],
)
def test_values_become_json_values(value, expected):
    assert json.dumps(to_plain(value)) == json.dumps(expected)


def test_a_class_may_extend_its_dict():
    @dataclass(frozen=True)
    class Twig(Record):
        length: int

        def to_dict(self):
            return super().to_dict() | {"unit": "cm"}

    assert to_plain([Twig(3)]) == [{"length": 3, "unit": "cm"}]


def test_value_without_json_equivalent_raises():
    with pytest.raises(TypeError, match="set has no JSON equivalent"):
        to_plain({"a": {1, 2}})


def test_plain_does_not_change_its_input():
    inner = {"a": [1]}
    to_plain({"inner": inner})["inner"]["a"].append(2)
    assert inner == {"a": [1]}

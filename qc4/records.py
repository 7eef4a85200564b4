"""Records: dataclasses that convert themselves to plain JSON values."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from operator import attrgetter
from types import MethodType
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

ATOMS = frozenset((bool, float, int, str, type(None)))


class Record:
    """Base class of dataclasses that are written as JSON. By default each field becomes a key, in order.

    To change this, a class sets ``KEYS``, which lists its keys in order, separated by spaces:

    - ``key``: a field, a property, or a method that can be called without arguments;
    - ``key=name``: the same under another key. The name may be a path (``levels=view.name``); ``version?.number`` is
      None
      if ``version`` is None;
    - ``key?`` or ``key?=name``: omitted if the value is None or False;
    - ``key|null`` or ``key=name|null``: None if the value is empty.

    Fields that are not listed are omitted. Classes that are not dataclasses may also have ``KEYS``, which `plain` uses.
    ``TITLE`` is the class's name in the API schema, if its own name says too little outside its module.
    """

    __slots__ = ()
    KEYS: ClassVar[str] = ""
    TITLE: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """Return a dict of plain Python values, ready for JSON."""
        found: dict[str, Any] = KEYED[type(self)](self)
        return found


def to_plain(value: Any) -> Any:
    """Convert a value to plain JSON values.

    Records, other dataclasses and named tuples become dicts, and tuples and arrays become lists. NumPy numbers and
    members of enumerations become Python values. Times and UUIDs become strings. Keys of mappings are unchanged.

    Raises:
        TypeError: the value has no JSON equivalent.
    """
    return CONVERTERS[type(value)](value)


def _convert_values(found: dict[Any, Any]) -> dict[Any, Any]:
    """Convert the values of a dict in place. Most are plain already, and there may be very many."""
    for key, value in found.items():
        if type(value) not in ATOMS:
            found[key] = to_plain(value)
    return found


def _converter(kind: type) -> Callable[[Any], Any]:
    """Return a function that converts values of a class to plain values."""
    if kind in ATOMS:
        return lambda value: value
    if issubclass(kind, Record):
        return kind.to_dict  # a class may override this
    if is_dataclass(kind) or hasattr(kind, "_fields") or hasattr(kind, "KEYS"):
        return KEYED[kind]
    if issubclass(kind, Mapping):
        return lambda value: _convert_values(dict(value))
    if issubclass(kind, tuple | list):
        return lambda value: [part if type(part) in ATOMS else to_plain(part) for part in value]
    if issubclass(kind, MethodType):
        return lambda value: to_plain(value())
    if issubclass(kind, Enum):
        return lambda value: to_plain(value.value)
    if issubclass(kind, datetime):
        return datetime.isoformat
    if issubclass(kind, UUID):
        return str
    if hasattr(kind, "tolist"):  # NumPy, without importing it
        return lambda value: value.tolist()
    raise TypeError(f"{kind.__name__} has no JSON equivalent")


def _record_converter(kind: type) -> Callable[[Any], dict[str, Any]]:
    """Return a function that converts a record of this class to a dict."""
    declared = record_entries(kind)
    keys = [entry.key for entry in declared]
    optional = [entry.key for entry in declared if entry.is_optional]
    nullable = [entry.key for entry in declared if entry.is_nullable]
    values = _reader([entry.path for entry in declared])

    def to_dict(record: Any) -> dict[str, Any]:
        found = _convert_values(dict(zip(keys, values(record), strict=True)))
        for key in nullable:
            found[key] = found[key] or None
        for key in optional:
            if found[key] is None or found[key] is False:
                del found[key]
        return found

    return to_dict


class Entry(NamedTuple):
    """A key of a record, the path of its value, and whether it may be omitted or is null if empty."""

    key: str
    path: str
    is_optional: bool = False
    is_nullable: bool = False


def record_entries(kind: Any) -> list[Entry]:
    """Return the entries that ``KEYS`` declares, or one for each field."""
    if keys := getattr(kind, "KEYS", ""):
        return [_entry(text) for text in keys.split()]
    names = kind._fields if hasattr(kind, "_fields") else [field.name for field in fields(kind)]
    return [Entry(name, name) for name in names]


def _entry(text: str) -> Entry:
    place, null, _ = text.partition("|null")
    key, _, path = place.partition("=")
    name = key.removesuffix("?")
    return Entry(name, path or name, name != key, bool(null))


def _reader(paths: list[str]) -> Callable[[Any], tuple[Any, ...]]:
    """Return a reader of the values at these paths, all at once if possible: there may be very many records."""
    if len(paths) > 1 and not any("?." in path for path in paths):
        return attrgetter(*paths)
    steps = [[attrgetter(step) for step in path.split("?.")] for path in paths]

    def read(record: Any) -> tuple[Any, ...]:
        return tuple(_follow_path(record, each) for each in steps)

    return read


def _follow_path(value: Any, steps: list[attrgetter[Any]]) -> Any:
    for step in steps:
        if value is not None:
            value = step(value)
    return value


class _CreatedOnDemand(dict[type, Callable[[Any], Any]]):
    """Functions by class, each created on first use."""

    def __init__(self, make: Callable[[type], Callable[[Any], Any]]) -> None:
        self._make = make

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        self[kind] = made = self._make(kind)
        return made


CONVERTERS, KEYED = _CreatedOnDemand(_converter), _CreatedOnDemand(_record_converter)


def to_json(value: object, indent: int | None = 2) -> str:
    """Return plain values as the text of a JSON file: non-ASCII characters as they are, no NaN or infinity, and a final
    newline.
    """
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent) + "\n"

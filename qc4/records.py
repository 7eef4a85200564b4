"""Records: dataclasses that know themselves as plain JSON values."""

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
    """Base of dataclasses that go into JSON: by default a key for each field, in the order of the fields.

    A class that wants it otherwise names its ``KEYS``, in order, with spaces between them:

    - ``key``: a field, a property, or a method that can be called without arguments;
    - ``key=name``: the same under another name, which may be a path (``levels=view.name``); ``version?.number`` is None
      where ``version`` is;
    - ``key?`` or ``key?=name``: left out where the value is None or False;
    - ``key|null`` or ``key=name|null``: None where the value is empty.

    A field that is not named is left out. What is no dataclass may have ``KEYS``, too: `plain` reads them. ``TITLE`` is
    what a description calls the class, where its name says too little outside its module.
    """

    __slots__ = ()
    KEYS: ClassVar[str] = ""
    TITLE: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: plain Python values all the way down."""
        found: dict[str, Any] = KEYED[type(self)](self)
        return found


def plain(value: Any) -> Any:
    """A value as JSON has it.

    Records, other dataclasses and named tuples become dicts; tuples and arrays lists; numbers of numpy and members of
    enumerations the Python values they stand for; times and UUIDs texts. The keys of mappings stay as they are.

    Raises:
        TypeError: nothing in JSON stands for the value.
    """
    return WAYS[type(value)](value)


def _settled(found: dict[Any, Any]) -> dict[Any, Any]:
    """The same dict with plain values. Most are plain already, and there may be very many."""
    for key, value in found.items():
        if type(value) not in ATOMS:
            found[key] = plain(value)
    return found


def _way(kind: type) -> Callable[[Any], Any]:
    """How values of a class become plain."""
    if kind in ATOMS:
        return lambda value: value
    if issubclass(kind, Record):
        return kind.to_dict  # which a class may have of its own
    if is_dataclass(kind) or hasattr(kind, "_fields") or hasattr(kind, "KEYS"):
        return KEYED[kind]
    if issubclass(kind, Mapping):
        return lambda value: _settled(dict(value))
    if issubclass(kind, tuple | list):
        return lambda value: [part if type(part) in ATOMS else plain(part) for part in value]
    if issubclass(kind, MethodType):
        return lambda value: plain(value())
    if issubclass(kind, Enum):
        return lambda value: plain(value.value)
    if issubclass(kind, datetime):
        return datetime.isoformat
    if issubclass(kind, UUID):
        return str
    if hasattr(kind, "tolist"):  # numpy, which need not be loaded for this
        return lambda value: value.tolist()
    raise TypeError(f"nothing in JSON stands for {kind.__name__}")


def _keyed(kind: type) -> Callable[[Any], dict[str, Any]]:
    """A function that makes a dict of a record of this class."""
    declared = entries(kind)
    keys = [entry.key for entry in declared]
    optional = [entry.key for entry in declared if entry.is_optional]
    nullable = [entry.key for entry in declared if entry.is_nullable]
    values = _reader([entry.path for entry in declared])

    def to_dict(record: Any) -> dict[str, Any]:
        found = _settled(dict(zip(keys, values(record), strict=True)))
        for key in nullable:
            found[key] = found[key] or None
        for key in optional:
            if found[key] is None or found[key] is False:
                del found[key]
        return found

    return to_dict


class Entry(NamedTuple):
    """A key of a record and where its value is found; whether it may be left out, and is null where it is empty."""

    key: str
    path: str
    is_optional: bool = False
    is_nullable: bool = False


def entries(kind: Any) -> list[Entry]:
    """What ``KEYS`` say, or the names of the fields."""
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
    """Reads the values at these paths, all at once where no path may end early: there may be very many records."""
    if len(paths) > 1 and not any("?." in path for path in paths):
        return attrgetter(*paths)
    steps = [[attrgetter(step) for step in path.split("?.")] for path in paths]

    def read(record: Any) -> tuple[Any, ...]:
        return tuple(_followed(record, each) for each in steps)

    return read


def _followed(value: Any, steps: list[attrgetter[Any]]) -> Any:
    for step in steps:
        if value is not None:
            value = step(value)
    return value


class _Once(dict[type, Callable[[Any], Any]]):
    """Functions for classes, each made when its class first comes up."""

    def __init__(self, make: Callable[[type], Callable[[Any], Any]]) -> None:
        self._make = make

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        self[kind] = made = self._make(kind)
        return made


WAYS, KEYED = _Once(_way), _Once(_keyed)


def as_json(value: object, indent: int | None = 2) -> str:
    """Plain values as the text of a file: names as they are written, no number that JSON has not, a line end."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, indent=indent) + "\n"

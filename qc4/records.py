"""Records: dataclasses that know themselves as plain JSON values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from operator import attrgetter
from types import MethodType
from typing import Any, ClassVar

ATOMS = frozenset((bool, float, int, str, type(None)))


class Record:
    """Base of dataclasses that go into JSON: by default a key for each field, in the order of the fields.

    A class that wants it otherwise names its ``KEYS``, in order, with spaces between them:

    - ``key``: a field, a property, or a method that can be called without arguments;
    - ``key=name``: the same under another name, which may be a path (``levels=view.name``);
    - ``key?`` or ``key?=name``: left out where the value is None or False.

    A field that is not named is left out.
    """

    __slots__ = ()
    KEYS: ClassVar[str] = ""

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready: plain Python values all the way down."""
        found: dict[str, Any] = KEYED[type(self)](self)
        return found


def plain(value: Any) -> Any:
    """A value as JSON has it.

    Records, other dataclasses and named tuples become dicts; tuples and arrays lists; numbers of numpy and members of
    enumerations the Python values they stand for. The keys of mappings stay as they are.

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
    if is_dataclass(kind) or hasattr(kind, "_fields"):
        return KEYED[kind]
    if issubclass(kind, Mapping):
        return lambda value: _settled(dict(value))
    if issubclass(kind, tuple | list):
        return lambda value: [part if type(part) in ATOMS else plain(part) for part in value]
    if issubclass(kind, MethodType):
        return lambda value: plain(value())
    if issubclass(kind, Enum):
        return lambda value: plain(value.value)
    if hasattr(kind, "tolist"):  # numpy, which need not be loaded for this
        return lambda value: value.tolist()
    raise TypeError(f"nothing in JSON stands for {kind.__name__}")


def _keyed(kind: type) -> Callable[[Any], dict[str, Any]]:
    """A function that makes a dict of a record of this class."""
    entries = [entry.partition("=") for entry in _declared(kind)]
    keys = [key.removesuffix("?") for key, _, _ in entries]
    optional = [key.removesuffix("?") for key, _, _ in entries if key.endswith("?")]
    read = attrgetter(*(name or key.removesuffix("?") for key, _, name in entries))
    values = read if len(keys) > 1 else lambda record: (read(record),)

    def to_dict(record: Any) -> dict[str, Any]:
        found = _settled(dict(zip(keys, values(record), strict=True)))
        for key in optional:
            if found[key] is None or found[key] is False:
                del found[key]
        return found

    return to_dict


def _declared(kind: Any) -> Sequence[str]:
    """The entries of ``KEYS``, or the names of the fields."""
    if keys := getattr(kind, "KEYS", ""):
        return keys.split()
    return kind._fields if hasattr(kind, "_fields") else [field.name for field in fields(kind)]


class _Once(dict[type, Callable[[Any], Any]]):
    """Functions for classes, each made when its class first comes up."""

    def __init__(self, make: Callable[[type], Callable[[Any], Any]]) -> None:
        self._make = make

    def __missing__(self, kind: type) -> Callable[[Any], Any]:
        self[kind] = made = self._make(kind)
        return made


WAYS, KEYED = _Once(_way), _Once(_keyed)

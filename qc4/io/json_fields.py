"""Typed access to the fields of a parsed JSON object. Invalid fields are reported with their paths."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from qc4.io.kinds import EXAMPLE
from qc4.io.limits import Limits
from qc4.io.strict_json import same_fields
from qc4.problems import ProblemList
from qc4.wording import quoted


def describe(value: Any) -> str:
    """Describe a value for a message."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return f"the text {quoted(value)}"
    if isinstance(value, int | float):
        return f"the number {value}"
    if isinstance(value, Mapping):
        return "an object"
    return "a list"


class Columns(NamedTuple):
    """Objects field by field.

    Attributes:
        fields: (objects,) the values of each field that some object has; None if missing or null.
        others: (objects,) the fields that were not requested; None if no object has any.
    """

    fields: dict[str, list[Any]]
    others: list[dict[str, Any]] | None


class Record:
    """One JSON object being read. If a field is invalid, every method reports a problem and returns a neutral value."""

    def __init__(self, value: Any, path: str, problems: ProblemList, limits: Limits) -> None:
        self.path = path
        self.problems = problems
        self.limits = limits
        self._fields: Mapping[str, Any] = {}
        if isinstance(value, Mapping):
            self._fields = value
        else:
            self._refuse("wrong-type", path, value, "an object")

    def __contains__(self, key: str) -> bool:
        return key in self._fields

    def at(self, key: str) -> str:
        """Return the path of a field."""
        return f"{self.path}.{key}" if self.path else key

    def raw(self, key: str) -> Any:
        return self._fields.get(key)

    def id(self, key: str = "id") -> str:
        """Return a required id: text that is not blank and not longer than the limit."""
        value = self.text(key)
        if key in self._fields and isinstance(self._fields[key], str):
            if not value.strip():
                self._refuse("empty-id", self.at(key), value, "an id that is not blank")
            self.limits.exceeded("id_chars", len(value), self.at(key), self.problems)
        return value

    def text(self, key: str) -> str:
        """Return required text."""
        if key not in self._fields:
            self.problems.error("missing-field", self.at(key), "nothing", "text", f"Add the field {key!r}.")
            return ""
        value = self._fields[key]
        if isinstance(value, str):
            return value
        fix = "Put it in quotes." if isinstance(value, int | float) and not isinstance(value, bool) else ""
        self._refuse("wrong-type", self.at(key), value, "text", fix)
        return ""

    def optional_text(self, key: str) -> str | None:
        """Return text, or None if the field is missing or null."""
        return None if self._fields.get(key) is None else self.text(key)

    def optional_id(self, key: str) -> str | None:
        return None if self._fields.get(key) is None else self.id(key)

    def optional_integer(self, key: str, low: int = 1, high: int = 2**31 - 1) -> int | None:
        """Return an integer in ``low..high``, or None if the field is missing or null."""
        value = self._fields.get(key)
        if value is None:
            return None
        if isinstance(value, bool) or not isinstance(value, int):
            self._refuse("wrong-type", self.at(key), value, "a whole number or null")
            return None
        if not low <= value <= high:
            self._refuse("out-of-range", self.at(key), value, f"a whole number from {low} to {high:,}")
            return None
        return value

    def ids(self, key: str, *, required: bool = False) -> tuple[str, ...]:
        """Return a list of ids. A missing list is empty unless it is required."""
        values = self._list(key, required=required)
        if set(map(type, values)) <= {str}:  # the usual case, and most of a file
            return tuple(values)
        for index, value in enumerate(values):
            if self.problems.full:
                break
            if not isinstance(value, str):
                fix = "Put it in quotes." if isinstance(value, int) else ""
                self._refuse("wrong-type", f"{self.at(key)}[{index}]", value, "an id (text)", fix)
        return tuple(value for value in values if isinstance(value, str))

    def records(self, key: str, *, required: bool = True) -> Iterator[Record]:
        """Yield the objects of a list."""
        for index, value in enumerate(self._list(key, required=required)):
            if self.problems.full:
                return
            record = Record(value, f"{self.at(key)}[{index}]", self.problems, self.limits)
            if isinstance(value, Mapping):
                yield record

    def columns(self, key: str, names: Sequence[str], read: Callable[[Record], object]) -> Columns | None:
        """Return the objects of a list field by field, or None if the list is empty or anything in it is invalid.

        Args:
            key: field of the list.
            names: the fields to read.
            read: reads one object: each of these fields by one of the methods for texts, ids and integers.
        """
        values = self._list(key, required=False)
        if set(map(type, values)) != {dict}:
            return None
        columns = same_fields(values)
        fields = set(columns or chain.from_iterable(values))
        if columns is None:
            columns = {name: [value.get(name) for value in values] for name in names if name in fields}
        columns = {name: column for name, column in columns.items() if name in names}
        problems = ProblemList()
        chosen = {name: representatives(column) for name, column in columns.items()}
        for number in range(max(map(len, chosen.values()), default=1)):
            sample = {name: some[number % len(some)] for name, some in chosen.items()}
            read(Record(sample, "", problems, self.limits))
        if len(problems):
            return None
        if fields <= set(names):
            return Columns(columns, None)
        return Columns(columns, [Record(value, "", problems, self.limits).unknown(*names) for value in values])

    def mapping(self, key: str) -> dict[str, Any]:
        """Return an object with any contents, or an empty one if it is missing or null."""
        value = self._fields.get(key)
        if value is None:
            return {}
        if isinstance(value, Mapping):
            return dict(value)
        self._refuse("wrong-type", self.at(key), value, "an object")
        return {}

    def unknown(self, *known: str) -> dict[str, Any]:
        """Return the fields that this reader does not know, unchanged."""
        return {key: value for key, value in self._fields.items() if key not in known}

    def _list(self, key: str, *, required: bool) -> list[Any]:
        if key not in self._fields:
            if required:
                self.problems.error("missing-field", self.at(key), "nothing", "a list", f"Add the field {key!r}.")
            return []
        value = self._fields[key]
        if isinstance(value, list | tuple):
            return list(value)
        self._refuse("wrong-type", self.at(key), value, "a list")
        return []

    def _refuse(self, code: str, where: str, value: Any, expected: str, fix: str = "") -> None:
        self.problems.error(code, where, describe(value), expected, fix)


def representatives(column: Sequence[Any]) -> list[Any]:
    """Return values that represent a whole column: if `Record` accepts these as text, id, ids or integer, it accepts
    all.

    They include one value of each type, the longest text and a blank one, the smallest and largest integer, and a list
    with an item of each type.
    """
    kinds = set(map(type, column))
    found: list[Any] = []
    for kind in kinds:
        values: Sequence[Any] = column if len(kinds) == 1 else [value for value in column if type(value) is kind]
        if kind is str:
            found.append(max(values, key=len))
            found += [] if all(map(str.strip, values)) else [next(value for value in values if not value.strip())]
        elif kind is int:
            found += [min(values), max(values)]
        elif kind is list:
            found.append(_one_of_each(values))
        else:
            found.append(values[0])
    return found


def _one_of_each(lists: Sequence[Sequence[Any]]) -> list[Any]:
    """Return an item of each type. Joining shows faster than a loop that all items are texts."""
    try:
        deque(map("".join, lists), maxlen=0)
    except TypeError:
        types = set(map(type, chain.from_iterable(lists)))
        return [next(item for item in chain.from_iterable(lists) if type(item) is each) for each in types]
    return next((list(items[:1]) for items in lists if items), [])


# --- JSON with clusters in another format: a description, and Python code that converts it ---

_LOOKED_AT = 20
_OBJECT = '{"format": "qc4-clustering/1", "query": "jaguar", "clusters": clusters}'
_FROM_DICT = '[{"id": name, "label": name, "pages": pages} for name, pages in found.items()]'
_FROM_LISTS = '[{"id": str(n), "pages": pages} for n, pages in enumerate(found)]'
_FROM_LABELS = (
    '[{"id": str(label), "pages": [p for p in found if found[p] == label]} '
    "for label in set(found.values()) if label not in (-1, None)]"
)
_IN_ORDER = "With the ids of the pages in their order, found = dict(zip(pages, labels)). "


def describe_clusters(value: Any) -> tuple[str, str] | None:
    """Return what a JSON value seems to be, and how to convert it to ``qc4-clustering/1``, or None if it is unclear."""
    if isinstance(value, Mapping) and value:
        return _describe_object(list(value.values())[:_LOOKED_AT])
    if isinstance(value, list) and value:
        return _describe_list(value[:_LOOKED_AT])
    return None


def describe_format(value: Any) -> str:
    """Describe what was found instead of an object's ``format``."""
    named = value.get("format") if isinstance(value, Mapping) else None
    shape = describe_clusters(value) if named is None else None
    return shape[0] if shape else describe(named)


def _describe_object(values: Sequence[Any]) -> tuple[str, str] | None:
    if all(map(_is_pages, values)):
        return "an object with a list of pages under each name: clusters as a dict", _conversion_code(_FROM_DICT)
    if all(map(_is_label, values)):
        return "an object with a label under each name: pages as a dict", _conversion_code(_FROM_LABELS)
    if all(isinstance(each, Mapping) and each and all(map(_is_pages, each.values())) for each in values):
        each = "one such line for each query makes JSON Lines"
        return "an object of objects: clusters as a dict, for each query", f"{_conversion_code(_FROM_DICT)}; {each}."
    return None


def _describe_list(values: Sequence[Any]) -> tuple[str, str] | None:
    if all(map(_is_pages, values)):
        return "a list of lists: the pages of each cluster", _conversion_code(_FROM_LISTS)
    if all(map(_is_label, values)):
        return "a list of labels, one for each page", _IN_ORDER + _conversion_code(_FROM_LABELS)
    return None


def _conversion_code(clusters: str) -> str:
    return f"In Python: clusters = {clusters}; json.dump({_OBJECT}, file). A whole file: {EXAMPLE}"


def _is_pages(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(page, str | int) for page in value)


def _is_label(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)

"""Strict JSON: repeated keys, NaN, deep nesting, lone surrogates and huge integers are rejected with their paths."""

from __future__ import annotations

import io
import json
import math
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import accumulate, chain, islice
from operator import itemgetter, methodcaller
from types import NoneType
from typing import Any

from qc4.io.limits import Budget, FileProblems, Limits
from qc4.io.source import decode
from qc4.problems import MAX_ERRORS, InputError, Problem
from qc4.wording import quoted

_SMALL = 2**63
"""If all integers are smaller than this, they need no individual check."""
_MAX_DIGITS = 100
_MAX_BITS = 330
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_CODED_COLONS = ("\\u003a", "\\u003A")
_MANY_ITEMS = 200
"""Lists with this number of items or more are checked one by one."""
_MANY_OBJECTS = 10
"""From this number on, objects with the same fields are checked field by field, which is faster."""


class _Repeated(dict[str, Any]):
    """An object in which a key is repeated."""

    repeated: tuple[str, ...] = ()


class _HugeInteger(str):
    """The digits of an integer that is too large to be intended."""


def parse_json(data: bytes, name: str, budget: Budget) -> Any:
    """Parse one JSON file.

    Raises:
        InputError: not UTF-8, not JSON (with line and column), or with values that `check_value` rejects.
    """
    return parse_json_text(decode(data, name), name, budget)


def parse_json_text(text: str, name: str, budget: Budget, line: int | None = None) -> Any:
    """Parse JSON text; ``line`` is its line in the file, for JSON Lines.

    Raises:
        InputError: as in `parse_json`.
    """
    value, problems = load_json(text, name, budget, line)
    if problems:
        raise InputError(problems)
    return value


def load_json(text: str, name: str, budget: Budget, line: int | None = None) -> tuple[Any, tuple[Problem, ...]]:
    """Return the value of a JSON text and the problems that `check_value` finds, for readers that report them later.

    Raises:
        InputError: the text is not JSON, or has more values than the budget allows.
    """
    where, limits = name if line is None else f"{name}: line {line}", budget.limits
    budget.charge("json_values", estimated_values(text), where)
    value: Any = None
    check: _Check | None = None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        pass  # parsed again below, which reports the place
    else:
        check = _Check(value, limits, text)
    if check is None or check.refused or check.may_repeat_a_key(text):
        value = check = None  # freed before the text is parsed again
        value = _parse_in_detail(text, name, where, limits, line)
        check = _Check(value, limits)
    problems = check.problems(where)
    if _may_hold_longer(text, limits.value_chars):
        limits.exceeded("value_chars", check.longest, where, problems)
    return value, _errors(problems)


def value_problems(value: Any, name: str, limits: Limits) -> tuple[Problem, ...]:
    """Return the problems that `check_value` finds, for readers that report them later."""
    return _errors(_Check(value, limits).problems(name))


def check_value(value: Any, name: str, limits: Limits) -> None:
    """Reject values that cannot be stored and written back as the same JSON.

    Raises:
        InputError: every such value, by its path.
    """
    _Check(value, limits).problems(name).refuse_errors()


def estimated_values(text: str) -> int:
    """Return an upper bound for the number of values in a JSON text: its brackets and commas, including those in
    strings.
    """
    return sum(map(text.count, "[{,"))


def _may_hold_longer(text: str, chars: int) -> bool:
    """Return False if no string of a JSON text has more than this number of characters.

    A longer string covers a position that is a multiple of ``chars``, so its quotes are at least that far apart.
    """
    places = range(chars, len(text), chars)
    return bool(places) and (
        "\\" in text or any(text.find('"', place) - text.rfind('"', 0, place) > chars for place in places)
    )


def _errors(problems: FileProblems) -> tuple[Problem, ...]:
    try:
        problems.refuse_errors()
    except InputError as error:
        return error.problems
    return ()


# --- Checking values -------------------------------------------------------------------------------------------------

Place = tuple[tuple[int, str], ...]
"""The path of a value: for each enclosing object and list, the number of the field or item and its part of the path."""
Namer = Callable[[int], Place]
"""Returns the path of the value at an index. Called only for rejected values."""


class _Check:
    """The check of every value of a document.

    Values at the same depth are checked together, by type and if possible field by field. Usually all of them are
    valid,
    which a few calls show. Only if one is not, each is checked individually, and the paths of bad ones are reported.

    Attributes:
        refused: paths, codes, what was found and what is expected; at most about `MAX_ERRORS`.
        texts: all strings that are values.
        keys: number of objects that have each key.
    """

    def __init__(self, value: Any, limits: Limits, text: str | None = None) -> None:
        """Check a value.

        Args:
            text: the JSON text it was parsed from. ASCII without a backslash cannot contain characters that cannot be
                stored.
        """
        self.refused: list[tuple[Place, str, str, str]] = []
        self.texts: list[Sequence[str]] = []
        self.keys: Counter[Any] = Counter()
        self._limits = limits
        self._has_only_storable_text = text is not None and text.isascii() and "\\" not in text
        try:
            self._values([value], lambda _: (), limits.json_depth)
        except RecursionError:
            self.refused.append(((), *_too_deep(limits)))

    def problems(self, name: str) -> FileProblems:
        """Return the problems in the order of the document."""
        problems = FileProblems()
        for place, code, found, expected in sorted(self.refused, key=lambda one: [number for number, _ in one[0]]):
            path = "".join(part for _, part in place).removeprefix(".")
            if code == _TOO_DEEP and len(path) > 120:
                path = path[:120] + "…"
            problems.error(code, f"{name}: {path}" if path else name, found, expected)
        return problems

    def may_repeat_a_key(self, text: str) -> bool:
        """Return True if an object of the text may repeat a key.

        A parsed object keeps only one of two fields with the same key, so it accounts for fewer colons than the text
        has.
        """
        colons = text.count(":") - self.keys.total()
        if not colons:
            return False
        in_texts = sum("".join(texts).count(":") for texts in self.texts)
        in_keys = sum(key.count(":") * count for key, count in self.keys.items())
        return colons != in_texts + in_keys or any(coded in text for coded in _CODED_COLONS)

    @property
    def longest(self) -> int:
        """Number of characters of the longest string or key."""
        return max(map(len, chain(self.keys, *self.texts)), default=0)

    def _values(self, values: Sequence[Any], name: Namer, depth: int) -> None:
        """Check values at the same depth, below which ``depth`` more levels of nesting are allowed."""
        kinds = {each: _kind(each) for each in set(map(type, values))}
        several = len(set(kinds.values())) > 1
        for kind in set(kinds.values()):
            some, name_some = values, name
            if several:
                some, name_some = _of_kind(values, {each for each in kinds if kinds[each] is kind}, name)
            if kind not in (dict, list):
                self._scalars(kind, some, name_some)
            elif not depth:
                self._record_faults(some, name_some, lambda _: _too_deep(self._limits))
            elif kind is dict:
                self._objects(some, name_some, depth)
            else:
                self._lists(some, name_some, depth)

    def _lists(self, lists: Sequence[Sequence[Any]], name: Namer, depth: int) -> None:
        """Check lists: long ones one by one, because their items are usually alike, and the others together."""
        short = []
        for number, items in enumerate(lists):
            if len(items) < _MANY_ITEMS:
                short.append(number)
            else:
                self._values(items, _names_in_list(number, name), depth - 1)
        containers = [lists[number] for number in short]
        if items := list(chain.from_iterable(containers)):
            self._values(items, _names_inside(containers, lambda index: name(short[index]), _item_step), depth - 1)

    def _objects(self, objects: Sequence[Mapping[Any, Any]], name: Namer, depth: int) -> None:
        types = set(map(type, objects))
        columns = same_fields(objects) if len(objects) >= _MANY_OBJECTS else None
        if columns is None:
            keys = Counter(chain.from_iterable(objects))
        else:
            keys = Counter(dict.fromkeys(columns, len(objects)))
        self.keys.update(keys)
        if _Repeated in types or not _are_storable_keys(keys):
            every = ((number, fault) for number, item in enumerate(objects) for fault in _key_faults(item))
            faults = list(islice(every, MAX_ERRORS))
            self._record_faults(faults, lambda index: name(faults[index][0]), lambda found: found[1])
        if columns is not None:
            for key, values in columns.items():
                self._values(values, _names_in_column(objects, name, key), depth - 1)
        else:
            values_of: Callable[[Any], Iterable[Any]] = dict.values if types == {dict} else methodcaller("values")
            if values := list(chain.from_iterable(map(values_of, objects))):
                self._values(values, _names_inside(objects, name, _field_step), depth - 1)

    def _scalars(self, kind: type, values: Sequence[Any], name: Namer) -> None:
        if kind is str:
            self.texts.append(values)
            sound = self._has_only_storable_text or _is_storable("".join(values))
        elif kind is int:
            sound = min(values) > -_SMALL and max(values) < _SMALL
        elif kind is float:
            sound = all(map(math.isfinite, values))
        else:
            sound = kind in (bool, NoneType)
        if not sound:
            self._record_faults(values, name, _fault)

    def _record_faults(
        self, values: Iterable[Any], name: Namer, fault: Callable[[Any], tuple[str, str, str] | None]
    ) -> None:
        """Record the invalid values. Stop once there are more than anyone corrects by hand."""
        for index, value in enumerate(values):
            if len(self.refused) >= MAX_ERRORS:
                break
            if found := fault(value):
                self.refused.append((name(index), *found))


@lru_cache(maxsize=256)
def _kind(cls: type) -> type:
    """Return the JSON type as which a class of values is written, or ``object`` if it cannot be written."""
    if cls is _HugeInteger:
        return object
    for kind in (bool, str, int, float, NoneType):
        if issubclass(cls, kind):
            return kind
    if issubclass(cls, Mapping):
        return dict
    return list if issubclass(cls, list | tuple) else object


def _fault(value: Any) -> tuple[str, str, str] | None:
    """Return what is wrong with a value that is not an object or list: code, what was found, what is expected."""
    if isinstance(value, _HugeInteger):
        return "huge-integer", f"an integer of {len(value):,} digits", f"at most {_MAX_DIGITS} digits"
    if isinstance(value, str):
        bad = _UNSTORABLE.search(value)
        return ("bad-character", f"the character U+{ord(bad[0]):04X}", "text without it") if bad else None
    if isinstance(value, float) and not math.isfinite(value):
        return "not-finite", str(value), "a finite number"
    if isinstance(value, int) and value.bit_length() > _MAX_BITS:
        return "huge-integer", f"an integer of more than {_MAX_DIGITS} digits", f"at most {_MAX_DIGITS} digits"
    if isinstance(value, int | float):
        return None
    return "wrong-type", f"a {type(value).__name__}", "a JSON value"


def _key_faults(item: Mapping[Any, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield what is wrong with the keys of an object, as in `_fault`."""
    if isinstance(item, _Repeated):
        for key in item.repeated:
            yield "duplicate-key", f"the key {quoted(key)} more than once", "each key once per object"
    for key in item:
        if not isinstance(key, str):
            yield "wrong-type", f"the key {key!r}", "keys that are strings"
        elif _UNSTORABLE.search(key):
            yield "bad-character", f"the key {quoted(key)}", "keys of ordinary characters"


_TOO_DEEP = "limit-json-depth"


def _too_deep(limits: Limits) -> tuple[str, str, str]:
    expected = f"at most {limits.json_depth} levels (limit 'json_depth')"
    return _TOO_DEEP, "objects and lists that are nested too deeply", expected


def _are_storable_keys(keys: Iterable[Any]) -> bool:
    try:
        return _is_storable("".join(keys))
    except TypeError:  # a key that is not a string
        return False


def _is_storable(text: str) -> bool:
    return "\0" not in text if text.isascii() else _UNSTORABLE.search(text) is None


def same_fields(objects: Sequence[Mapping[Any, Any]]) -> dict[Any, list[Any]] | None:
    """Return objects with the same fields, field by field, or None if their fields differ or there are none."""
    if len(set(map(len, objects))) != 1:
        return None
    try:
        return {name: list(map(itemgetter(name), objects)) for name in objects[0]}
    except KeyError:
        return None


def _of_kind(values: Sequence[Any], types: set[type], name: Namer) -> tuple[list[Any], Namer]:
    """Return the values of some types, and a function that names their places."""
    numbers: list[int] = []

    def name_one(index: int) -> Place:
        if not numbers:
            numbers.extend(number for number, value in enumerate(values) if type(value) in types)
        return name(numbers[index])

    if len(types) > 1:
        return [value for value in values if type(value) in types], name_one
    (one,) = types  # the usual case
    return [value for value in values if type(value) is one], name_one


def _names_in_list(number: int, name: Namer) -> Namer:
    """Return a namer for the items of a list."""
    return lambda index: (*name(number), _item_step(None, index))


def _names_in_column(objects: Sequence[Mapping[Any, Any]], name: Namer, key: Any) -> Namer:
    """Return a namer for a field of objects."""
    return lambda index: (*name(index), (list(objects[index]).index(key), f".{key}"))


def _names_inside(containers: Sequence[Any], name: Namer, step: Callable[[Any, int], tuple[int, str]]) -> Namer:
    """Return a namer for all values in objects or lists, one after the other."""
    ends: list[int] = []

    def name_one(index: int) -> Place:
        if not ends:
            ends.extend(accumulate(map(len, containers)))
        number = bisect_right(ends, index)
        start = ends[number - 1] if number else 0
        return (*name(number), step(containers[number], index - start))

    return name_one


def _item_step(_: Any, number: int) -> tuple[int, str]:
    return number, f"[{number}]"


def _field_step(item: Mapping[Any, Any], number: int) -> tuple[int, str]:
    return number, f".{next(islice(item, number, None))}"


# --- Parsing ----------------------------------------------------------------------------------------------------------


def _parse_in_detail(text: str, name: str, where: str, limits: Limits, line: int | None) -> Any:
    """Parse a text slowly, in a way that detects repeated keys and the digits of huge integers."""
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=_integer)
    except json.JSONDecodeError as error:
        place = f"{name}: line {line or error.lineno}, column {error.colno}"
        raise InputError([Problem("not-json", place, _reason(text, error), "valid JSON")]) from None
    except RecursionError:
        code, found, expected = _too_deep(limits)
        raise InputError([Problem(code, where, found, expected)]) from None


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    seen: set[str] = set()
    repeated = _Repeated(values)
    repeated.repeated = tuple(dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]  # add() returns None
    return repeated


def _integer(digits: str) -> int | _HugeInteger:
    return int(digits) if len(digits) <= _MAX_DIGITS else _HugeInteger(digits)


def _reason(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos : error.pos + 20]
    # Some of Python's messages end with "at", before the place: "Unterminated string starting at".
    message = error.msg.lower().removesuffix(" at")
    return f"{message} at {quoted(rest)}" if rest else f"the end of the file ({message})"


# --- Writing ----------------------------------------------------------------------------------------------------------

PIECES_PER_WRITE = 10_000
"""Number of pieces of JSON that are joined together."""


def canonical_json(value: Any) -> bytes:
    """Write canonical JSON: UTF-8, one space of indent, keys in the given order, LF, a final newline, no NaN."""
    pieces = json.JSONEncoder(ensure_ascii=False, indent=1, allow_nan=False).iterencode(value)
    written = io.BytesIO()
    # A file of 500,000 ids has as many pieces, which take five times the memory of their text.
    while some := "".join(islice(pieces, PIECES_PER_WRITE)):
        written.write(some.encode())
    written.write(b"\n")
    return written.getvalue()


def with_extra(known: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of a format in its order, then unknown fields, sorted. The format's own fields win."""
    return known | {key: sorted_keys(extra[key]) for key in sorted(extra) if key not in known}


def sorted_keys(value: Any) -> Any:
    """Sort the keys of every object by code point, for objects whose order the format does not define."""
    if isinstance(value, Mapping):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [sorted_keys(item) for item in value]
    return value

"""JSON without its traps: repeated keys, NaN, endless nesting, lone surrogates, huge integers are refused by path."""

from __future__ import annotations

import io
import json
import math
from collections.abc import Iterator, Mapping
from itertools import chain, islice
from typing import Any, Literal

from qc4.formats.budget import Budget
from qc4.formats.collecting import FileProblems
from qc4.formats.limits import Limits
from qc4.formats.plain_json import SMALL, UNSTORABLE, is_plain, is_plain_as_written
from qc4.formats.text import decode
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.wording import quoted

_MAX_DIGITS = 100
_END = (None, None)
_ESCAPED_QUOTES = 100
"""Escaped quotes that are passed over in search of the end of a string; more are seldom."""


class _Repeated(dict[str, Any]):
    """An object of the file in which a key appears more than once."""

    repeated: tuple[str, ...] = ()


class _HugeInteger(str):
    """The digits of an integer nobody can mean."""


def parse_json(data: bytes, name: str, budget: Budget) -> Any:
    """Parse one JSON file.

    Raises:
        InputError: not UTF-8, not JSON (with line and column), or holding what `check_value` refuses.
    """
    return parse_json_text(decode(data, name), name, budget)


def parse_json_text(text: str, name: str, budget: Budget, line: int | None = None) -> Any:
    """Parse JSON text; ``line`` is the line of the file it stands on, for JSON Lines."""
    where = _charge(text, name, budget, line)
    try:
        value = json.loads(text)
        if is_plain_as_written(value, text, budget.limits.json_depth):  # nearly always
            _refuse_long_texts(value, text, where, budget)
            return value
    except InputError:
        raise
    except (ValueError, RecursionError):
        pass  # told with its place below
    value = None  # gone before all of it is parsed again
    value = _load(text, name, where, budget.limits, line)
    check_value(value, where, budget.limits)
    _refuse_long_texts(value, text, where, budget)
    return value


def load_json(text: str, name: str, budget: Budget, line: int | None = None) -> Any:
    """`parse_json_text` without a look at the values: the caller adds `value_problems` to its own."""
    return _load(text, name, _charge(text, name, budget, line), budget.limits, line)


def n_values(text: str) -> int:
    """How many values a JSON text may hold: its brackets and commas, also those inside texts."""
    return sum(map(text.count, "[{,"))


def _charge(text: str, name: str, budget: Budget, line: int | None) -> str:
    """Where the text stands, once its values are charged."""
    where = name if line is None else f"{name}: line {line}"
    budget.charge("json_values", n_values(text), where)
    return where


def _load(text: str, name: str, where: str, limits: Limits, line: int | None) -> Any:
    try:
        return json.loads(text, object_pairs_hook=_object, parse_int=_integer)
    except json.JSONDecodeError as error:
        place = f"{name}: line {line or error.lineno}, column {error.colno}"
        raise InputError([Problem("not-json", place, _reason(text, error), "valid JSON")]) from None
    except RecursionError:
        raise InputError([_too_deep(where, limits)]) from None


def _refuse_long_texts(value: Any, text: str, where: str, budget: Budget) -> None:
    if not _may_hold_longer(text, budget.limits.value_chars):
        return
    waiting: list[Any] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            budget.refuse_long(item, where)
        elif isinstance(item, Mapping):
            waiting += chain(item, item.values())
        elif isinstance(item, list) and set(map(type, item)) == {str}:
            budget.refuse_long(max(item, key=len), where)
        elif isinstance(item, list):
            waiting += item


def _may_hold_longer(text: str, chars: int) -> bool:
    """Return False if no string of a JSON text has more than this number of characters.

    A longer one would cover a place that is a multiple of ``chars``, so that only the quotes around these places are
    looked for: a file of a million ids needs a few dozen look-ups.
    """
    for place in range(chars, len(text), chars):
        start, end = _quote(text, place, -1), _quote(text, place, 1)
        if start is None or end is None or end - start - 1 > chars:
            return True
    return False


def _quote(text: str, place: int, step: Literal[-1, 1]) -> int | None:
    """Return where the nearest quote is that starts or ends a string, before a place or from it on.

    None if more than `_ESCAPED_QUOTES` escaped ones come first; the ends of the text count as quotes.
    """
    for _ in range(_ESCAPED_QUOTES):
        place = text.find('"', place) if step > 0 else text.rfind('"', 0, place)
        if place < 0:
            return len(text) if step > 0 else -1
        before = text[max(place - _ESCAPED_QUOTES, 0) : place]
        if (len(before) - len(before.rstrip("\\"))) % 2 == 0:
            return place
        place += step > 0
    return None


def value_problems(value: Any, name: str, limits: Limits) -> tuple[Problem, ...]:
    """What `check_value` refuses, for a reader that goes on to report the rest as well."""
    try:
        check_value(value, name, limits)
    except InputError as error:
        return error.problems
    return ()


def check_value(value: Any, name: str, limits: Limits) -> None:
    """Refuse values that cannot be stored and written back as the same JSON.

    Raises:
        InputError: every such value, by its path.
    """
    if is_plain(value, limits.json_depth):
        return
    problems = FileProblems()
    # A stack of iterators, not of values: memory grows with the depth of the value, not with its size.
    stack: list[Iterator[tuple[Any, str]]] = [iter([(value, "")])]
    while stack and not problems.full:
        item, path = next(stack[-1], _END)
        if path is None:
            stack.pop()
        elif not isinstance(item, Mapping | list | tuple):
            if complaint := _complaint(item):
                code, found, expected = complaint
                problems.error(code, f"{name}: {path}" if path else name, found, expected)
        elif len(stack) > limits.json_depth:
            problems.extend([_too_deep(f"{name}: {shorten_path(path)}", limits)])
        elif isinstance(item, Mapping):
            stack.append(_object_children(item, path, name, problems))
        else:
            stack.append(_items(item, path))
    problems.refuse_errors()


def shorten_path(path: str, width: int = 120) -> str:
    return path if len(path) <= width else path[:width] + "…"


def _items(values: list[Any] | tuple[Any, ...], path: str) -> Iterator[tuple[Any, str]]:
    """The items worth a look: clean scalars, the bulk of every file, are passed over."""
    return ((value, f"{path}[{index}]") for index, value in enumerate(values) if not _is_clean(value))


def _is_clean(value: Any) -> bool:
    kind = type(value)
    if kind is str:
        return UNSTORABLE.search(value) is None
    return kind is bool or value is None or (kind is int and -SMALL < value < SMALL)


def _object_children(item: Mapping[Any, Any], path: str, name: str, problems: ProblemList) -> Iterator[tuple[Any, str]]:
    where = f"{name}: {path}" if path else name
    if isinstance(item, _Repeated):
        for key in item.repeated:
            problems.error("duplicate-key", where, f"the key {quoted(key)} more than once", "each key once per object")
    for key, value in item.items():
        if not isinstance(key, str):
            problems.error("wrong-type", where, f"the key {key!r}", "keys that are strings")
        elif UNSTORABLE.search(key):
            problems.error("bad-character", where, f"the key {quoted(key)}", "keys of ordinary characters")
        elif not _is_clean(value):
            yield value, f"{path}.{key}" if path else key


def _complaint(item: Any) -> tuple[str, str, str] | None:
    if isinstance(item, _HugeInteger):
        return "huge-integer", f"an integer of {len(item):,} digits", f"at most {_MAX_DIGITS} digits"
    if isinstance(item, str):
        bad = UNSTORABLE.search(item)
        return ("bad-character", f"the character U+{ord(bad[0]):04X}", "text without it") if bad else None
    if isinstance(item, float) and not math.isfinite(item):
        return "not-finite", str(item), "a finite number"
    if isinstance(item, int) and item.bit_length() > 330:
        return "huge-integer", "an integer of more than 100 digits", f"at most {_MAX_DIGITS} digits"
    if item is None or isinstance(item, bool | int | float):
        return None
    return "wrong-type", f"a {type(item).__name__}", "a JSON value"


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    values = dict(pairs)
    if len(values) == len(pairs):
        return values
    seen: set[str] = set()
    repeated = _Repeated(values)
    repeated.repeated = tuple(dict.fromkeys(key for key, _ in pairs if key in seen or seen.add(key)))  # type: ignore[func-returns-value]  # None, on purpose
    return repeated


def _integer(digits: str) -> int | _HugeInteger:
    return int(digits) if len(digits) <= _MAX_DIGITS else _HugeInteger(digits)


def _reason(text: str, error: json.JSONDecodeError) -> str:
    rest = text[error.pos : error.pos + 20]
    # Some of Python's messages end with "at", to be followed by the place: "Unterminated string starting at".
    message = error.msg.lower().removesuffix(" at")
    return f"{message} at {quoted(rest)}" if rest else f"the end of the file ({message})"


def _too_deep(where: str, limits: Limits) -> Problem:
    return Problem(
        "limit-json-depth",
        where,
        "objects and lists nested too deeply",
        f"at most {limits.json_depth} inside each other (limit 'json_depth')",
    )


AT_ONCE = 10_000
"""Pieces of JSON joined together."""


def canonical_json(value: Any) -> bytes:
    """The one way we write JSON: UTF-8, one space of indent, keys as given, LF, a newline at the end, no NaN."""
    pieces = json.JSONEncoder(ensure_ascii=False, indent=1, allow_nan=False).iterencode(value)
    written = io.BytesIO()
    # A file of 500,000 ids is as many pieces, which together weigh five times what they say.
    while some := "".join(islice(pieces, AT_ONCE)):
        written.write(some.encode())
    written.write(b"\n")
    return written.getvalue()


def with_extra(known: dict[str, Any], extra: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a format in its order, then the fields it does not know, sorted; the format's own always win."""
    return known | {key: sorted_keys(extra[key]) for key in sorted(extra) if key not in known}


def sorted_keys(value: Any) -> Any:
    """The value with the keys of every object sorted by code point: the order of what we do not know the order of."""
    if isinstance(value, Mapping):
        return {key: sorted_keys(value[key]) for key in sorted(value)}
    if isinstance(value, list | tuple):
        return [sorted_keys(item) for item in value]
    return value

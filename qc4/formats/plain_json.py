"""Whether parsed JSON is plain: nothing in it is to be refused. Nearly every file is, and is looked at in a few lots.

`qc4.formats.strict_json` says what is refused, value by value, and where it stands. What is plain here, it takes.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import chain
from operator import itemgetter
from typing import Any, NamedTuple

SMALL = 2**63
"""Integers of this size and more are looked at one by one."""
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_JSON_TYPES = {dict, list, str, int, float, bool, type(None)}
_CODED_COLONS = ("\\u003a", "\\u003A")
_MANY = 200
_MANY_OBJECTS = 10

Lot = dict[type, list[Any]]
"""Values of one depth by type: fields of some objects of the depth before, or items of some lists."""


class Lots(NamedTuple):
    """Everything in a value.

    Attributes:
        values: all values but those in `texts`.
        texts: lists of texts alone.
        keys: how often each key of an object comes.
    """

    values: list[Lot]
    texts: list[list[str]]
    keys: Counter[str]

    def in_pieces(self) -> Iterator[str]:
        """All texts, those of each lot in one piece."""
        return map("".join, chain((lot[str] for lot in self.values if str in lot), self.texts))


def is_plain(value: Any, depth: int) -> bool:
    """Whether a value made of dicts, lists and scalars can be stored and written back as the same JSON.

    Args:
        depth: objects and lists that may be inside each other.
    """
    lots = _lots(value, depth, _are_texts)
    return lots is not None and all(map(_numbers_are_plain, lots.values)) and _texts_are_plain(lots)


def is_plain_as_written(value: Any, text: str, depth: int) -> bool:
    """The same of what `json` parsed from a text; moreover no object of the text has a key twice.

    A text of ASCII can name unstorable characters by their codes only. Of a key that comes twice the value has one, so
    that it has fewer colons than the text.
    """
    lots = _lots(value, depth, _are_joined)
    if lots is None or not all(map(_numbers_are_plain, lots.values)):
        return False
    if (not text.isascii() or "\\" in text) and not _texts_are_plain(lots):
        return False
    colons = text.count(":") - sum(lots.keys.values())
    if not colons:
        return True
    in_texts = sum(piece.count(":") for piece in lots.in_pieces())
    in_keys = sum(key.count(":") * count for key, count in lots.keys.items())
    return colons == in_texts + in_keys and not any(coded in text for coded in _CODED_COLONS)


def _lots(value: Any, depth: int, are_texts: Callable[[list[Any]], bool]) -> Lots | None:
    """All values; None where they go deeper, or are of a type that `json` does not make."""
    lots = Lots([], [], Counter())
    layer = [[value]]
    for left in range(depth, -1, -1):
        inside: list[list[Any]] = []
        for values in filter(None, layer):
            lot = _by_type(values)
            if not lot.keys() <= _JSON_TYPES:
                return None
            lots.values.append(lot)
            if dict in lot or list in lot:
                if not left:
                    return None
                inside += _in_objects(lot.get(dict, []), lots.keys)
                others: list[list[Any]] = []
                for items in lot.get(list, []):
                    (lots.texts if are_texts(items) else others).append(items)
                inside += _in_lists(others)
        layer = inside
        if not layer:
            break
    return lots


def _are_texts(items: list[Any]) -> bool:
    return set(map(type, items)) == {str}


def _are_joined(items: list[Any]) -> bool:
    """`_are_texts` where `json` made the items: then only texts can be joined, which takes half the time."""
    if not items or type(items[0]) is not str:
        return False
    try:
        "".join(items)
    except TypeError:
        return False
    return True


def _by_type(values: list[Any]) -> Lot:
    kinds = set(map(type, values))
    if len(kinds) == 1:
        return dict.fromkeys(kinds, values)
    return {kind: [value for value in values if type(value) is kind] for kind in kinds}


def _in_objects(objects: list[dict[str, Any]], keys: Counter[str]) -> list[list[Any]]:
    """What is in objects: field by field, for speed, where many have the same ones; their keys are counted."""
    if not objects:
        return []
    if len(objects) >= _MANY_OBJECTS and (columns := same_fields(objects)) is not None:
        for name in columns:
            keys[name] += len(objects)
        return list(columns.values())
    keys.update(chain.from_iterable(objects))
    return [list(chain.from_iterable(map(dict.values, objects)))]


def _in_lists(lists: list[list[Any]]) -> list[list[Any]]:
    """What is in lists: a long one alone, for speed."""
    if not lists:
        return []
    short = chain.from_iterable(items for items in lists if len(items) < _MANY)
    return [*(items for items in lists if len(items) >= _MANY), list(short)]


def same_fields(objects: list[dict[str, Any]]) -> dict[str, list[Any]] | None:
    """Objects that all have the same fields, field by field; None where some have others, or there is none."""
    if len(set(map(len, objects))) != 1:
        return None
    try:
        return {name: list(map(itemgetter(name), objects)) for name in objects[0]}
    except KeyError:
        return None


def _numbers_are_plain(lot: Lot) -> bool:
    integers = lot.get(int)
    if integers and not (min(integers) > -SMALL and max(integers) < SMALL):
        return False
    return all(map(math.isfinite, lot.get(float, ())))


def _texts_are_plain(lots: Lots) -> bool:
    try:
        return not any(map(_is_unstorable, chain(lots.in_pieces(), ["".join(lots.keys)])))
    except TypeError:  # a key that is no text
        return False


def _is_unstorable(text: str) -> bool:
    return "\0" in text if text.isascii() else UNSTORABLE.search(text) is not None

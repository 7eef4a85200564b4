"""Whether parsed JSON is plain: nothing in it is to be refused. Nearly every file is, and is looked at in a few lots.

`qc4.formats.strict_json` says what is refused, value by value, and where it stands. What is plain here, it takes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from itertools import chain
from operator import itemgetter
from typing import Any

SMALL = 2**63
"""Integers of this size and more are looked at one by one."""
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_JSON_TYPES = {dict, list, str, int, float, bool, type(None)}
_CODED_COLONS = ("\\u003a", "\\u003A")
_MANY = 200

Lot = dict[type, list[Any]]
"""Values of one depth by type: fields of some objects of the depth before, or items of some lists."""


def is_plain(value: Any, depth: int) -> bool:
    """Whether a value made of dicts, lists and scalars can be stored and written back as the same JSON.

    Args:
        depth: objects and lists that may be inside each other.
    """
    lots = _lots(value, depth)
    return lots is not None and all(map(_numbers_are_plain, lots)) and _texts_are_plain(lots)


def is_plain_as_written(value: Any, text: str, depth: int) -> bool:
    """The same of what `json` parsed from a text; moreover no object of the text has a key twice.

    A text of ASCII can name unstorable characters by their codes only. Of a key that comes twice the value has one, so
    that it has fewer colons than the text.
    """
    lots = _lots(value, depth)
    if lots is None or not all(map(_numbers_are_plain, lots)):
        return False
    if ("\\u" in text or not text.isascii()) and not _texts_are_plain(lots):
        return False
    colons = text.count(":") - sum(sum(map(len, lot.get(dict, []))) for lot in lots)
    if not colons:
        return True
    in_texts = sum(piece.count(":") for piece in _texts(lots))
    return colons == in_texts and not any(coded in text for coded in _CODED_COLONS)


def _lots(value: Any, depth: int) -> list[Lot] | None:
    """All values; None where they go deeper, or are of a type that `json` does not make."""
    lots: list[Lot] = []
    layer = [[value]]
    for left in range(depth, -1, -1):
        found = [_by_type(values) for values in layer]
        for lot in found:
            if not lot.keys() <= _JSON_TYPES or (not left and lot.keys() & {dict, list}):
                return None
        lots += found
        layer = [values for lot in found for values in _inside(lot) if values]
        if not layer:
            break
    return lots


def _by_type(values: list[Any]) -> Lot:
    kinds = set(map(type, values))
    if len(kinds) == 1:
        return dict.fromkeys(kinds, values)
    return {kind: [value for value in values if type(value) is kind] for kind in kinds}


def _inside(lot: Lot) -> Iterator[list[Any]]:
    """What is in the objects and lists of a lot: a long list alone, and a field that many objects have, for speed."""
    objects, lists = lot.get(dict, []), lot.get(list, [])
    if len(objects) >= _MANY and (columns := same_fields(objects)) is not None:
        yield from columns.values()
    else:
        yield list(chain.from_iterable(map(dict.values, objects)))
    yield from (items for items in lists if len(items) >= _MANY)
    yield list(chain.from_iterable(items for items in lists if len(items) < _MANY))


def same_fields(objects: list[dict[str, Any]]) -> dict[str, list[Any]] | None:
    """Objects that all have the same fields, field by field; None where some have others, or there is none."""
    if len(set(map(len, objects))) != 1:
        return None
    try:
        return {name: list(map(itemgetter(name), objects)) for name in objects[0]}
    except KeyError:
        return None


def _numbers_are_plain(lot: Lot) -> bool:
    integers = lot.get(int, [])
    if integers and not (min(integers) > -SMALL and max(integers) < SMALL):
        return False
    return all(map(math.isfinite, lot.get(float, [])))


def _texts_are_plain(lots: list[Lot]) -> bool:
    try:
        return not any(map(_is_unstorable, _texts(lots)))
    except TypeError:  # a key that is no text
        return False


def _is_unstorable(text: str) -> bool:
    return "\0" in text if text.isascii() else UNSTORABLE.search(text) is not None


def _texts(lots: list[Lot]) -> Iterator[str]:
    """The texts of each lot, and the keys of its objects, in one piece."""
    for lot in lots:
        yield "".join(lot.get(str, []))
        yield "".join(chain.from_iterable(lot.get(dict, [])))

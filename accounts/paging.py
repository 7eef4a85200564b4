"""Long lists come in pages, each of which begins where another ended: THE rule for pages of the site and for the API.

A cursor says after (or before) which row a page begins, by that row's values in the order of the list. The database
goes straight there by an index, wherever it is; rows that come or go meanwhile move no others onto another page.
Nothing in a cursor is secret, and it gives no right: it is one more condition on rows that somebody sees anyway.
"""

from __future__ import annotations

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, Generic, TypeVar

from django.core.exceptions import ValidationError
from django.db.models import F, Model, Q, QuerySet
from django.http import QueryDict

Row = TypeVar("Row")

CURSOR = "cursor"
"""What addresses call it, where a page has one list."""
LAST = "last"
"""The cursor of a list's last page."""
MOMENT = timedelta(microseconds=1)
MOST_CHARS = 4_000
"""Of a cursor: those of lists by name are as long as names."""


class WrongCursorError(Exception):
    """What is no cursor of this list."""


@dataclass(frozen=True, slots=True)
class ListPage(Generic[Row]):
    """Some rows of a list, in its order.

    Attributes:
        previous, next: cursors of the pages before and after it; empty where there is none.
        name: what addresses call the cursor.
        is_lost: whether this is the first page because the address asked for one that does not exist.
    """

    rows: Sequence[Row]
    previous: str = ""
    next: str = ""
    name: str = CURSOR
    is_lost: bool = False

    LAST = LAST

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def is_all(self) -> bool:
        """Whether the list has no other page."""
        return not self.previous and not self.next


def list_page(cursor: str, size: int, *lists: QuerySet[Any, Row]) -> ListPage[Row]:
    """The page of a list that a cursor leads to, by default the first; one query for each queryset.

    Args:
        lists: querysets that make one list, all in the same order. The order ends with what no two rows share, and no
            value in it is null.

    Raises:
        WrongCursorError: it is none of this list.
    """
    order = _order(lists[0])
    is_back, place = _read(cursor, lists[0], order)
    asked = [_reversed(name) for name in order] if is_back else order
    wanted = _beyond(asked, place) if place else Q()
    found = [row for rows in lists for row in rows.filter(wanted).order_by(*asked)[: size + 1]]
    if len(lists) > 1:
        for name in reversed(asked):
            found.sort(key=lambda row: _value(row, name), reverse=name.startswith("-"))
    rows, goes_on = found[:size], len(found) > size
    if is_back and not rows and place:
        return list_page("", size, *lists)  # all that was before it is gone
    if is_back:
        rows.reverse()
    before, after = (goes_on, bool(place)) if is_back else (bool(place), goes_on)
    return ListPage(
        rows,
        (_cursor("<", rows[0], order) if rows else LAST) if before else "",
        _cursor(">", rows[-1], order) if after and rows else "",
    )


def leads_back(cursor: str) -> bool:
    """Whether a cursor leads to what comes before a row, or to a list's end."""
    return cursor == LAST or (bool(cursor) and _unpacked(cursor)[0] == "<")


def page_of_known(cursor: str, size: int, rows: Sequence[Row], key: Callable[[Row], str]) -> ListPage[Row]:
    """As `list_page`, of a list that is read already.

    A cursor has the key of a row, and where that was: what is gone from the list since loses nobody's place.

    Raises:
        WrongCursorError: it is none of this list.
    """
    if cursor == LAST:
        start = max(0, len(rows) - size)
        end = len(rows)
    else:
        is_back, at = _place_in(cursor, rows, key) if cursor else (False, 0)
        start, end = (max(0, at - size), at) if is_back else (at, at + size)
    shown = rows[start:end]
    before = _packed(["<", key(rows[start]), start]) if 0 < start < len(rows) else LAST if start else ""
    return ListPage(shown, before, _packed([">", key(rows[end - 1]), end - 1]) if 0 < end < len(rows) else "")


def pages_of_known(rows: Sequence[Row], key: Callable[[Row], str]) -> Callable[[str, int], ListPage[Row]]:
    """`page_of_known` of these."""
    return lambda cursor, size: page_of_known(cursor, size, rows, key)


def _place_in(cursor: str, rows: Sequence[Row], key: Callable[[Row], str]) -> tuple[bool, int]:
    """Whether a cursor leads back, and to before which row."""
    way, name, place = _unpacked(cursor, 2)
    if not isinstance(name, str) or not isinstance(place, int) or place < 0:
        raise WrongCursorError
    now = next((at for at, row in enumerate(rows) if key(row) == name), None)
    if way == "<":
        return True, min(place, len(rows)) if now is None else now
    return False, min(place, len(rows)) if now is None else now + 1


def asked_page(
    given: QueryDict, size: int, page: Callable[[str, int], ListPage[Row]], name: str = CURSOR
) -> ListPage[Row]:
    """The page of a list that an address asks for; the first where it asks for one that does not exist.

    Args:
        page: the list: (cursor, rows of a page) -> a page of it, such as `pages_of` makes.
    """
    try:
        return replace(page(given.get(name, ""), size), name=name)
    except WrongCursorError:
        return replace(page("", size), name=name, is_lost=True)


def pages_of(*lists: QuerySet[Any, Row]) -> Callable[[str, int], ListPage[Row]]:
    """`list_page` of these."""
    return lambda cursor, size: list_page(cursor, size, *lists)


def _order(rows: QuerySet[Any, Any]) -> list[str]:
    return [str(name) for name in rows.query.order_by or rows.model._meta.ordering]


def _reversed(name: str) -> str:
    return name[1:] if name.startswith("-") else f"-{name}"


def _beyond(order: Sequence[str], place: Sequence[Any]) -> Q:
    """What comes after a place in an order. The first value bounds it alone: that is what an index begins with."""
    beyond, not_before = _bounds(order[0].removeprefix("-"), order[0].startswith("-"), place[0])
    return beyond if len(order) == 1 else not_before & (beyond | _beyond(order[1:], place[1:]))


def _bounds(name: str, falls: bool, value: Any) -> tuple[Q, Q]:
    """What comes after a value, and that with the value itself.

    SQLite compares moments as texts, in which the database's own end earlier than Django's (".120" and ".120000"): a
    microsecond beside the moment tells rightly which are equal.
    """
    way = "lt" if falls else "gt"
    if isinstance(value, datetime):
        on, before = (value - MOMENT, value + MOMENT) if falls else (value + MOMENT, value - MOMENT)
        return Q(**{f"{name}__{way}e": on}), Q(**{f"{name}__{way}": before})
    return Q(**{f"{name}__{way}": value}), Q(**{f"{name}__{way}e": value})


def _value(row: Any, name: str) -> Any:
    name = name.removeprefix("-")
    if not isinstance(row, Model):
        return row[name]
    for part in name.split("__"):
        row = getattr(row, part)
    return row


def _cursor(way: str, row: Any, order: Sequence[str]) -> str:
    return _packed([way, *(_value(row, name) for name in order)])


def _read(cursor: str, rows: QuerySet[Any, Any], order: Sequence[str]) -> tuple[bool, list[Any]]:
    """Whether a cursor leads back, and from which place: none for the list's beginning or end."""
    if cursor in {"", LAST}:
        return cursor == LAST, []
    way, *told = _unpacked(cursor, len(order))
    fields = [F(name.removeprefix("-")).resolve_expression(rows.query).output_field for name in order]
    try:
        place = [field.to_python(value) for field, value in zip(fields, told, strict=True)]
    except (ValueError, TypeError, OverflowError, ValidationError) as error:
        raise WrongCursorError from error
    if any(value is None or _is_beyond(value) for value in place):
        raise WrongCursorError
    return way == "<", place


def _is_beyond(value: Any) -> bool:
    """Whether no column holds such a moment or number; not every comparison of a database bears one."""
    if isinstance(value, datetime):
        return not 1 < value.year < 9999
    return isinstance(value, int) and not -(2**63) <= value < 2**63


def _packed(values: list[Any]) -> str:
    told = json.dumps(values, default=lambda value: value.isoformat())
    return urlsafe_b64encode(told.encode()).decode().rstrip("=")


def _unpacked(cursor: str, n_values: int | None = None) -> list[Any]:
    """The way, and so many plain values."""
    try:
        padded = cursor[:MOST_CHARS].encode("ascii") + b"=" * (-len(cursor) % 4)
        values = json.loads(urlsafe_b64decode(padded))
        json.dumps(values, ensure_ascii=False).encode()  # refuses halves of characters
    except (ValueError, RecursionError) as error:
        raise WrongCursorError from error
    if not isinstance(values, list) or values[:1] not in (["<"], [">"]) or n_values not in {None, len(values) - 1}:
        raise WrongCursorError
    if any(not isinstance(value, str | int | float) or "\0" in str(value) for value in values):
        raise WrongCursorError
    return values

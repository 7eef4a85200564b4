"""Pages of the API's lists: ``?page_size=500&cursor=...``, with the URL of the next page in each response."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any

from django.core.exceptions import ValidationError
from django.db.models import F, Model, Q, QuerySet
from rest_framework import serializers
from rest_framework.exceptions import NotFound
from rest_framework.pagination import CursorPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from common.api.options import Options
from common.limits import LARGEST_ID, MOST_PAGE_ROWS, PAGE_ROWS
from qc4.problems import InputError, Problem
from qc4.wording import quoted

CURSOR = "cursor"


class ListOptions(Options):
    """Which page of a list, and how long it is; options of lists that have more derive from it."""

    cursor = serializers.CharField(
        required=False, default="", help_text="Where the page begins, as `next` and `previous` of an answer have it."
    )
    page_size = serializers.IntegerField(
        required=False,
        min_value=1,
        help_text=f"Rows of a page; {PAGE_ROWS} unless said otherwise, {MOST_PAGE_ROWS} at most.",
    )


class PlacedRows:
    """A queryset in the form that `CursorPagination` pages.

    The place of a row is made of all columns of the order, so no two rows share one. The base class would look at the
    first column only, and count rows among those that share its value.

    Args:
        rows: their order ends with a column that no two rows share, and no column in it is null.
    """

    def __init__(self, rows: QuerySet[Any, Any], order: Sequence[str] = ()) -> None:
        self.rows = rows
        self.order = tuple(order or map(str, rows.query.order_by or rows.model._meta.ordering))

    def order_by(self, *order: str) -> PlacedRows:
        return PlacedRows(self.rows.order_by(*order), order)

    def filter(self, **beyond: str) -> PlacedRows:
        """Return the rows after a place in the present order, whichever comparison the caller names.

        Raises:
            NotFound: it is no place in this list.
        """
        (place,) = beyond.values()
        return PlacedRows(self.rows.filter(_after(self.order, self._read(place))), self.order)

    def __getitem__(self, wanted: slice) -> Sequence[Any]:
        return list(self.rows[wanted])

    def place_of(self, row: Any) -> str:
        return json.dumps([_value(row, name.removeprefix("-")) for name in self.order])

    def _read(self, place: str) -> list[Any]:
        fields = [F(name.removeprefix("-")).resolve_expression(self.rows.query).output_field for name in self.order]
        try:
            given = json.loads(place)
            values = [field.to_python(value) for field, value in zip(fields, given, strict=True)]
        except (ValueError, TypeError, OverflowError, RecursionError, ValidationError) as error:
            raise NotFound from error
        if not all(map(_is_comparable, values)):
            raise NotFound
        return values


class KnownRows:
    """A list in memory in the form that `CursorPagination` pages.

    The place of a row is its key and its position: a reader goes on at the same position if the row has gone since.

    Args:
        key: names a row; no two rows share it.
    """

    order = ("place",)

    def __init__(self, rows: Sequence[Any], key: Callable[[Any], str], *, is_back: bool = False) -> None:
        self.rows, self.key, self.is_back = rows, key, is_back

    @cached_property
    def position_of(self) -> dict[str, int]:
        return {self.key(row): position for position, row in enumerate(self.rows)}

    def order_by(self, order: str) -> KnownRows:
        return KnownRows(self.rows, self.key, is_back=order.startswith("-"))

    def filter(self, **beyond: str) -> KnownRows:
        """Return the rows after a place, or before it in reversed order.

        Raises:
            NotFound: it is no place in a list.
        """
        (place,) = beyond.values()
        try:
            key, position = json.loads(place)
        except (ValueError, TypeError, RecursionError) as error:
            raise NotFound from error
        if not isinstance(key, str) or not isinstance(position, int) or position < 0:
            raise NotFound
        now = self.position_of.get(key)
        if self.is_back:
            return KnownRows(self.rows[: position if now is None else now], self.key, is_back=True)
        return KnownRows(self.rows[position if now is None else now + 1 :], self.key)

    def __getitem__(self, wanted: slice) -> Sequence[Any]:
        return (self.rows[::-1] if self.is_back else self.rows)[wanted]

    def place_of(self, row: Any) -> str:
        key = self.key(row)
        return json.dumps([key, self.position_of[key]])


class ListPagination(CursorPagination):
    """Pages of all lists of the API.

    It keeps three promises that the base class does not. Rows that share the first value of the order come once each,
    whatever is added or deleted meanwhile (`PlacedRows`). A list may lie in memory (`KnownRows`). A cursor that is not
    from this list is an error that names it, also where a database could not compare its values.
    """

    page_size = PAGE_ROWS
    page_size_query_param = "page_size"
    max_page_size = MOST_PAGE_ROWS
    starts_anew = False

    def paginate_queryset(self, queryset: Any, request: Request, view: Any = None) -> list[Any]:
        rows: Any = queryset if isinstance(queryset, KnownRows) else PlacedRows(queryset)
        self.rows: KnownRows | PlacedRows = rows
        try:
            page: list[Any] = super().paginate_queryset(rows, request, view) or []
            if not page and self.cursor and self.cursor.reverse:  # all rows before the place are gone
                self.starts_anew = True
                page = super().paginate_queryset(rows, request, view) or []
        except NotFound as error:
            raise InputError([_no_such_page(request.query_params[CURSOR])]) from error
        return page

    def get_ordering(self, request: Request, queryset: Any, view: Any) -> tuple[str, ...]:
        return self.rows.order

    def decode_cursor(self, request: Request) -> Any:
        return None if self.starts_anew else super().decode_cursor(request)

    def _get_position_from_instance(self, instance: Any, ordering: Sequence[str]) -> str:
        return self.rows.place_of(instance)


def paged(
    rows: QuerySet[Any, Any] | KnownRows,
    serializer: type[BaseSerializer[Any]],
    request: Request,
    shown: Callable[[Sequence[Any]], Sequence[Any]] = list,
    pagination: ListPagination | None = None,
    **context: object,
) -> Response:
    """Return one page of rows, each as the serializer writes it.

    Args:
        shown: turns the rows of the page into what the serializer writes.
        context: what the serializer knows besides. A function is called with the rows of the page.

    Raises:
        InputError: the cursor is not from this list.
    """
    given = request.query_params
    ListOptions.of({name: given[name] for name in ("cursor", "page_size") if name in given})
    pagination = pagination or ListPagination()
    page = shown(pagination.paginate_queryset(rows, request))
    known = {name: fact(page) if callable(fact) else fact for name, fact in context.items()}
    return pagination.get_paginated_response(serializer(page, many=True, context=known).data)


def _after(order: Sequence[str], place: Sequence[Any]) -> Q:
    """Return a condition for rows after a place. It bounds the first column alone, too: an index begins with it."""
    name = order[0].removeprefix("-")
    way = "lt" if order[0].startswith("-") else "gt"
    beyond = Q(**{f"{name}__{way}": place[0]})
    if len(order) == 1:
        return beyond
    return Q(**{f"{name}__{way}e": place[0]}) & (beyond | _after(order[1:], place[1:]))


def _is_comparable(value: Any) -> bool:
    """True if every database can compare a column with the value, which a caller may have made up."""
    if isinstance(value, str):
        return "\0" not in value and value.encode(errors="ignore").decode() == value  # no half of a character
    return isinstance(value, int) and abs(value) <= LARGEST_ID


def _value(row: Any, name: str) -> Any:
    if not isinstance(row, Model):
        return row[name]
    for part in name.split("__"):
        row = getattr(row, part)
    return row


def _no_such_page(cursor: str) -> Problem:
    fix = "Leave it out for the first page, and follow `next` from there, with the same options."
    return Problem("no-such-page", CURSOR, quoted(cursor), "a cursor of this list", fix)

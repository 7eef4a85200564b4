"""Long lists come in pages: ``?page_size=500&cursor=...``, with the address of the next one in each answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.db.models import QuerySet
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer
from rest_framework.utils.urls import remove_query_param, replace_query_param

from accounts.paging import CURSOR, ListPage, WrongCursorError, list_page
from annotations.api.options import Options
from annotations.limits import MOST_PAGE_ROWS, PAGE_ROWS
from qc4.problems import InputError, Problem
from qc4.problems.wording import quoted


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


def paged(rows: QuerySet[Any], serializer: type[BaseSerializer[Any]], request: Request, **context: object) -> Response:
    """One page of rows, each as the serializer writes it.

    Args:
        context: what the serializer knows beside; of functions what they make of the page's rows.
    """
    return page_answer(lambda cursor, size: list_page(cursor, size, rows), serializer, request, **context)


def page_answer(
    page: Callable[[str, int], ListPage[Any]],
    serializer: type[BaseSerializer[Any]],
    request: Request,
    **context: object,
) -> Response:
    """``{"next", "previous", "results"}``: the page of a list that a request asks for.

    Args:
        page: the list: (cursor, rows of a page) -> a page of it.
        context: as in `paged`.

    Raises:
        InputError: the cursor is none of this list.
    """
    given = request.query_params
    chosen = ListOptions.of({name: given[name] for name in ("cursor", "page_size") if name in given})
    try:
        found = page(chosen["cursor"], min(chosen.get("page_size", PAGE_ROWS), MOST_PAGE_ROWS))
    except WrongCursorError:
        fix = "Leave it out for the first page, and follow `next` from there, with the same options."
        raise InputError(
            [Problem("no-such-page", CURSOR, quoted(chosen["cursor"]), "a cursor of this list", fix)]
        ) from None
    known = {name: fact(found.rows) if callable(fact) else fact for name, fact in context.items()}
    body = serializer(found.rows, many=True, context=known).data
    return Response({"next": _there(request, found.next), "previous": _there(request, found.previous), "results": body})


def _there(request: Request, cursor: str) -> str | None:
    """The address of the page with this cursor; None where there is none."""
    here = remove_query_param(request.build_absolute_uri(), CURSOR)
    return str(replace_query_param(here, CURSOR, cursor)) if cursor else None

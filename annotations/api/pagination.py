"""Long lists come in pages: ``?page=2&page_size=500``."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer

from annotations.limits import MOST_PAGE_ROWS, PAGE_ROWS


class Pages(PageNumberPagination):
    """``{"count", "next", "previous", "results"}``; a page that does not exist is 404."""

    page_size = PAGE_ROWS
    page_size_query_param = "page_size"
    max_page_size = MOST_PAGE_ROWS


def paged(rows: QuerySet[Any], serializer: type[BaseSerializer[Any]], request: Request, **context: object) -> Response:
    """One page of rows, each as the serializer writes it.

    Args:
        context: what the serializer knows beside; of functions what they make of the page's rows.
    """
    pages = Pages()
    found = pages.paginate_queryset(rows, request)
    known = {name: fact(found) if callable(fact) else fact for name, fact in context.items()}
    return pages.get_paginated_response(serializer(found, many=True, context=known).data)

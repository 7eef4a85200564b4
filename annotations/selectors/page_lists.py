"""Queries and their pages as the engine's documents."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable
from typing import Any

from annotations.models import Collection, Page, Query
from qc4.model import gold_document as engine
from qc4.model.query_names import PageListsWithTexts


def page_lists(collection: Collection) -> PageListsWithTexts:
    """Query key -> page keys in the order of the page list, with the queries' texts: what readers of answers need."""
    texts: dict[str, str] = dict(collection.queries.values_list("key", "text"))
    lists: dict[str, list[str]] = {key: [] for key in texts}
    pages = Page.objects.filter(query__collection=collection).order_by("query__position", "query_id", "position")
    for query, page in pages.values_list("query__key", "key"):
        lists[query].append(page)
    return PageListsWithTexts({query: tuple(pages) for query, pages in lists.items()}, texts)


def page_list(query: Query) -> engine.GoldDocument:
    """A query and its pages, without a gold standard."""
    return _document(query, query.pages.values_list(*_COLUMNS))


def page_lists_of(queries: Several[Query]) -> dict[int, engine.GoldDocument]:
    """Query id -> what `page_list` says of it. One query to the database."""
    rows: dict[int, list[tuple[Any, ...]]] = {query.pk: [] for query in queries}
    of_all = Page.objects.filter(query__in=rows).order_by("query_id", "position")
    for of, *row in of_all.values_list("query_id", *_COLUMNS):
        rows[of].append(tuple(row))
    return {query.pk: _document(query, rows[query.pk]) for query in queries}


_COLUMNS = ("key", "extra", *engine.PAGE_FIELDS)
"""Plain values: a query may have 10,000 pages, and rows as objects take longer than all the rest."""


def _document(query: Query, rows: Iterable[tuple[Any, ...]]) -> engine.GoldDocument:
    return engine.GoldDocument(
        query_id=query.key,
        query_text=query.text,
        pages=tuple(
            engine.Page(key, extra=extra, **dict(zip(engine.PAGE_FIELDS, fields, strict=True)))
            for key, extra, *fields in rows
        ),
        query_extra=query.extra,
    )

"""Queries and their pages as the engine's documents."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable

from annotations.models import Collection, Page, Query
from qc4.clustering.query_names import PageListsWithTexts
from qc4.gold import document as engine


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
    return page_list_of(query, query.pages.all())


def page_lists_of(queries: Several[Query]) -> dict[int, engine.GoldDocument]:
    """Query id -> what `page_list` says of it. One query to the database."""
    pages: dict[int, list[Page]] = {query.pk: [] for query in queries}
    for page in Page.objects.filter(query__in=pages).order_by("query_id", "position"):
        pages[page.query_id].append(page)
    return {query.pk: page_list_of(query, pages[query.pk]) for query in queries}


def page_list_of(query: Query, pages: Iterable[Page]) -> engine.GoldDocument:
    """As `page_list`, from pages that are already fetched."""
    return engine.GoldDocument(
        query_id=query.key,
        query_text=query.text,
        pages=tuple(
            engine.Page(page.key, extra=page.extra, **{name: getattr(page, name) for name in engine.PAGE_FIELDS})
            for page in pages
        ),
        query_extra=query.extra,
    )

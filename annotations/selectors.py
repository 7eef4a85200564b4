"""Reads that several parts need: page lists and queries as the engine's documents."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Max

from annotations.models import Collection, Gold, Page, Query, VectorSet
from qc4.gold import document as engine


def page_lists(collection: Collection) -> dict[str, tuple[str, ...]]:
    """Query key -> page keys in the order of the page list: what readers of clusterings need to know."""
    lists: dict[str, list[str]] = {key: [] for key in collection.queries.values_list("key", flat=True)}
    pages = Page.objects.filter(query__collection=collection).order_by("query__position", "query_id", "position")
    for query, page in pages.values_list("query__key", "key"):
        lists[query].append(page)
    return {query: tuple(pages) for query, pages in lists.items()}


def page_list(query: Query) -> engine.GoldDocument:
    """A query and its pages, without a gold standard."""
    return page_list_of(query, query.pages.all())


def page_list_of(query: Query, pages: Iterable[Page]) -> engine.GoldDocument:
    """As `page_list`, from pages that are already fetched."""
    return engine.GoldDocument(
        query_id=query.key,
        query_text=query.text,
        pages=tuple(
            engine.Page(page.key, page.rank, page.url, page.title, page.snippet, page.text, page.extra)
            for page in pages
        ),
        query_extra=query.extra,
    )


def latest_golds(collection: Collection) -> dict[int, Gold]:
    """Query id -> its gold standard in the latest published version; empty where nothing is published."""
    version = collection.gold_versions.order_by("-number").first()
    if version is None:
        return {}
    entries = version.entries.select_related("gold__query")
    return {entry.query_id: entry.gold for entry in entries}


def latest_vectors(collection: Collection, query: Query | None = None) -> dict[int, VectorSet]:
    """Query id -> its latest vectors, without their data; of one query only, if it is given."""
    sets = VectorSet.objects.filter(query__collection=collection)
    if query is not None:
        sets = sets.filter(query=query)
    latest = sets.order_by().values("query").annotate(latest=Max("pk")).values("latest")
    found = VectorSet.objects.filter(pk__in=latest).defer("data").select_related("query", "created_by")
    return {row.query_id: row for row in found.order_by("query__position", "query_id")}

"""Find collections, and read their queries by name and as engine documents."""

from __future__ import annotations

from collections.abc import Collection as Several
from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet
from django.db.models.functions import Lower

from accounts.person import Person
from annotations.access import visible_collections
from annotations.models import Collection, Membership, Page, Query
from qc4.model import gold_document as engine
from qc4.model.query_names import PageListsWithTexts, QueryNames
from qc4.problems import ProblemList
from qc4.wording import quoted

SIZES = {"small": (0, 20), "medium": (21, 100), "large": (101, None)}
"""Size name -> minimum and maximum number of queries."""


def found_collections(person: Person, wanted: Mapping[str, str]) -> QuerySet[Collection]:
    """Return the matching collections that this person may see, sorted by name.

    Args:
        wanted: the fields of `annotations.collections.forms.CollectionFilterForm`. Every word of ``q`` must occur in
            the name, the description or a query. ``show`` is "mine" or "public". ``language`` is a tag, and "pt" also
            matches "pt-BR". ``size`` is one of `SIZES`.
    """
    rows = visible_collections(person)
    for word in (wanted.get("q") or "").split():
        in_query = Exists(
            Query.objects.filter(Q(text__icontains=word) | Q(key__icontains=word), collection=OuterRef("pk"))
        )
        rows = rows.filter(Q(name__icontains=word) | Q(description__icontains=word) | in_query)
    if wanted.get("show") == "mine":
        rows = rows.filter(pk__in=Membership.objects.filter(user=person.pk).values("collection"))
    elif wanted.get("show") == "public":
        rows = rows.filter(visibility=Collection.Visibility.PUBLIC)
    if language := (wanted.get("language") or "").strip():
        rows = rows.filter(Q(language__iexact=language) | Q(language__istartswith=f"{language}-"))
    if size := wanted.get("size"):
        low, high = SIZES[size]
        rows = rows.annotate(n=Count("queries", distinct=True)).filter(n__gte=low)
        rows = rows.filter(n__lte=high) if high is not None else rows
    return rows.order_by("name", "pk")


def languages(person: Person) -> list[str]:
    """Return the languages of the collections that this person may see."""
    tags = visible_collections(person).exclude(language="").order_by().annotate(tag=Lower("language"))
    return sorted(set(tags.values_list("tag", flat=True)))


# --- Queries as engine documents --------------------------------------------------------------------------------------


def page_lists(collection: Collection) -> PageListsWithTexts:
    """Return a dict of query key -> page keys in order, with the queries' texts, for reading clusterings."""
    texts: dict[str, str] = dict(collection.queries.values_list("key", "text"))
    lists: dict[str, list[str]] = {key: [] for key in texts}
    pages = Page.objects.filter(query__collection=collection).order_by("query__position", "query_id", "position")
    for query, page in pages.values_list("query__key", "key"):
        lists[query].append(page)
    return PageListsWithTexts({query: tuple(pages) for query, pages in lists.items()}, texts)


def page_list_document(query: Query) -> engine.GoldDocument:
    """Return a query and its pages as a document without a gold standard."""
    return _document(query, query.pages.values_list(*_COLUMNS))


def page_list_documents(queries: Several[Query]) -> dict[int, engine.GoldDocument]:
    """Return a dict of query id -> `page_list` of the query, with one database query."""
    rows: dict[int, list[tuple[Any, ...]]] = {query.pk: [] for query in queries}
    of_all = Page.objects.filter(query__in=rows).order_by("query_id", "position")
    for of, *row in of_all.values_list("query_id", *_COLUMNS):
        rows[of].append(tuple(row))
    return {query.pk: _document(query, rows[query.pk]) for query in queries}


_COLUMNS = ("key", "extra", *engine.PAGE_FIELDS)
"""Columns to read as plain values. For 10,000 pages, creating model objects would take most of the time."""


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


# --- Queries by name --------------------------------------------------------------------------------------------------
# `qc4.model.query_names` defines the matching rule.


def query_names(queries: Iterable[Query]) -> QueryNames:
    """Return an index of these queries by key and text."""
    return QueryNames({query.key: query.text for query in queries})


def queries_named(collection: Collection, names: Iterable[str], where: str, problems: ProblemList) -> list[Query]:
    """Return the queries with these keys or texts, without duplicates, using one database query.

    Unknown and ambiguous names are added to ``problems``, with ``where`` as their location.
    """
    queries = {query.key: query for query in collection.queries.select_related("collection").order_by("position", "pk")}
    known = query_names(queries.values())
    found = {}
    for name in names:
        key = known.key(name)
        if key in queries:
            found[key] = queries[key]
        else:
            known.note_unknown(name, where, quoted(name[:80]), problems)
    return list(found.values())

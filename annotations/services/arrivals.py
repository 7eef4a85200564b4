"""Collections on their way in: stored in many short transactions where nobody sees them, then shown in one more.

On SQLite everybody who writes waits for the one who does. What an import stores before its end is a collection with
``arriving_at`` set, which `Collection.objects` does not know: no access function, list or name leads there. Where an
import ends without showing it, it is removed; what a killed process left is found by its age.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import Expression, Model, QuerySet
from django.db.models.functions import Now
from django.utils.crypto import get_random_string

from annotations.models import Collection, Gold, Page, Query
from annotations.models.queries import weight
from annotations.services.gold import prepared_rows, stored_golds
from annotations.services.removals import removing
from qc4.model.gold_document import PAGE_FIELDS, GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.problems import InputError, Problem
from qc4.wording import counted

Row = TypeVar("Row")
Progress = Callable[[int, int, str], None]

AT_ONCE = 500
"""Rows in one transaction: a tenth of a second on a busy machine."""
GOLDS_AT_ONCE = 50
GIVEN_UP = datetime(1970, 1, 1, tzinfo=UTC)
"""In the place of when it stored something last: nothing more is stored, and it is never shown."""


@contextmanager
def arriving(
    documents: Sequence[GoldDocument], golds: dict[str, GoldStandard], progress: Progress | None = None
) -> Iterator[tuple[Collection, list[Gold]]]:
    """Store queries, pages and gold standards where nobody sees them. The block shows the collection
    (`annotations.services.collections.open_collection`); if it fails, nothing is left.

    Args:
        golds: query key -> its gold standard.
        progress: called between transactions; what it raises ends the import.

    Yields:
        The collection, not to be seen yet, and its gold standards, not published yet.
    """
    collection = Collection.everything.create(
        name="on its way in", slug=f"arriving-{get_random_string(24)}".lower(), arriving_at=Now()
    )
    try:
        yield collection, _filled(collection, documents, golds, progress or (lambda *_: None))
    except BaseException:
        with suppress(DatabaseError, InterfaceError):  # then its age tells
            _discard(Collection.everything.filter(pk=collection.pk, arriving_at__isnull=False))
        raise


def discard_left(before: Expression) -> None:
    """Remove what killed imports left, if they stored nothing since then."""
    _discard(Collection.everything.filter(arriving_at__lt=before))


def still_arriving(collection: Collection) -> None:
    """Say that its import goes on; in the transaction that stores something of it.

    Raises:
        InputError: it was given up meanwhile.
    """
    if not Collection.everything.filter(pk=collection.pk, arriving_at__gt=GIVEN_UP).update(arriving_at=Now()):
        found, fix = "one that stood still for so long that what it had stored was removed", "Import the file again."
        raise InputError([Problem("import-given-up", "import", found, "an import that goes on", fix)])


def _filled(
    collection: Collection, documents: Sequence[GoldDocument], golds: dict[str, GoldStandard], progress: Progress
) -> list[Gold]:
    n_pages, done = sum(len(document.pages) for document in documents), 0
    queries: list[Query] = []
    for some in _in_turns(collection, _queries(collection, documents), Query.objects.bulk_create, AT_ONCE):
        queries += some
    for pages in _in_turns(collection, _pages(queries, documents), Page.objects.bulk_create, AT_ONCE):
        done += len(pages)
        progress(pages[-1].query.position - 1, len(queries), f"storing: {done:,} of {counted(n_pages, 'page')}")
    made = (prepared_rows(query, golds[query.key]) for query in queries if query.key in golds)
    stored: list[Gold] = []
    for found in _in_turns(collection, made, stored_golds, GOLDS_AT_ONCE):
        stored += found
        progress(len(queries), len(queries), f"storing: {len(stored):,} of {counted(len(golds), 'gold standard')}")
    return stored


def _queries(collection: Collection, documents: Sequence[GoldDocument]) -> Iterator[Query]:
    for position, document in enumerate(documents, start=1):
        size, rows = weight(document.pages)
        yield Query(
            collection=collection,
            key=document.query_id,
            text=document.query_text,
            position=position,
            extra=dict(document.query_extra),
            stored_bytes=size,
            stored_rows=rows,
        )


def _pages(queries: Sequence[Query], documents: Sequence[GoldDocument]) -> Iterator[Page]:
    for query, document in zip(queries, documents, strict=True):
        for position, page in enumerate(document.pages, start=1):
            fields: dict[str, Any] = {name: getattr(page, name) for name in PAGE_FIELDS}
            yield Page(query=query, key=page.id, position=position, extra=dict(page.extra), **fields)


def _in_turns(
    collection: Collection, rows: Iterable[Any], store: Callable[[list[Any]], list[Row]], at_once: int
) -> Iterator[list[Row]]:
    """Store rows, each turn in a transaction of its own, and let others write for as long before the next."""
    left = iter(rows)
    some = list(islice(left, at_once))
    while some:
        began = time.monotonic()
        with transaction.atomic():
            still_arriving(collection)
            stored = store(some)
        took = time.monotonic() - began
        yield stored
        some = list(islice(left, at_once))
        if some:
            time.sleep(took)


def _discard(collections: QuerySet[Collection]) -> None:
    """Give up collections that have not arrived, and remove them in short transactions."""
    given_up = list(collections.values_list("pk", flat=True))
    collections.update(arriving_at=GIVEN_UP)
    still = Collection.everything.filter(pk__in=given_up, arriving_at=GIVEN_UP)
    _remove(Gold.objects.filter(query__collection__in=still), GOLDS_AT_ONCE)
    _remove(Page.objects.filter(query__collection__in=still), AT_ONCE)
    _remove(Query.objects.filter(collection__in=still), AT_ONCE)
    _remove(still, AT_ONCE)


def _remove(rows: QuerySet[Any, Any], at_once: int) -> None:
    model: type[Model] = rows.model
    while some := list(rows.order_by("pk").values_list("pk", flat=True)[:at_once]):
        began = time.monotonic()
        with removing("an import that did not end"):
            model._base_manager.filter(pk__in=some).delete()
        if len(some) == at_once:
            time.sleep(time.monotonic() - began)

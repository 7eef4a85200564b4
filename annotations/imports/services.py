"""Import collections: queries, page lists and gold standards, stored in many short transactions."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import islice
from typing import Any, TypeVar

from django.db import DatabaseError, InterfaceError, transaction
from django.db.models import Expression, Model, QuerySet
from django.db.models.functions import Now
from django.utils.crypto import get_random_string

from accounts.models import User
from annotations.collections import storage
from annotations.collections.removal import allow_removal
from annotations.collections.services import CollectionFacts, open_collection
from annotations.gold.services import make_gold_rows, publish_stored, store_golds
from annotations.models import Collection, Gold, Page, Query
from annotations.models.collections import size_of_pages
from common.limits import KEY_CHARS, LARGEST_RANK
from qc4.model.gold_document import PAGE_FIELDS, Completion, GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.rules import CheckedDocument, query_name
from qc4.model.spelling import unusual_gold_texts
from qc4.problems import InputError, Problem, ProblemList, repeated_positions
from qc4.wording import counted, listed, quoted

Finish = Callable[[Callable[[], Collection]], Collection]


@dataclass(slots=True)
class PreparedImport:
    """Documents that were checked for an import, with the problems found.

    Attributes:
        documents: one per query, in order.
        golds: query key -> gold standard, for the queries that have one.
        problems: errors and warnings. If there are errors, the documents cannot be imported.
        notes: sentences about the effects of the completion rule, stored with the collection.
    """

    documents: tuple[GoldDocument, ...]
    golds: dict[str, GoldStandard] = field(default_factory=dict)
    problems: ProblemList = field(default_factory=ProblemList)
    notes: list[str] = field(default_factory=list)


def prepare_documents(
    documents: Sequence[GoldDocument], completion: Completion = "strict", progress: Progress | None = None
) -> PreparedImport:
    """Check documents against the rules and the site's limits. Never raises for bad input: see ``problems``."""
    prepared = PreparedImport(tuple(documents))
    if not documents:
        prepared.problems.error("empty-collection", "collection", "no queries", "at least one query")
    again = {place for place, _ in repeated_positions(document.query_id for document in documents)}
    outliers = placed = 0
    for number, document in enumerate(documents):
        found = ProblemList()
        if number in again:
            found.error("duplicate-query", "query", "a repeated query", "each query once per collection")
        _check_storable(document, found)
        if document.has_gold:
            checked = CheckedDocument(document)
            try:
                if completion == "complete":
                    checked, report = checked.completed()
                    outliers, placed = outliers + len(report.outliers), placed + report.placed
                prepared.golds[document.query_id] = checked.standard()
                found.extend(checked.warnings)
            except InputError as error:
                found.extend(error.problems)
        found.extend(unusual_gold_texts(document))
        prepared.problems.extend(problem.within(query_name(document)) for problem in found)
        if progress is not None:
            progress(number + 1, len(documents), f"checking query {document.query_id}")
    if completion == "complete":
        prepared.notes.append(
            f"Completion rule 'complete': {counted(outliers, 'page')} in no topic became outliers; "
            f"{counted(placed, 'page')} went to added subtopics."
        )
    return prepared


def import_documents(
    *,
    documents: Sequence[GoldDocument] | PreparedImport,
    user: User | None,
    name: str,
    slug: str | None = None,
    completion: Completion = "strict",
    public: bool = False,
    description: str = "",
    face: Mapping[str, str] | None = None,
    participation: str = "",
    notes: Sequence[str] = (),
    progress: Progress | None = None,
    finish: Finish = lambda show: show(),
) -> Collection:
    """Import queries into a new collection.

    The collection is invisible until the import is complete, and a failed import leaves nothing. The import uses short
    transactions, so that others can write meanwhile.

    Args:
        documents: one per query, or the result of `prepare_documents`.
        name, slug, public, description, face, participation: properties of the new collection (`CollectionFacts`).
        notes: sentences about reading the files, stored with the collection.
        progress: a callback. An exception that it raises ends the import.
        finish: a wrapper that calls the function that makes the collection visible. It can add to the same transaction.

    Raises:
        InputError: the documents have errors (all are listed), the name is taken, possibly by a concurrent import, or a
            quota is exceeded.
    """
    prepared = (
        documents if isinstance(documents, PreparedImport) else prepare_documents(documents, completion, progress)
    )
    prepared.problems.refuse_errors()
    facts = CollectionFacts(
        name=name, user=user, description=description, public=public, slug=slug, face=face, participation=participation
    )
    facts.refuse_problems()
    weights = [size_of_pages(document.pages) for document in prepared.documents]
    storage.check_quota_of_new_collection(user, sum(size for size, _ in weights), sum(rows for _, rows in weights))
    with storing_invisibly(prepared.documents, prepared.golds, progress) as (collection, golds):

        @transaction.atomic
        def show() -> Collection:
            record_still_running(collection)
            collection.import_notes = [*notes, *prepared.notes]
            open_collection(collection, facts)
            if golds:
                publish_stored(collection=collection, golds=golds, user=user, note="As imported.")
            # Check the quotas again, now including the gold standards and concurrent uploads.
            storage.check_quota(user, collection, more_rows=0)
            return collection

        return finish(show)


def _check_storable(document: GoldDocument, problems: ProblemList) -> None:
    """Add a problem for each value that the format allows but the database cannot store."""
    if not document.query_id:
        problems.error("no-query-id", "query", "a query without an id", "an id")
    if len(document.query_id) > KEY_CHARS:
        problems.error("long-id", "query", f"an id of {len(document.query_id):,} characters", f"at most {KEY_CHARS}")
    if long := [page.id for page in document.pages if len(page.id) > KEY_CHARS]:
        found = f"ids of more than {KEY_CHARS} characters: {listed(long)}"
        problems.error("long-id", "pages", found, f"ids of at most {KEY_CHARS} characters")
    for page in document.pages:
        if page.rank is not None and not 0 <= page.rank <= LARGEST_RANK:
            where = f"page {quoted(page.id)}"
            problems.error("bad-rank", where, f"the rank {page.rank}", f"a number from 0 to {LARGEST_RANK:,}, or null")


# --- Storage in many short transactions -------------------------------------------------------------------------------
# SQLite allows one writer at a time, so a long transaction would block everyone else. Until the import is complete, its
# collection has ``arriving_at`` set and `Collection.objects` does not return it, so nobody sees it. If an import fails,
# the collection is removed. The remains of a killed process are recognised by their age.

Row = TypeVar("Row")
Progress = Callable[[int, int, str], None]

BATCH_ROWS = 500
"""Number of rows in one transaction, which takes a tenth of a second on a busy machine."""
BATCH_GOLDS = 50
ABANDONED = datetime(1970, 1, 1, tzinfo=UTC)
"""The value of ``arriving_at`` of an abandoned import. It stores nothing more and never becomes visible."""


@contextmanager
def storing_invisibly(
    documents: Sequence[GoldDocument], golds: dict[str, GoldStandard], progress: Progress | None = None
) -> Iterator[tuple[Collection, list[Gold]]]:
    """Store queries, pages and gold standards in an invisible collection.

    The block makes the collection visible (`annotations.collections.services.open_collection`). If the block fails,
    everything is removed.

    Args:
        golds: query key -> gold standard.
        progress: a callback between transactions. An exception that it raises ends the import.

    Yields:
        The invisible collection and its unpublished gold standards.
    """
    collection = Collection.everything.create(
        name="on its way in", slug=f"arriving-{get_random_string(24)}".lower(), arriving_at=Now()
    )
    try:
        yield collection, _store_documents(collection, documents, golds, progress or (lambda *_: None))
    except BaseException:
        with suppress(DatabaseError, InterfaceError):  # `discard_left` removes it later
            _remove_imports(Collection.everything.filter(pk=collection.pk, arriving_at__isnull=False))
        raise


def discard_abandoned_imports(before: Expression) -> None:
    """Remove the remains of imports that have stored nothing since a time."""
    _remove_imports(Collection.everything.filter(arriving_at__lt=before))


def record_still_running(collection: Collection) -> None:
    """Record that the import of a collection is still running. Call this in each transaction that stores a part of it.

    Raises:
        InputError: the import was abandoned.
    """
    if not Collection.everything.filter(pk=collection.pk, arriving_at__gt=ABANDONED).update(arriving_at=Now()):
        found = "an import that paused for so long that its data was removed"
        raise InputError([Problem("import-given-up", "import", found, "a running import", "Import the file again.")])


def _store_documents(
    collection: Collection, documents: Sequence[GoldDocument], golds: dict[str, GoldStandard], progress: Progress
) -> list[Gold]:
    n_pages, done = sum(len(document.pages) for document in documents), 0
    queries: list[Query] = []
    for some in _store_in_batches(collection, _queries(collection, documents), Query.objects.bulk_create, BATCH_ROWS):
        queries += some
    for pages in _store_in_batches(collection, _pages(queries, documents), Page.objects.bulk_create, BATCH_ROWS):
        done += len(pages)
        progress(pages[-1].query.position - 1, len(queries), f"storing: {done:,} of {counted(n_pages, 'page')}")
    made = (make_gold_rows(query, golds[query.key]) for query in queries if query.key in golds)
    stored: list[Gold] = []
    for found in _store_in_batches(collection, made, store_golds, BATCH_GOLDS):
        stored += found
        progress(len(queries), len(queries), f"storing: {len(stored):,} of {counted(len(golds), 'gold standard')}")
    return stored


def _queries(collection: Collection, documents: Sequence[GoldDocument]) -> Iterator[Query]:
    for position, document in enumerate(documents, start=1):
        size, rows = size_of_pages(document.pages)
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


def _store_in_batches(
    collection: Collection, rows: Iterable[Any], store: Callable[[list[Any]], list[Row]], at_once: int
) -> Iterator[list[Row]]:
    """Store rows in batches, one transaction each. Pause after each for as long as it took, to let others write."""
    left = iter(rows)
    some = list(islice(left, at_once))
    while some:
        began = time.monotonic()
        with transaction.atomic():
            record_still_running(collection)
            stored = store(some)
        took = time.monotonic() - began
        yield stored
        some = list(islice(left, at_once))
        if some:
            time.sleep(took)


def _remove_imports(collections: QuerySet[Collection]) -> None:
    """Mark unfinished imports as abandoned, and remove their collections in short transactions."""
    given_up = list(collections.values_list("pk", flat=True))
    collections.update(arriving_at=ABANDONED)
    still = Collection.everything.filter(pk__in=given_up, arriving_at=ABANDONED)
    _delete_in_batches(Gold.objects.filter(query__collection__in=still), BATCH_GOLDS)
    _delete_in_batches(Page.objects.filter(query__collection__in=still), BATCH_ROWS)
    _delete_in_batches(Query.objects.filter(collection__in=still), BATCH_ROWS)
    _delete_in_batches(still, BATCH_ROWS)


def _delete_in_batches(rows: QuerySet[Any, Any], at_once: int) -> None:
    model: type[Model] = rows.model
    while some := list(rows.order_by("pk").values_list("pk", flat=True)[:at_once]):
        began = time.monotonic()
        with allow_removal("an import that did not end"):
            model._base_manager.filter(pk__in=some).delete()
        if len(some) == at_once:
            time.sleep(time.monotonic() - began)

"""Integrity checks of stored data: recompute hashes, replay logs and search for missing rows.

Triggers protect published rows (`common.append_only`). These checks find changes that bypassed the triggers: by the
owner of the database, by restoring a mismatched backup, or by a failing disk.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db.models import Model, Q, QuerySet

from annotations.collections.selectors import page_list_document
from annotations.collections.storage import quota_models
from annotations.drafts.selectors.replay import stored_state
from annotations.drafts.state_machine import apply, from_json
from annotations.drafts.state_machine.summaries import summary_of
from annotations.gold.selectors import load_gold_document, version_sha256
from annotations.models import Collection, Draft, Gold, GoldVersion, Stored, Stream, VectorSet
from annotations.models.storage import PackedFile
from qc4.problems import InputError, Problem

RESTORE = "Restore this row from an earlier backup. Then `manage.py verify` no longer reports it."
_AT_ONCE = 20
"""Number of rows fetched at once. Their files are read one at a time."""


@dataclass(frozen=True, slots=True)
class Check:
    """A check of each row of a table.

    Attributes:
        title: the name of the checked rows.
        rows: a function that returns the rows of a collection, or of all collections for None.
        faults: a function that returns the problems of one row.
    """

    title: str
    rows: Callable[[Collection | None], QuerySet[Any]]
    faults: Callable[[Any], Iterable[Problem]]

    def run(self, collection: Collection | None) -> Iterator[list[Problem]]:
        """Yield a list of problems for each row, usually empty. Only a few rows are in memory at a time."""
        for row in self.rows(collection).order_by("pk").iterator(chunk_size=_AT_ONCE):
            try:
                yield list(self.faults(row))
            except (InputError, zlib.error, KeyError, ValueError, TypeError) as error:
                yield [fault(row, f"content that cannot be read ({error})", "what was stored")]


def fault(row: Model, found: str, expected: str, fix: str = RESTORE) -> Problem:
    return Problem("not-as-stored", f"{row._meta.label} {row.pk} ({row})", found, expected, fix)


def hash_faults(row: Model, stored: str, content: bytes | str) -> Iterator[Problem]:
    """Yield a problem if the stored SHA-256 differs from that of the content. A ``str`` is the SHA-256 itself."""
    sha256 = content if isinstance(content, str) else hashlib.sha256(content).hexdigest()
    if stored != sha256:
        yield fault(row, f"the SHA-256 {stored[:12]}…, but the content has {sha256[:12]}…", "the same SHA-256")


def file_faults(row: Any) -> Iterator[Problem]:
    """Yield a problem if a row's file is missing or does not match the row's SHA-256."""
    file: PackedFile | None = getattr(row, "file", None)
    if file is None:
        yield fault(row, "no file", "the file it was stored with")
        return
    yield from hash_faults(row, row.sha256, file.content)


def rows_in(model: Any, path: str, *files: str) -> Callable[[Collection | None], QuerySet[Any]]:
    """Return a function that returns a model's rows in a collection, without collections that are being imported.

    Args:
        path: the lookup path from the model to the collection.
        files: related rows to fetch with each row.
    """

    def rows(collection: Collection | None) -> QuerySet[Any]:
        every: QuerySet[Any] = model.objects.select_related(*files).filter(**{f"{path}__arriving_at__isnull": True})
        return every if collection is None else every.filter(Q(**{path: collection}))

    return rows


def _gold_faults(gold: Gold) -> Iterator[Problem]:
    yield from file_faults(gold)
    if getattr(gold, "file", None) is None:
        return
    document = load_gold_document(gold)
    if document.pages != page_list_document(gold.query).pages:
        yield fault(gold.query, f"other pages than gold standard {gold.pk} was published with", "the same pages")
    if (len(document.pages), len(document.outliers)) != (gold.n_pages, gold.n_outliers):
        yield fault(gold, f"{gold.n_pages} pages and {gold.n_outliers} outliers", "the figures of its document")


def _version_faults(version: GoldVersion) -> Iterator[Problem]:
    entries = list(version.entries.values_list("query_id", "gold_id", "gold__query_id"))
    yield from hash_faults(version, version.sha256, version_sha256(gold for _, gold, _ in entries))
    if any(query != of_gold for query, _, of_gold in entries):
        yield fault(version, "a gold standard of another query than its entry names", "that query's")
    before = GoldVersion.objects.filter(collection=version.collection_id, number=version.number - 1)
    if version.number > 1 and not before.exists():
        yield fault(version, f"no version {version.number - 1} before it", "every version that was published")


def _draft_faults(draft: Draft) -> Iterator[Problem]:
    """Replay the log from the first snapshot and compare it with the stored state."""
    snapshots = draft.snapshots.order_by("revision")
    first = snapshots.filter(revision=0).first()
    if first is None:
        yield fault(draft, "no snapshot of its start", "a snapshot at revision 0")
        return
    pages = tuple(draft.query.pages.order_by("position").values_list("key", flat=True))
    state, head, revision, changed = from_json(stored_state(first), pages), draft.head, 0, draft.created_at
    later = set(snapshots.filter(revision__gt=0).values_list("revision", flat=True))
    for entry in draft.entries.order_by("revision").iterator(chunk_size=_AT_ONCE):
        if entry.revision != revision + 1:
            yield fault(draft, f"no entry {revision + 1} of its log", "every entry")
            return
        state, head, revision = apply(state, entry.changes, entry.revision), entry.op_id, entry.revision
        changed = entry.created_at
        if revision in later and from_json(stored_state(snapshots.get(revision=revision)), pages) != state:
            yield fault(draft, f"a snapshot of another state at revision {revision}", "the state its log leads to")
    if (revision, head) != (draft.revision, draft.head):
        yield fault(draft, f"a log that ends at revision {revision}", f"its head at revision {draft.revision}")
    elif draft.summary and draft.summary != summary_of(state):
        yield fault(draft, "figures of another state", "the figures of the state that its log leads to")
    elif draft.changed_at != changed:
        yield fault(draft, f"a last change at {draft.changed_at}", f"{changed}, when its log ends")


def amount_checks() -> Iterator[Check]:
    """Yield a check for each table that counts against quotas: its counts must match its content."""
    for model in quota_models():
        rows = rows_in(model, model.of_collection) if model.of_collection else _of_no_collection(model)
        yield Check(f"amounts of {model.part}", rows, _amount_faults)


def _of_no_collection(model: type[Stored]) -> Callable[[Collection | None], QuerySet[Any]]:
    return lambda collection: model._default_manager.all() if collection is None else model._default_manager.none()


def _amount_faults(row: Stored) -> Iterator[Problem]:
    """Yield a problem if a row's stored size differs from its actual size."""
    try:
        stored, found = (row.stored_bytes, row.stored_rows), row.measured()
    except ObjectDoesNotExist:  # `file_faults` reports missing files
        return
    if stored != found:
        yield fault(
            row, f"{stored[0]:,} bytes and {stored[1]:,} rows counted", f"{found[0]:,} bytes and {found[1]:,} rows"
        )


def _guidelines_faults(collection: Collection) -> Iterator[Problem]:
    numbers = sorted(collection.guidelines.values_list("number", flat=True))
    if numbers != list(range(1, collection.guidelines_number + 1)):
        found = f"{len(numbers)} versions of its guidelines, numbered up to {max(numbers, default=0)}"
        yield fault(collection, found, f"versions 1 to {collection.guidelines_number}")


def _collections(collection: Collection | None) -> QuerySet[Any]:
    every = Collection.objects.all()
    return every if collection is None else every.filter(pk=collection.pk)


CHECKS = (
    Check("gold standards", rows_in(Gold, "query__collection", "file", "query"), _gold_faults),
    Check("gold versions", rows_in(GoldVersion, "collection"), _version_faults),
    Check("streams", rows_in(Stream, "collection", "file"), file_faults),
    Check("vectors", rows_in(VectorSet, "query__collection", "file"), file_faults),
    Check("drafts", rows_in(Draft, "query__collection", "query"), _draft_faults),
    Check("guidelines", _collections, _guidelines_faults),
)

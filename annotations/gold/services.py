"""Publish gold standards as numbered versions, and record who has seen them."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import QuerySet

from accounts.audit import Kind, log
from accounts.models import User
from accounts.person import Person
from annotations.access import May, capabilities
from annotations.collections import storage
from annotations.collections.selectors import page_list_document, query_names
from annotations.gold.selectors import latest_version, pack_tree, size_problems, tree_of, version_sha256
from annotations.models import (
    Collection,
    DraftPublication,
    Gold,
    GoldFile,
    GoldOutline,
    GoldVersion,
    GoldVersionEntry,
    OthersSeen,
    Query,
)
from qc4.io import write_gold
from qc4.model.gold_document import PAGE_FIELDS, Completion, GoldDocument, Page
from qc4.model.gold_standard import GoldStandard
from qc4.model.rules import prepare_all
from qc4.model.spelling import with_known_spellings
from qc4.problems import Problem, ProblemList
from qc4.text import Spellings, comparison_key, decode_entities
from qc4.wording import listed, quoted


def publish(
    *,
    collection: Collection,
    documents: Iterable[GoldDocument],
    user: User | None,
    note: str = "",
    completion: Completion = "strict",
) -> GoldVersion:
    """Publish gold standards as the collection's next version.

    Queries without a document keep the gold standard of the latest version. A document must have the same pages as the
    collection's page list, but it may omit their texts.

    Args:
        completion: the rule for pages in no topic (`qc4.model.rules.prepare`).

    Returns:
        The new version, or the latest version if the documents change nothing.

    Raises:
        InputError: a query is unknown or repeated, pages differ from the collection's, a limit is exceeded, or a
            document breaks one of the rules R1-R6. The error lists all problems, and nothing is published.
    """
    placed = _match_to_queries(collection, list(documents))
    standards = prepare_all([document for _, document in placed], completion)
    pairs = [(query, standard) for (query, _), standard in zip(placed, standards, strict=True)]
    return publish_prepared(collection=collection, golds=pairs, user=user, note=note)


def publish_prepared(
    *, collection: Collection, golds: Sequence[tuple[Query, GoldStandard]], user: User | None, note: str = ""
) -> GoldVersion:
    """Publish gold standards that are already checked and have their query's pages. See `publish`."""
    made = [make_gold_rows(query, standard) for query, standard in golds]
    with transaction.atomic():
        # Lock the collection, so that concurrent publications get consecutive numbers and build on each other.
        Collection.objects.select_for_update().get(pk=collection.pk)
        return publish_stored(collection=collection, golds=store_golds(made), user=user, note=note)


def publish_stored(*, collection: Collection, golds: Iterable[Gold], user: User | None, note: str = "") -> GoldVersion:
    """Publish stored gold standards. The caller's transaction has locked the collection. See `publish_prepared`."""
    with transaction.atomic():
        latest = latest_version(collection)
        held = dict(latest.entries.values_list("query_id", "gold_id")) if latest else {}
        held |= {gold.query_id: gold.pk for gold in golds}
        sha256 = version_sha256(held.values())
        if latest is not None and latest.sha256 == sha256:
            return latest
        version = GoldVersion.objects.create(
            collection=collection,
            number=latest.number + 1 if latest else 1,
            sha256=sha256,
            note=note,
            published_by=user,
        )
        entries = [GoldVersionEntry(version=version, query_id=query, gold_id=gold) for query, gold in held.items()]
        GoldVersionEntry.objects.bulk_create(entries, batch_size=500)
        log(Kind.GOLD_PUBLISHED, actor=user, collection=collection.pk, about=f"version {version.number}")
    return version


class GoldRows(NamedTuple):
    """The unsaved rows of a gold standard."""

    gold: Gold
    file: GoldFile
    outline: GoldOutline


def store_golds(made: Sequence[GoldRows]) -> list[Gold]:
    """Store gold standards and return their rows. Unchanged gold standards reuse the existing row.

    The caller has locked the collection.
    """
    found = Gold.objects.filter(query__in=[rows.gold.query_id for rows in made])
    known = {(row.query_id, row.sha256): row for row in found}
    new = [rows for rows in made if (rows.gold.query_id, rows.gold.sha256) not in known]
    if new:
        collection = new[0].gold.query.collection
        storage.check_quota(collection.created_by, collection, sum(rows.gold.stored_bytes for rows in new), len(new))
    Gold.objects.bulk_create([rows.gold for rows in new], batch_size=100)
    GoldFile.objects.bulk_create([rows.file for rows in new], batch_size=100)
    GoldOutline.objects.bulk_create([rows.outline for rows in new], batch_size=100)
    return [known.get((rows.gold.query_id, rows.gold.sha256), rows.gold) for rows in made]


def make_gold_rows(query: Query, standard: GoldStandard) -> GoldRows:
    """Make the rows of a gold standard. This takes time, so it is done before the transaction."""
    if standard.document is None:
        raise ValueError("only gold standards with a document can be published")
    content = write_gold(standard.document)
    hierarchy = standard.hierarchy
    content_packed = zlib.compress(content, 6)
    record = standard.document.extra.get("completion")
    completed = isinstance(record, dict) and record.get("rule") == "complete"
    gold = Gold(
        query=query,
        sha256=hashlib.sha256(content).hexdigest(),
        n_pages=standard.n_pages,
        n_topics=hierarchy.n_topics,
        n_levels=hierarchy.n_levels,
        n_outliers=int(hierarchy.outliers.size),
        topics_per_level=[int(hierarchy.topics_on(level).size) for level in hierarchy.levels],
        completion="complete" if completed else "strict",
        stored_bytes=len(content_packed),
        stored_rows=1,
    )
    file = GoldFile(gold=gold, packed=content_packed)
    outline = zlib.compress(pack_tree(tree_of(standard.document)), 6)
    return GoldRows(gold, file, GoldOutline(gold=gold, packed=outline))


def _match_to_queries(collection: Collection, documents: Sequence[GoldDocument]) -> list[tuple[Query, GoldDocument]]:
    """Return each document with its query. The documents then have the collection's page list."""
    problems = ProblemList()
    if not documents:
        problems.error("no-gold", "documents", "no gold standards", "at least one")
    queries = {query.key: query for query in collection.queries.order_by("position", "pk")}
    names = query_names(queries.values())
    placed: dict[str, tuple[Query, GoldDocument]] = {}
    for document in documents:
        where = f"query {quoted(document.query_id)}"
        query = queries.get(names.key(document.query_id))
        if query is None:
            found = "a gold standard for a query the collection does not have"
            names.note_unknown(document.query_id, where, found, problems)
        elif query.key in placed:
            problems.error("duplicate-query", where, "a second gold standard", "one gold standard per query")
        else:
            own = page_list_document(query)
            wrong = [*size_problems(document), *_page_problems(document, own)]
            problems.extend(problem.within(where) for problem in wrong)
            placed[query.key] = (query, _with_own_pages(own, document))
    problems.refuse_errors()
    return list(placed.values())


def with_own_pages(query: Query, document: GoldDocument) -> GoldDocument:
    """Return an uploaded hierarchy with the collection's page list for this query.

    Raises:
        InputError: the hierarchy belongs to another query or has other pages.
    """
    own = page_list_document(query)
    problems = ProblemList()
    names = query_names([query])
    if names.key(document.query_id) != query.key:
        found = f"a gold standard for {quoted(document.query_id)}"
        problems.error("unknown-query", "query", found, f"one for query {names.told(query.key)}")
    problems.extend(_page_problems(document, own))
    problems.refuse_errors()
    return _with_own_pages(own, document)


def _with_own_pages(own: GoldDocument, document: GoldDocument) -> GoldDocument:
    """Return the document with the collection's page list and its spelling of page ids."""
    return with_known_spellings(
        replace(
            document, query_id=own.query_id, query_text=own.query_text, query_extra=own.query_extra, pages=own.pages
        )
    )


def _page_problems(document: GoldDocument, own: GoldDocument) -> list[Problem]:
    """Return the differences between a document's pages and the collection's page list, as problems."""
    problems = ProblemList()
    known = {page.id: page for page in own.pages}
    spellings = Spellings(known)
    given = {spellings.of(page.id): page for page in document.pages}
    if unknown := [page for page in given if page not in known]:
        problems.error("unknown-page", "pages", f"pages the collection does not have: {listed(unknown)}", "its pages")
    if missing := [page for page in known if page not in given]:
        found = f"{len(missing):,} pages of the collection are missing: {listed(missing)}"
        problems.error("missing-page", "pages", found, "every page of the query")
    for page_id, page in given.items():
        if page_id in known and (changed := _changed_texts(page, known[page_id])):
            found = f"a {' and '.join(changed)} that differs from the collection's"
            expected = "the collection's text, or no text"
            problems.error("page-differs", f"page {quoted(page_id)}", found, expected)
    return list(problems)


def _changed_texts(given: Page, known: Page) -> list[str]:
    pairs = ((name, getattr(given, name), getattr(known, name)) for name in PAGE_FIELDS)
    return [
        name for name, own, other in pairs if own is not None and _comparison_value(own) != _comparison_value(other)
    ]


def _comparison_value(value: str | int | None) -> str | int | None:
    """Return a field of a page in a form that ignores Unicode forms and encoded HTML entities."""
    return comparison_key(decode_entities(value, "twice")) if isinstance(value, str) else value


# --- Exposure to others' work -----------------------------------------------------------------------------------------


def record_gold_exposure(person: Person, collection: Collection, golds: Iterable[Gold] | QuerySet[Any, Any]) -> None:
    """Record in the exposure log that a person is shown published gold standards.

    Only curators of the collection, and only gold standards made from others' drafts, are recorded. This takes two
    database queries, or three the first time.
    """
    if isinstance(person, User) and May.CURATE in capabilities(person, collection):
        _note_gold(person, golds)


def _note_gold(person: User, golds: Iterable[Gold] | QuerySet[Any, Any]) -> None:
    known = OthersSeen.objects.filter(user=person).values("query")
    published = DraftPublication.objects.filter(gold__in=golds).exclude(draft__query__in=known)
    rows = published.exclude(draft__curator=person).order_by("-pk").values_list("draft__query", "draft")
    seen = [OthersSeen(query_id=query, user=person, what=OthersSeen.What.GOLD, draft_id=draft) for query, draft in rows]
    OthersSeen.objects.bulk_create(seen, ignore_conflicts=True)

"""Bring collections in: queries, page lists and, where the files hold them, gold standards as version 1."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db import transaction

from accounts.models import User
from annotations.models import Collection
from annotations.models.queries import weight
from annotations.services import quotas
from annotations.services.arrivals import Progress, arriving, still_arriving
from annotations.services.collections import CollectionFacts, open_collection
from annotations.services.gold import publish_stored
from common.limits import KEY_CHARS, LARGEST_RANK
from qc4.model.gold_document import Completion, GoldDocument
from qc4.model.gold_standard import GoldStandard
from qc4.model.rules import CheckedDocument, query_name
from qc4.model.spelling import unusual_gold_texts
from qc4.problems import InputError, ProblemList, repeats
from qc4.wording import counted, listed, quoted

Finish = Callable[[Callable[[], Collection]], Collection]


@dataclass(slots=True)
class Prepared:
    """Documents that may be imported, and what was found on the way.

    Attributes:
        documents: one per query, in order.
        golds: query key -> its gold standard, for the queries that have one.
        problems: errors and warnings; with errors nothing may be imported.
        notes: sentences on what the completion rule did, to be kept with the collection.
    """

    documents: tuple[GoldDocument, ...]
    golds: dict[str, GoldStandard] = field(default_factory=dict)
    problems: ProblemList = field(default_factory=ProblemList)
    notes: list[str] = field(default_factory=list)


def prepare_documents(
    documents: Sequence[GoldDocument], completion: Completion = "strict", progress: Progress | None = None
) -> Prepared:
    """Check documents against the rules and the site's limits. Never raises for bad input: see ``problems``."""
    prepared = Prepared(tuple(documents))
    if not documents:
        prepared.problems.error("empty-collection", "collection", "no queries", "at least one query")
    again = {place for place, _ in repeats(document.query_id for document in documents)}
    outliers = placed = 0
    for number, document in enumerate(documents):
        found = ProblemList()
        if number in again:
            found.error("duplicate-query", "query", "this query again", "each query once per collection")
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
    documents: Sequence[GoldDocument] | Prepared,
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
    """Import queries into a new collection. Nobody sees anything of it before all of it is there, and where the import
    fails nothing of it stays; it is stored in short transactions, so that others can write meanwhile.

    Args:
        documents: one per query, or what `prepare_documents` made of them.
        name, slug, public, description, face, participation: of the new collection.
        notes: sentences of the reader, kept with the collection.
        progress: what it raises ends the import.
        finish: calls what shows the collection in one transaction; by default nothing else belongs to that.

    Raises:
        InputError: every problem of every document, a name that is taken, also by an import that was faster; a
            quota that is reached.
    """
    prepared = documents if isinstance(documents, Prepared) else prepare_documents(documents, completion, progress)
    prepared.problems.refuse_errors()
    facts = CollectionFacts(
        name=name, user=user, description=description, public=public, slug=slug, face=face, participation=participation
    )
    facts.refuse_problems()
    weights = [weight(document.pages) for document in prepared.documents]
    quotas.admit_collection(user, sum(size for size, _ in weights), sum(rows for _, rows in weights))
    with arriving(prepared.documents, prepared.golds, progress) as (collection, golds):

        @transaction.atomic
        def show() -> Collection:
            still_arriving(collection)
            collection.import_notes = [*notes, *prepared.notes]
            open_collection(collection, facts)
            if golds:
                publish_stored(collection=collection, golds=golds, user=user, note="As imported.")
            # Once more, now that it counts: with its gold standards, and with what came in meanwhile.
            quotas.admit(user, collection, more_rows=0)
            return collection

        return finish(show)


def _check_storable(document: GoldDocument, problems: ProblemList) -> None:
    """What the format allows and the tables do not."""
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

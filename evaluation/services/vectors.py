"""Bring vectors of pages in, or make them from page text, as jobs; then score what they change."""

from __future__ import annotations

from pathlib import Path

from django.contrib.auth.models import User
from django.db import transaction

from annotations.models import Collection, Query, VectorSet
from annotations.selectors.page_lists import page_list, page_lists
from annotations.services import vectors
from evaluation.jobs import cells
from evaluation.jobs.context import JobContext
from evaluation.jobs.transitions import State
from evaluation.models import Run, Upload
from evaluation.services import runs, uploads
from evaluation.services.gold import latest_submissions
from qc4.formats.source import Blob
from qc4.problems import InputError, Problem, ProblemList
from qc4.problems.wording import counted, listed
from qc4.vectors.text import COMPONENTS, text_vectors

MAX_COMPONENTS = 1_000
MAX_SEED = 2**32 - 1


def enqueue_file(*, collection: Collection, upload: Upload, user: User | None) -> Run:
    """Queue reading a file or ZIP of vectors (`annotations.services.vectors.read_file`).

    Raises:
        TooManyRuns: a limit on unfinished runs is reached.
    """
    return runs.enqueue(kind=Run.Kind.VECTORS, collection=collection, upload=upload, user=user)


def enqueue_from_text(
    *, collection: Collection, components: int = COMPONENTS, seed: int = 0, user: User | None = None
) -> Run:
    """Queue making vectors of every query from the text of its pages (`qc4.vectors.text`).

    Raises:
        InputError: components or seed out of range, no queries.
        TooManyRuns: a limit on unfinished runs is reached.
    """
    problems = ProblemList()
    if not 1 <= components <= MAX_COMPONENTS:
        problems.error("bad-components", "components", str(components), f"a whole number from 1 to {MAX_COMPONENTS:,}")
    if not 0 <= seed <= MAX_SEED:
        problems.error("seed", "seed", str(seed), f"a whole number from 0 to {MAX_SEED:,}")
    if not collection.queries.exists():
        problems.error("no-queries", collection.name, "a collection without queries", "queries with pages")
    problems.refuse_errors()
    options = {"components": components, "seed": seed}
    return runs.enqueue(kind=Run.Kind.VECTORS, collection=collection, options=options, user=user)


def put(query: Query, content: bytes, name: str, user: User | None) -> tuple[VectorSet, list[Run]]:
    """Keep one query's vectors from a ``.npy`` or CSV file, and queue the evaluations they change.

    Raises:
        InputError: as `qc4.formats.read_vectors`.
    """
    pages = page_lists(query.collection)[query.key]
    found = vectors.read_query(query, Blob(name, content), pages)
    row = vectors.pack(query, found, VectorSet.Origin.UPLOADED, user)
    with transaction.atomic():
        changed = vectors.keep([row])
        started = reevaluate(query.collection, user) if changed else []
    return row if changed else query.vector_sets.defer("data").latest("pk"), started


def execute(context: JobContext) -> None:
    """Do a vectors run.

    Raises:
        InputError: every problem of the file; no page of any query has a word.
    """
    if context.run.upload is not None:
        _from_file(context, context.run.upload)
    else:
        _from_text(context)


def reevaluate(collection: Collection, user: User | None) -> list[Run]:
    """Queue the evaluation of every algorithm's latest submissions against the latest gold version.

    Only measures that look at vectors are computed. A run that still waits will see the new vectors: it is enough.
    """
    version = collection.gold_versions.order_by("-number").first()
    if version is None:
        return []
    waiting = Run.objects.filter(kind=Run.Kind.EVALUATION, gold_version=version, state=State.QUEUED)
    enough = {
        submission
        for submission, measures in waiting.values_list("submission_id", "measures")
        if any(map(cells.looks_at_vectors, measures))
    }
    return [
        runs.enqueue_evaluation(submission=submission, gold_version=version, user=user, queue="backfill", limited=False)
        for submission in latest_submissions(collection).exclude(pk__in=enough)
    ]


def _from_file(context: JobContext, upload: Upload) -> None:
    """Read everything, then keep all of it or nothing."""
    run, collection = context.run, _collection(context.run)
    context.checkpoint(0, 0, "reading")
    with uploads.opened(upload) as file:
        found = vectors.read_file(collection, Path(file.name), upload.name)
    rows = []
    for number, (query, points) in enumerate(found):
        context.checkpoint(number, len(found), f"query {query.key}")
        rows.append(vectors.pack(query, points, VectorSet.Origin.UPLOADED, run.created_by))

    def write() -> None:
        _finish(context, bool(vectors.keep(rows)))

    words = f"Vectors of {counted(len(rows), 'query', 'queries')}."
    context.commit(write, done=len(rows), total=len(rows), finish=words)


def _from_text(context: JobContext) -> None:
    """Query by query. A run that starts again makes the same vectors, and keeps them once."""
    run, collection = context.run, _collection(context.run)
    queries = list(collection.queries.select_related("collection"))
    textless: list[str] = []
    for number, query in enumerate(queries, start=1):
        context.checkpoint(number - 1, len(queries), f"query {query.key}")
        row = _text_row(query, run)
        if row is None:
            textless.append(query.key)
            continue
        context.commit(lambda: vectors.keep([row]), done=number, total=len(queries))  # noqa: B023  # called at once
    if len(textless) == len(queries):
        found, fix = "no word in any page", "Upload vectors, or import page titles, snippets or texts."
        raise InputError([Problem("no-text", collection.name, found, "page text", fix)])
    if textless:
        context.remark(f"Left out, having no page text: {listed(textless)}.")
    words = f"Vectors of {counted(len(queries) - len(textless), 'query', 'queries')} from page text."
    context.commit(lambda: _finish(context, True), done=len(queries), total=len(queries), finish=words)


def _text_row(query: Query, run: Run) -> VectorSet | None:
    """Packed vectors of a query; None where no page has a word."""
    components = run.options["components"]
    pages = query.pages.count()
    vectors.refuse_endless(query, pages, min(components, pages))
    try:
        points = text_vectors(page_list(query), components, run.options["seed"])
    except InputError as error:
        if {problem.code for problem in error.problems} == {"no-text"}:
            return None
        raise
    return vectors.pack(query, points, VectorSet.Origin.TEXT, run.created_by)


def _finish(context: JobContext, changed: bool) -> None:
    if changed:
        reevaluate(_collection(context.run), context.run.created_by)


def _collection(run: Run) -> Collection:
    if run.collection is None:
        raise ValueError("a vectors run has a collection")
    return run.collection

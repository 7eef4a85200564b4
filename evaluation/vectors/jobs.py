"""Read page vectors from a file, or make them from page text; then queue the evaluations that change."""

from __future__ import annotations

from pathlib import Path

from annotations.collections import vectors
from annotations.collections.selectors import page_list_document
from annotations.models import Query, VectorFile, VectorSet
from evaluation.models import Run, Upload
from evaluation.runs.context import JobContext, resumable
from evaluation.uploads import services as uploads
from evaluation.vectors.services import reevaluate
from qc4.model.vectors import text_vectors
from qc4.problems import InputError, Problem
from qc4.wording import counted, listed


def execute(context: JobContext) -> None:
    """Execute a vectors run.

    Raises:
        InputError: every problem of the file; no page of any query contains a word.
    """
    if context.run.upload is not None:
        _from_file(context, context.run.upload)
    else:
        _from_text(context)


def _from_file(context: JobContext, upload: Upload) -> None:
    """Read everything first, then store all of it or nothing."""
    run, collection = context.run, context.collection
    context.checkpoint(0, 0, "reading")
    with uploads.opened(upload) as file:
        found = vectors.read_vector_file(collection, Path(file.name), upload.name)
    files = []
    for number, (query, points) in enumerate(found):
        context.checkpoint(number, len(found), f"query {query.key}")
        files.append(vectors.pack_vectors(query, points, VectorSet.Origin.UPLOADED, run.created_by))

    def write() -> None:
        _finish(context, bool(vectors.store_vectors(files)))

    words = f"Vectors of {counted(len(files), 'query', 'queries')}."
    context.commit(write, done=len(files), total=len(files), finish=words)


def _from_text(context: JobContext) -> None:
    """Make vectors query by query. A run that restarts makes the same vectors and stores them once."""
    run, collection = context.run, context.collection
    queries = list(collection.queries.select_related("collection"))
    textless: list[str] = []

    def keep(made: list[tuple[Query, VectorFile | None]]) -> None:
        textless.extend(query.key for query, file in made if file is None)
        vectors.store_vectors([file for _, file in made if file is not None])

    resumable(
        context,
        queries,
        lambda query: f"query {query.key}",
        lambda query: _text_file(query, run),
        keep,
        total=len(queries),
    )
    if len(textless) == len(queries):
        found, fix = "no word in any page", "Upload vectors, or import page titles, snippets or texts."
        raise InputError([Problem("no-text", collection.name, found, "page text", fix)])
    if textless:
        context.remark(f"Skipped because they have no page text: {listed(textless)}.")
    words = f"Vectors of {counted(len(queries) - len(textless), 'query', 'queries')} from page text."
    context.commit(lambda: _finish(context, True), done=len(queries), total=len(queries), finish=words)


def _text_file(query: Query, run: Run) -> VectorFile | None:
    """Packed vectors of a query; None if no page contains a word."""
    components = run.options["components"]
    pages = query.pages.count()
    vectors.check_vector_size(query, pages, min(components, pages))
    try:
        points = text_vectors(page_list_document(query), components, run.options["seed"])
    except InputError as error:
        if {problem.code for problem in error.problems} == {"no-text"}:
            return None
        raise
    return vectors.pack_vectors(query, points, VectorSet.Origin.TEXT, run.created_by)


def _finish(context: JobContext, changed: bool) -> None:
    if changed:
        reevaluate(context.collection, context.run.created_by)

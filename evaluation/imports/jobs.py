"""Import a collection: check the file first, then store all of it or nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from annotations.collections.services import free_slug
from annotations.imports.services import import_documents
from annotations.models import Collection
from evaluation.imports.services import check
from evaluation.models import Run
from evaluation.runs.context import JobContext
from evaluation.uploads import services as uploads
from qc4.problems import InputError, Problem


def execute(context: JobContext) -> None:
    """Execute an import run: read and check the file, then store everything while it is still hidden.

    One transaction makes the collection visible, links it to the run and sets the run to DONE.

    Raises:
        InputError: every problem of the file.
    """
    run = context.run
    options: dict[str, Any] = run.options
    context.checkpoint(0, 0, "reading")
    if run.upload is None:
        raise InputError([Problem("no-upload", "run", "no file", "an upload", "Upload the file again.")])
    with uploads.opened(run.upload) as file:
        report = check(
            file,
            filename=run.upload.name,
            completion=options["completion"],
            split_levels=options["split_levels"],
            html_entities=options["html_entities"],
            progress=context.checkpoint,
        )
    if report.prepared is None:
        raise InputError(report.errors)
    total = len(report.prepared.documents)

    def finish(show: Callable[[], Collection]) -> Collection:
        def store() -> Collection:
            collection = show()
            Run.objects.filter(pk=run.pk).update(collection=collection)
            return collection

        return context.commit(store, done=total, total=total, finish=f"Imported {report.summary}.")

    import_documents(
        documents=report.prepared,
        name=options["name"],
        slug=free_slug(options["name"], hidden=False) if options.get("plain_address") else None,
        user=run.created_by,
        public=options["public"],
        notes=report.notes,
        description=options.get("description", ""),
        participation=options.get("participation", ""),
        face={name: options[name] for name in Collection.FACE if name in options},
        progress=context.checkpoint,
        finish=finish,
    )

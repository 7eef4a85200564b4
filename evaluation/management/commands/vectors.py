"""``manage.py vectors COLLECTION [PATH]``: set the page vectors for internal measures, from files or page text."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser
from django.db import transaction

from accounts.console import SiteCommand
from annotations.collections.vectors import latest_vectors
from evaluation.management.console import (
    Missing,
    add_user,
    carry_out,
    collection_named,
    refusals,
    summary_table,
    user_named,
)
from evaluation.models import Run
from evaluation.uploads import services as uploads
from evaluation.vectors import services as vectors
from qc4.model.vectors import COMPONENTS


class Command(SiteCommand):
    """Execute one vectors run, then the evaluations it queued."""

    help = "Import vectors of a collection's pages, or make them from page text, and score on them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument(
            "path", nargs="?", type=Path, help=".npy or CSV file named by its query, or a folder or ZIP of such files"
        )
        parser.add_argument("--from-text", action="store_true", help="make them from the text of the pages")
        parser.add_argument(
            "--components", type=int, default=COMPONENTS, help=f"dimensions for --from-text (default {COMPONENTS})"
        )
        parser.add_argument("--seed", type=int, default=0, help="seed for --from-text (default 0)")
        add_user(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path | None = options["path"]
        if (path is None) != options["from_text"]:
            raise Missing("Give either a path or --from-text.")
        collection, user = collection_named(options["collection"]), user_named(options["user"])
        before = Run.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        with refusals("The request"), transaction.atomic():
            if path is not None:
                run = vectors.enqueue_file(collection=collection, upload=uploads.store_path(path, user), user=user)
            else:
                run = vectors.enqueue_from_text(
                    collection=collection, components=options["components"], seed=options["seed"], user=user
                )
        carry_out(run, "Vectors")
        held = latest_vectors(collection)
        self.stdout.write(f"{len(held)} of {collection.queries.count()} queries have vectors.")
        queued = Run.objects.filter(collection=collection, kind=Run.Kind.EVALUATION, pk__gt=before)
        scored = [carry_out(evaluation, f"Scoring run {evaluation.pk}") for evaluation in queued.order_by("pk")]
        if scored:
            self.stdout.write(summary_table(scored))

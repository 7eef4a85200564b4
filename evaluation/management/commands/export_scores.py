"""``manage.py export_scores COLLECTION --format csv|json``: write every score with provenance to standard output."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from annotations.models import Collection
from evaluation.management.console import Missing, Stopped, collection_named, refusals
from evaluation.models import Submission
from evaluation.scoring import exports
from evaluation.submissions.all_scores import TABLES, last_run, whole_scores
from qc4.model.policies import Policies
from qc4.progress import progress_bar
from qc4.tables import csv_lines


class Command(SiteCommand):
    """Export all submissions, including private ones: the operator can read the database anyway."""

    help = "Export every score of a collection with its provenance."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument("--format", choices=("csv", "json"), default="csv")
        parser.add_argument(
            "--submission",
            type=int,
            metavar="N",
            help="only that submission, as a CSV table",
        )
        tables = "; ".join(f"{name}: {words}" for name, words in TABLES.items())
        parser.add_argument("--table", choices=tuple(TABLES), default="scores", help=f"with --submission: {tables}")
        parser.add_argument("--output", type=Path, metavar="FILE", help="by default standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        collection = collection_named(options["collection"])
        if options["submission"] is not None:
            self._write(options, lambda target: _write_one(collection, options["submission"], options["table"], target))
            return
        rows = exports.scores(collection)
        write = exports.write_json if options["format"] == "json" else exports.write_csv
        self._write(options, lambda target: write(rows, target))

    def _write(self, options: Mapping[str, Any], write: Callable[[exports.Writable], None]) -> None:
        if options["output"] is None:
            self.stdout.ending = ""
            write(self.stdout)
            return
        try:
            with options["output"].open("w", encoding="utf-8", newline="") as file, progress_bar("Exporting"):
                write(file)
        except OSError as error:
            raise Stopped(f"{options['output']}: {error.strerror}") from None


def _write_one(collection: Collection, pk: int, table: str, target: exports.Writable) -> None:
    submission = Submission.objects.filter(collection=collection, pk=pk).first()
    if submission is None:
        raise Missing(f"There is no submission {pk} in this collection.")
    with refusals(f"submission {pk}"):
        run = last_run(submission, Policies())
    for line in csv_lines(whole_scores(run, None).table(table)):
        target.write(line)

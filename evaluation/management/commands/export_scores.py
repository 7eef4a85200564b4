"""``manage.py export_scores COLLECTION --format csv|json``: every score with its provenance, to standard output."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from evaluation.console import SiteCommand, Stopped, collection_named
from evaluation.selectors import exports


class Command(SiteCommand):
    """All submissions, private ones too: whoever runs commands may read the database anyway."""

    help = "Export every score of a collection with its provenance."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or exact name")
        parser.add_argument("--format", choices=("csv", "json"), default="csv")
        parser.add_argument("--output", type=Path, metavar="FILE", help="by default standard output")

    def handle(self, *args: Any, **options: Any) -> None:
        rows = exports.scores(collection_named(options["collection"]))
        write = exports.write_json if options["format"] == "json" else exports.write_csv
        if options["output"] is None:
            self.stdout.ending = ""
            write(rows, self.stdout)
            return
        try:
            with options["output"].open("w", encoding="utf-8", newline="") as file:
                write(rows, file)
        except OSError as error:
            raise Stopped(f"{options['output']}: {error.strerror}") from None

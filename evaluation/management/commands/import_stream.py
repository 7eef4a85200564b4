"""``manage.py import_stream COLLECTION FILE``: import a data stream with its ground truth."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from annotations.collections import streams
from evaluation.management.console import (
    add_noise,
    add_user,
    collection_named,
    printable,
    refusals,
    user_named,
)
from qc4.model.noise import describe_noise
from qc4.wording import counted


class Command(SiteCommand):
    """Store the whole stream or nothing."""

    help = "Import a stream into a collection: qc4-stream/1 JSON, or CSV time,class,x1,x2,..."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument("path", type=Path)
        parser.add_argument("--key", default="", help="the stream's permanent name; by default the name in the file")
        add_noise(parser)
        add_user(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        collection, user = collection_named(options["collection"]), user_named(options["user"])
        with refusals(str(path)):
            document = streams.read_stream_file(path, path.name, options["key"], noise=options["noise"])
            row = streams.add_stream(collection, document, user)
        if document.noise:
            self.stdout.write(f"Read as noise: {describe_noise(document.noise, 'point')}.")
        classes = counted(row.n_classes, "class", "classes")
        self.stdout.write(
            f"Stream {printable(row.key)!r}: {counted(row.n_points, 'point')} of "
            f"{counted(row.n_dimensions, 'dimension')}, {classes}."
        )

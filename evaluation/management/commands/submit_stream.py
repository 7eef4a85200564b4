"""``manage.py submit_stream COLLECTION STREAM FILE --algorithm NAME``: submit clusterings of a stream, and measure
them.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from common.limits import FILE_NAME_CHARS
from evaluation.management.console import (
    add_provenance,
    add_settings,
    carry_out,
    collection_named,
    medians_table,
    printable,
    provenance_given,
    refusals,
    settings_from,
    stream_named,
)
from evaluation.streams import services as streams
from qc4.wording import counted


class Command(SiteCommand):
    """Check the file first, and store all of it or nothing."""

    help = "Submit an algorithm's clusterings of a stream over time, and measure them."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("collection", help="slug or name")
        parser.add_argument("stream", help="the name of the stream")
        parser.add_argument("path", type=Path)
        parser.add_argument(
            "--algorithm", metavar="NAME", default="", help="the algorithm's name; by default the name in the file"
        )
        add_settings(parser)
        add_provenance(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        path: Path = options["path"]
        collection, provenance = collection_named(options["collection"]), provenance_given(options)
        stream = stream_named(collection, options["stream"])
        with refusals(str(path)):
            settings = settings_from(options)
            document, clustering = streams.check(stream, path, path.name, options["algorithm"], provenance.user)
            submission, run = streams.submit(
                stream, document, clustering, provenance, settings=settings, filename=path.name[:FILE_NAME_CHARS]
            )
        name = printable(submission.algorithm.name)
        self.stdout.write(f"Submission {submission.pk} of {name!r}: {counted(submission.n_snapshots, 'snapshot')}.")
        carry_out(run, "Measuring")
        self.stdout.write(medians_table([submission], settings))

"""``manage.py verify [--collection COLLECTION]``: check that stored data is unchanged."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand
from evaluation.management.console import Progress, Stopped, collection_named, printable
from evaluation.submissions.verification import verify
from qc4.wording import counted


class Command(SiteCommand):
    """Check without writing anything. Each finding is one line on standard output."""

    help = "Recompute every stored hash, replay every draft, and report everything that is not as stored."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--collection", help="slug or name; by default all of them")

    def handle(self, *args: Any, **options: Any) -> None:
        collection = collection_named(options["collection"]) if options["collection"] else None
        rows = found = 0
        with Progress("Verifying") as progress:
            for title, done, total, problems in verify(collection):
                rows += 1
                progress(done, total, title)
                for problem in problems:
                    found += 1
                    self.stdout.write(printable(str(problem)))
        if found:
            raise Stopped(f"{counted(found, 'problem')} in {counted(rows, 'row')}.")
        self.stdout.write(f"{counted(rows, 'row')} checked: all as stored.")

"""``manage.py quota``: show or set the storage quota of an account or a collection."""

from __future__ import annotations

from argparse import ArgumentTypeError
from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.template.defaultfilters import filesizeformat

from accounts.console import SiteCommand, account
from accounts.models import User
from annotations.collections.storage import GIGABYTE, set_quota, storage_of_collection, storage_of_person
from evaluation.management.console import collection_named


class Command(SiteCommand):
    """Show the storage used; with an amount, override the site's quota."""

    help = "Show the storage used by an account or a collection, or set its quota."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", nargs="?")
        parser.add_argument("--collection", metavar="COLLECTION", help="slug or name, instead of an account")
        amounts = "0 for no limit, default for the site's setting"
        parser.add_argument("--gigabytes", type=_amount, metavar="N", help=f"quota for texts and files; {amounts}")
        parser.add_argument("--rows", type=_amount, metavar="N", help=amounts)

    def handle(self, *args: Any, **options: Any) -> None:
        if bool(options["username"]) == bool(options["collection"]):
            raise CommandError("Name an account, or a collection with --collection.", returncode=2)
        given: dict[str, Any] = {}
        if (gigabytes := options["gigabytes"]) is not None:
            given["bytes"] = None if gigabytes < 0 else int(gigabytes * GIGABYTE)
        if (rows := options["rows"]) is not None:
            given["rows"] = None if rows < 0 else int(rows)
        whose = collection_named(options["collection"]) if options["collection"] else account(options["username"])
        if given:
            set_quota(whose, **given)
        storage = storage_of_person(whose) if isinstance(whose, User) else storage_of_collection(whose)
        for part in storage.parts:
            self.stdout.write(f"{part.part}: {filesizeformat(part.bytes)}, {part.rows:,} rows")
        most = "no limit" if storage.bytes_quota is None else filesizeformat(storage.bytes_quota)
        most_rows = "no limit" if storage.rows_quota is None else f"{storage.rows_quota:,}"
        self.stdout.write(f"total: {filesizeformat(storage.bytes)} of {most}, {storage.rows:,} of {most_rows} rows")


def _amount(text: str) -> float:
    """Parse an amount; -1 stands for the site's setting."""
    if text == "default":
        return -1
    try:
        amount = float(text)
    except ValueError:
        amount = -1
    if not 0 <= amount < 10**9:
        raise ArgumentTypeError(f"{text!r}: expected a number of at least 0, or default")
    return amount

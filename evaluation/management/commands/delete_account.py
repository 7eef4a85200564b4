"""``manage.py delete_account USERNAME --yes``: deletes an account, as its person can on their own page."""

from __future__ import annotations

from typing import Any

from django.core.management.base import CommandParser

from accounts.console import SiteCommand, account
from accounts.services.account import neutral_name
from evaluation.account_data.selectors import leaving
from evaluation.account_data.services import delete_account
from evaluation.management.console import Refused, Stopped
from qc4.problems import InputError


class Command(SiteCommand):
    """Says what goes and what stays; does it only with ``--yes``."""

    help = "Delete an account; what others build on stays under a neutral name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--yes", action="store_true", help="do it; without, only say what it would do")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account(options["username"])
        name, seen = user.get_username(), leaving(user)
        for words, collections in (("deleted", seen.deleted), ("public, without an owner then", seen.left)):
            for collection in collections:
                self.stdout.write(f"Collection {collection.name!r}: {words}.")
        self.stdout.write(f"Unpublished submissions, deleted: {len(seen.unpublished)}.")
        self.stdout.write(
            f"Stays as the work of {neutral_name(user)!r}: {seen.submissions} submissions, {seen.algorithms} "
            f"algorithms, {seen.gold_versions} gold versions, {seen.drafts} drafts, {seen.comments} comments."
        )
        if not options["yes"] and seen.may:
            raise Stopped("Nothing was done. Say --yes to do it; it cannot be undone.")
        try:
            delete_account(user)
        except InputError as error:
            raise Refused(error.problems, f"Deleting {name!r}") from None
        self.stdout.write(f"The account {name!r} is deleted.")

"""``manage.py delete_account USERNAME --yes``: delete an account, as users can on their own page."""

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
    """Report what is deleted and what remains; delete only with ``--yes``."""

    help = "Delete an account; what other people build on remains under a neutral name."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username")
        parser.add_argument("--yes", action="store_true", help="delete it; without this, only report the effects")

    def handle(self, *args: Any, **options: Any) -> None:
        user = account(options["username"])
        name, seen = user.get_username(), leaving(user)
        for words, collections in (("deleted", seen.deleted), ("public, will have no owner", seen.left)):
            for collection in collections:
                self.stdout.write(f"Collection {collection.name!r}: {words}.")
        self.stdout.write(f"Unpublished submissions, deleted: {len(seen.unpublished)}.")
        self.stdout.write(
            f"Remaining as the work of {neutral_name(user)!r}: {seen.submissions} submissions, {seen.algorithms} "
            f"algorithms, {seen.gold_versions} gold versions, {seen.drafts} drafts, {seen.comments} comments."
        )
        if not options["yes"] and seen.may:
            raise Stopped("Nothing was deleted. To delete the account, add --yes; this cannot be undone.")
        try:
            delete_account(user)
        except InputError as error:
            raise Refused(error.problems, f"Deleting {name!r}") from None
        self.stdout.write(f"The account {name!r} was deleted.")

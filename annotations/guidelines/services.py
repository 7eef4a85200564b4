"""Save versions of a collection's guidelines, and record who has read them."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from annotations.guidelines.selectors import last_read_number, latest_guidelines
from annotations.limits import GUIDELINES_CHARS
from annotations.models import Collection, GuidelinesReader, GuidelinesVersion
from qc4.problems import InputError, Problem


class NewerVersionError(InputError):
    """Raised if someone else has saved the guidelines since this text was opened."""

    def __init__(self, latest: GuidelinesVersion, base: int) -> None:
        self.latest = latest
        who = latest.created_by.get_username() if latest.created_by else "the site"
        fix = "Copy the changes from that version into your text, then save again."
        found = f"version {base}, but {who} has saved version {latest.number} since"
        super().__init__([Problem("newer-version", "guidelines", found, f"version {latest.number}", fix)])


def save_guidelines(*, collection: Collection, text: str, base: int, user: User | None) -> GuidelinesVersion:
    """Save a new version and return it. If the text has not changed, return the latest version.

    Args:
        base: the number of the version that was edited; 0 for none.

    Raises:
        InputError: the text is too long.
        NewerVersionError: the base is not the latest version.
    """
    text = text.replace("\r\n", "\n").strip()
    if len(text) > GUIDELINES_CHARS:
        fix = "Keep only what curators need for decisions. Put the rest on another page and link to it."
        expected = f"at most {GUIDELINES_CHARS:,} characters"
        raise InputError([Problem("too-long", "text", f"{len(text):,} characters", expected, fix)])
    with transaction.atomic():
        # Lock the row, so that concurrent saves get consecutive numbers and none overwrites another unnoticed.
        row = Collection.objects.select_for_update().get(pk=collection.pk)
        current = latest_guidelines(collection)
        if current is not None and current.text == text:
            return current
        if current is not None and current.number != base:
            raise NewerVersionError(current, base)
        number = current.number + 1 if current else 1
        row.guidelines_number = collection.guidelines_number = number
        row.save(update_fields=["guidelines_number"])
        return collection.guidelines.create(number=number, text=text, created_by=user)


def note_read(collection: Collection, user: User, number: int) -> None:
    """Record that a user has read a version, unless they have already read a later one."""
    number = min(number, collection.guidelines_number)
    if number > last_read_number(collection, user):
        GuidelinesReader.objects.bulk_create(
            [GuidelinesReader(collection=collection, user=user, number=number)],
            update_conflicts=True,
            unique_fields=["collection", "user"],
            update_fields=["number"],
        )

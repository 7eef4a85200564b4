"""Export all data that the site stores about an account, and delete an account."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from accounts.services.account import forget, neutral_name
from annotations.account_deletion import remove_from_collections
from annotations.collections.removal import allow_removal
from evaluation.account_data.selectors import File, Leaving, facts, files, leaving
from evaluation.deletion.services import delete_collection, delete_submissions
from evaluation.models import Announced, RunEvent
from qc4.problems import InputError, Problem

# A fixed date, so that the same content gives the same archive.
_NO_DATE = (1980, 1, 1, 0, 0, 0)


def export_account(user: User) -> Iterator[bytes]:
    """Yield a ZIP of ``account.json`` and files in chunks; the whole archive is never in memory or on disk."""
    text = json.dumps(facts(user), cls=DjangoJSONEncoder, ensure_ascii=False, indent=1)
    pipe = _Pipe()
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        for file in _all(text, user):
            yield from _add(archive, file, pipe)
    yield pipe.taken()


def _all(text: str, user: User) -> Iterator[File]:
    yield "account.json", [text.encode()]
    yield from files(user)


def _add(archive: zipfile.ZipFile, file: File, pipe: _Pipe) -> Iterator[bytes]:
    name, pieces = file
    info = zipfile.ZipInfo(name, _NO_DATE)
    info.compress_type = zipfile.ZIP_DEFLATED
    with archive.open(info, "w", force_zip64=True) as target:
        for piece in pieces:
            target.write(piece)
            yield pipe.taken()


class _Pipe:
    """A write-only stream that passes on what `zipfile` writes; it does not support seeking."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Do nothing: there is no buffer to flush."""

    def close(self) -> None:
        """Do nothing."""

    def taken(self) -> bytes:
        """Return and clear the bytes written since the last call."""
        data, self._written = b"".join(self._written), []
        return data


# --- Delete an account. Others' work remains complete: references to the person become references to a neutral name ---

NO_PERSONS = frozenset({"system", "sweeper"})
"""Actors in the logs of runs that are not people, even if an account has the same name."""


def delete_account(user: User) -> None:
    """Delete everything that belongs only to this person, and replace their name in everything that remains.

    Submissions and private collections are deleted first, so that they can fail before anything else has changed.

    Raises:
        InputError: a collection with other members has no other owner; a worker is processing an unpublished
            submission; or the challenge of one has closed and is still being scored.
    """
    seen = leaving(user)
    refuse(seen)
    delete_submissions(seen.unpublished)
    for collection in seen.deleted:
        delete_collection(collection, first=lambda: refuse(leaving(user)))
    with allow_removal("an account is deleted"):
        person = User.objects.select_for_update().get(pk=user.pk)
        # A member may have been added in the meantime.
        refuse(leaving(person))
        _in_logs(person.get_username(), neutral_name(person))
        Announced.objects.filter(user=person).delete()
        remove_from_collections(person, neutral_name(person))
        forget(person)


def refuse(seen: Leaving) -> None:
    """Raise the error of `delete_account` if the account cannot be deleted now."""
    problems = [
        Problem(
            "last-owner",
            collection.slug,
            "a collection with other members that only you own",
            "another owner",
            "Make another member an owner on the collection's people page, or delete the collection.",
        )
        for collection in seen.to_hand_over
    ]
    problems += [Problem("at-work", "submission", why, "none at work", "Cancel the run, or wait.") for why in seen.held]
    if problems:
        raise InputError(problems)


def _in_logs(name: str, neutral: str) -> None:
    """Replace a name in logs of runs by recreating the entries; logs are otherwise never changed."""
    if name in NO_PERSONS:
        return
    told = list(RunEvent.objects.filter(actor=name))
    RunEvent.objects.filter(pk__in=[event.pk for event in told]).delete()
    for event in told:
        event.actor = neutral
        event.why = event.why.replace(f"Cancelled by {name}.", f"Cancelled by {neutral}.")
    RunEvent.objects.bulk_create(told, batch_size=500)

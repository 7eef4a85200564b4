"""Export everything the site holds of an account, and delete an account."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator

from django.core.serializers.json import DjangoJSONEncoder

from accounts.models import User
from accounts.services.account import forget, neutral_name
from annotations.account_deletion import leave
from annotations.collections.removal import removing
from evaluation.account_data.selectors import File, Leaving, facts, files, leaving
from evaluation.deletion.services import delete_collection, delete_submissions
from evaluation.models import Announced, RunEvent
from qc4.problems import InputError, Problem

# The same content gives the same archive.
_NO_DATE = (1980, 1, 1, 0, 0, 0)


def export_account(user: User) -> Iterator[bytes]:
    """A ZIP of ``account.json`` and files, in pieces: it is never whole in memory or on disk."""
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
    """What is written is handed on; it cannot be sought in, which `zipfile` allows for."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def write(self, data: bytes) -> int:
        self._written.append(bytes(data))
        return len(data)

    def flush(self) -> None:
        """Nothing waits."""

    def close(self) -> None:
        """As `flush`."""

    def taken(self) -> bytes:
        """What was written since."""
        data, self._written = b"".join(self._written), []
        return data


# Deleting an account. Others' work stays whole: what refers to the person refers to a neutral name.

NO_PERSONS = frozenset({"system", "sweeper"})
"""Actors in the logs of runs that are nobody, whoever may be called so."""


def delete_account(user: User) -> None:
    """Delete what is this person's alone, take them out of everything else, and their name out of what stays.

    Submissions and private collections go first: what can refuse does so before anything else is done.

    Raises:
        InputError: a collection with other people has no other owner; a worker is at work on an unpublished
            submission; a challenge of one has closed and is still being scored.
    """
    seen = leaving(user)
    refuse(seen)
    delete_submissions(seen.unpublished)
    for collection in seen.deleted:
        delete_collection(collection, first=lambda: refuse(leaving(user)))
    with removing("an account is deleted"):
        person = User.objects.select_for_update().get(pk=user.pk)
        # Somebody may have come in meanwhile.
        refuse(leaving(person))
        _in_logs(person.get_username(), neutral_name(person))
        Announced.objects.filter(user=person).delete()
        leave(person, neutral_name(person))
        forget(person)


def refuse(seen: Leaving) -> None:
    """Raises what `delete_account` does, where it cannot be done now."""
    problems = [
        Problem(
            "last-owner",
            collection.slug,
            "a collection of yours with other people",
            "another owner",
            "Make somebody else an owner on its page of people, or delete it.",
        )
        for collection in seen.to_hand_over
    ]
    problems += [Problem("at-work", "submission", why, "none at work", "Cancel the run, or wait.") for why in seen.held]
    if problems:
        raise InputError(problems)


def _in_logs(name: str, neutral: str) -> None:
    """Logs of runs never change, but for this: entries are made anew in which nothing but the name is another."""
    if name in NO_PERSONS:
        return
    told = list(RunEvent.objects.filter(actor=name))
    RunEvent.objects.filter(pk__in=[event.pk for event in told]).delete()
    for event in told:
        event.actor = neutral
        event.why = event.why.replace(f"Cancelled by {name}.", f"Cancelled by {neutral}.")
    RunEvent.objects.bulk_create(told, batch_size=500)

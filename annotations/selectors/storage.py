"""How much somebody stores, or a collection holds, and how much they may."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.conf import settings
from django.db.models import Q, Sum

from accounts.models import User
from annotations.models import Collection, Quota, Stored
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class StoredPart(Record):
    """What one kind of things takes.

    Attributes:
        part: the kind, in words.
        bytes: of their texts and files, as they are kept.
        rows: pages, files, steps of drafts, and scores: one for each query, measure and level of a run.
    """

    KEYS = "part bytes rows"

    part: str
    bytes: int
    rows: int


@dataclass(frozen=True, slots=True)
class Storage(Record):
    """What is stored, and how much may be; a quota of null ends nowhere.

    Attributes:
        parts: kinds of things of which there are some.
    """

    KEYS = "bytes rows bytes_quota rows_quota parts"

    parts: tuple[StoredPart, ...]
    bytes_quota: int | None
    rows_quota: int | None

    @property
    def bytes(self) -> int:
        return sum(part.bytes for part in self.parts)

    @property
    def rows(self) -> int:
        return sum(part.rows for part in self.parts)


def of_person(user: User) -> Storage:
    """What somebody brought in, and pages, gold standards and drafts of collections they made."""
    default = settings.QUOTA_PERSON_BYTES, settings.QUOTA_PERSON_ROWS
    kept = [(model, Q(**{model.of_person: user})) for model in counted()]
    return Storage(tuple(_parts(kept)), *_quota(Quota.objects.filter(person=user).first(), default))


def of_new_collection() -> Storage:
    """What a collection holds before anything is in it."""
    return Storage((), settings.QUOTA_COLLECTION_BYTES or None, settings.QUOTA_COLLECTION_ROWS or None)


def of_collection(collection: Collection) -> Storage:
    """What a collection holds, whoever brought it in."""
    default = settings.QUOTA_COLLECTION_BYTES, settings.QUOTA_COLLECTION_ROWS
    kept = [(model, Q(**{model.of_collection: collection})) for model in counted() if model.of_collection]
    return Storage(tuple(_parts(kept)), *_quota(Quota.objects.filter(collection=collection).first(), default))


def counted() -> list[type[Stored]]:
    """The tables that count."""
    return [model for model in apps.get_models() if issubclass(model, Stored)]


def _parts(kept: list[tuple[type[Stored], Q]]) -> Iterator[StoredPart]:
    for model, whose in kept:
        found = model._default_manager.filter(whose).aggregate(bytes=Sum("stored_bytes"), rows=Sum("stored_rows"))
        if found["rows"]:
            yield StoredPart(model.part, found["bytes"], found["rows"])


def _quota(own: Quota | None, default: tuple[int, int]) -> tuple[int | None, int | None]:
    bytes_, rows = default
    if own is not None:
        bytes_ = bytes_ if own.bytes is None else own.bytes
        rows = rows if own.rows is None else own.rows
    return bytes_ or None, rows or None

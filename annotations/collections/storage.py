"""Storage use and quotas of people and collections, and the check before more is stored."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import transaction
from django.db.models import Q, Sum
from django.template.defaultfilters import filesizeformat

from accounts.audit import Kind, log
from accounts.models import User
from annotations.models import Collection, Quota, Stored
from common.disk_space import keep_free
from qc4.problems import Problem, ProblemList
from qc4.records import Record
from qc4.wording import counted, quoted


@dataclass(frozen=True, slots=True)
class StoredPart(Record):
    """The storage used by one kind of content.

    Attributes:
        part: the name of the kind.
        bytes: the size of texts and files, as stored.
        rows: the number of pages, files, steps of drafts, and scores (one per query, measure and level of a run).
    """

    KEYS = "part bytes rows"

    part: str
    bytes: int
    rows: int


@dataclass(frozen=True, slots=True)
class Storage(Record):
    """The storage in use and its quotas. A quota of null is unlimited.

    Attributes:
        parts: the storage used by each kind of content, without empty kinds.
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


def storage_of_person(user: User) -> Storage:
    """Return the storage of a person: their uploads, and the pages, gold standards and drafts of their collections."""
    default = settings.QUOTA_PERSON_BYTES, settings.QUOTA_PERSON_ROWS
    filters = [(model, Q(**{model.of_person: user})) for model in quota_models()]
    return Storage(tuple(_parts(filters)), *_quota(Quota.objects.filter(person=user).first(), default))


def storage_of_new_collection() -> Storage:
    """Return the storage of a collection that is still empty."""
    return Storage((), settings.QUOTA_COLLECTION_BYTES or None, settings.QUOTA_COLLECTION_ROWS or None)


def storage_of_collection(collection: Collection) -> Storage:
    """Return the storage of a collection, including other people's uploads."""
    default = settings.QUOTA_COLLECTION_BYTES, settings.QUOTA_COLLECTION_ROWS
    filters = [(model, Q(**{model.of_collection: collection})) for model in quota_models() if model.of_collection]
    return Storage(tuple(_parts(filters)), *_quota(Quota.objects.filter(collection=collection).first(), default))


def quota_models() -> list[type[Stored]]:
    """Return the models whose rows count against quotas."""
    return [model for model in apps.get_models() if issubclass(model, Stored)]


def _parts(filters: list[tuple[type[Stored], Q]]) -> Iterator[StoredPart]:
    for model, whose in filters:
        found = model._default_manager.filter(whose).aggregate(bytes=Sum("stored_bytes"), rows=Sum("stored_rows"))
        if found["rows"]:
            yield StoredPart(model.part, found["bytes"], found["rows"])


def _quota(own: Quota | None, default: tuple[int, int]) -> tuple[int | None, int | None]:
    bytes_, rows = default
    if own is not None:
        bytes_ = bytes_ if own.bytes is None else own.bytes
        rows = rows if own.rows is None else own.rows
    return bytes_ or None, rows or None


# --- Quotas -----------------------------------------------------------------------------------------------------------

GIGABYTE = 1024**3
FIX_FOR_PERSON = (
    "Delete submissions or collections that you no longer need. “What you store” on the account page shows their "
    "sizes. Or ask the site's administrator for more."
)
FIX_FOR_COLLECTION = (
    "Delete submissions that are no longer needed. Owners of the collection can see sizes in its settings. Or ask the "
    "site's administrator for more."
)


def check_quota(user: User | None, collection: Collection | None, more_bytes: int = 0, more_rows: int = 1) -> None:
    """Raise InputError if storing more would exceed a quota.

    Two simultaneous requests may both pass, so a quota can be exceeded slightly.

    Args:
        user: the person whose quota applies; None for data of the site itself.
        collection: the collection whose quota applies; None if there is none yet.

    Raises:
        InputError: a quota would be exceeded, or the disk is full (`NoSpaceError`).
    """
    keep_free(more_bytes)
    problems = ProblemList()
    if user is not None:
        where = f"storage of {user.get_username()}"
        problems.extend(_problems(where, storage_of_person(user), more_bytes, more_rows, FIX_FOR_PERSON))
    if collection is not None:
        where = f"storage of collection {quoted(collection.name)}"
        problems.extend(_problems(where, storage_of_collection(collection), more_bytes, more_rows, FIX_FOR_COLLECTION))
    problems.refuse_errors()


def check_quota_of_new_collection(user: User | None, its_bytes: int, its_rows: int) -> None:
    """Raise InputError if a collection that does not exist yet would exceed a quota (see `admit`)."""
    check_quota(user, None, its_bytes, its_rows)
    problems = ProblemList()
    fix = "Split the collection, or ask the site's administrator for more."
    problems.extend(_problems("the collection", storage_of_new_collection(), its_bytes, its_rows, fix))
    problems.refuse_errors()


def set_quota(whose: User | Collection, *, by: User | None = None, reason: str = "", **amounts: int | None) -> None:
    """Set the quota of a person or collection.

    Args:
        by: the administrator; None for the operator on the command line.
        amounts: ``bytes`` or ``rows``. 0 means unlimited, and None means the site's default.
    """
    which: dict[str, Any] = {"person" if isinstance(whose, User) else "collection": whose}
    with transaction.atomic():
        quota, _ = Quota.objects.update_or_create(defaults=amounts, **which)
        if quota.bytes is None and quota.rows is None:
            quota.delete()
        description = ", ".join(f"{name} {_amount(name, amount)}" for name, amount in amounts.items())
        account, collection = (whose, None) if isinstance(whose, User) else (None, whose.pk)
        about = f"{description}: {reason}" if reason else description
        log(Kind.QUOTA_SET, actor=by, account=account, collection=collection, about=about)


def _amount(name: str, amount: int | None) -> str:
    if not amount:
        return "site default" if amount is None else "unlimited"
    return _size(amount) if name == "bytes" else f"{amount:,}"


def _problems(where: str, storage: Storage, more_bytes: int, more_rows: int, fix: str) -> Iterator[Problem]:
    if storage.bytes_quota is not None and storage.bytes + more_bytes > storage.bytes_quota:
        found = _size(storage.bytes) + (f", and {_size(more_bytes)} more" if more_bytes else "")
        yield Problem("quota-bytes", where, found, f"at most {_size(storage.bytes_quota)}", fix)
    if storage.rows_quota is not None and storage.rows + more_rows > storage.rows_quota:
        found = counted(storage.rows, "row") + (f", and {more_rows:,} more" if more_rows else "")
        yield Problem("quota-rows", where, found, f"at most {storage.rows_quota:,}", fix)


def _size(amount: int) -> str:
    return filesizeformat(amount).replace("\xa0", " ")

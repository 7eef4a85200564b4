"""How much a person or a collection stores, how much they may store, and the check before more is stored."""

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
    kept = [(model, Q(**{model.of_person: user})) for model in counted_tables()]
    return Storage(tuple(_parts(kept)), *_quota(Quota.objects.filter(person=user).first(), default))


def of_new_collection() -> Storage:
    """What a collection holds before anything is in it."""
    return Storage((), settings.QUOTA_COLLECTION_BYTES or None, settings.QUOTA_COLLECTION_ROWS or None)


def of_collection(collection: Collection) -> Storage:
    """What a collection holds, whoever brought it in."""
    default = settings.QUOTA_COLLECTION_BYTES, settings.QUOTA_COLLECTION_ROWS
    kept = [(model, Q(**{model.of_collection: collection})) for model in counted_tables() if model.of_collection]
    return Storage(tuple(_parts(kept)), *_quota(Quota.objects.filter(collection=collection).first(), default))


def counted_tables() -> list[type[Stored]]:
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


# --- Quotas -----------------------------------------------------------------------------------------------------------

GIGABYTE = 1024**3
OF_PERSON = (
    "Delete submissions, or collections, that are no longer needed: “What you store” on the account page says what "
    "takes how much. Or ask whoever runs the site for more."
)
OF_COLLECTION = (
    "Delete submissions that are no longer needed: its owners see in its settings what takes how much. Or ask whoever "
    "runs the site for more."
)


def admit(user: User | None, collection: Collection | None, more_bytes: int = 0, more_rows: int = 1) -> None:
    """Refuse to store so much more of a person's (None: the site's own), in a collection (None: in none yet).

    Two requests in the same instant may both pass: quotas keep order, they are not a promise.

    Raises:
        InputError: what is used, what may be, and what helps; the disk is full (`NoSpaceError`).
    """
    keep_free(more_bytes)
    problems = ProblemList()
    if user is not None:
        where = f"storage of {user.get_username()}"
        problems.extend(_problems(where, of_person(user), more_bytes, more_rows, OF_PERSON))
    if collection is not None:
        where = f"storage of collection {quoted(collection.name)}"
        problems.extend(_problems(where, of_collection(collection), more_bytes, more_rows, OF_COLLECTION))
    problems.refuse_errors()


def admit_collection(user: User | None, its_bytes: int, its_rows: int) -> None:
    """`admit` for a collection that is not there yet."""
    admit(user, None, its_bytes, its_rows)
    problems = ProblemList()
    fix = "Split it, or ask whoever runs the site for more."
    problems.extend(_problems("the collection", of_new_collection(), its_bytes, its_rows, fix))
    problems.refuse_errors()


def set_quota(whose: User | Collection, *, by: User | None = None, reason: str = "", **amounts: int | None) -> None:
    """Set ``bytes`` or ``rows`` of a person or collection. 0: no end; None: as the site's settings say.

    Args:
        by: the administrator; None: the operator.
    """
    which: dict[str, Any] = {"person" if isinstance(whose, User) else "collection": whose}
    with transaction.atomic():
        quota, _ = Quota.objects.update_or_create(defaults=amounts, **which)
        if quota.bytes is None and quota.rows is None:
            quota.delete()
        told = ", ".join(f"{name} {_amount(name, amount)}" for name, amount in amounts.items())
        account, collection = (whose, None) if isinstance(whose, User) else (None, whose.pk)
        about = f"{told}: {reason}" if reason else told
        log(Kind.QUOTA_SET, actor=by, account=account, collection=collection, about=about)


def _amount(name: str, amount: int | None) -> str:
    if not amount:
        return "as the site's" if amount is None else "without end"
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

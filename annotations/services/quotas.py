"""Quotas: refuse what would not fit before it is stored, and set other ones than the site's."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import transaction
from django.template.defaultfilters import filesizeformat

from accounts.audit import Kind
from accounts.models import User
from accounts.services.audit import log
from annotations.models import Collection, Quota
from annotations.selectors.storage import Storage, of_collection, of_new_collection, of_person
from annotations.services.space import keep_free
from qc4.problems import Problem, ProblemList
from qc4.wording import counted, quoted

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

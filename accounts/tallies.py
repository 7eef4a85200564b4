"""Counts that guard secrets: in the database, where no stranger can make the site forget them.

A try takes a place before it is looked at, and a right one gives it back: of any number of tries at the same time no
more are looked at than the limit allows.

A cache forgets when it is full, and a stranger with many addresses fills it. Here nothing is forgotten before its time,
and the table stays small all the same: addresses fall into a fixed number of buckets. Two that share one share a limit;
who falls together depends on the secret key, so that nobody can choose it (docs/decisions/wrong-secrets.md).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta
from threading import Lock

from django.core.cache import caches
from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.models import Tally

log = logging.getLogger(__name__)

BUCKETS = 65_536
"""For each kind: rows of the table at most."""


@dataclass(frozen=True, slots=True)
class Count:
    """How many since when; the counting of a window begins with the first of them."""

    number: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """A place that a try has taken.

    Attributes:
        number: how many places were taken with this one.
        since: when the window began.
        within: how long it is.
        here: True if it was counted by this process alone.
    """

    kind: str
    key: str
    number: int
    since: datetime
    within: timedelta
    here: bool = False


_counting_here = Lock()


def bucket(kind: str, key: str) -> str:
    """The bucket in which something falls that strangers can have many of."""
    digest = salted_hmac("accounts.tallies", f"{kind} {key}", algorithm="sha256").digest()
    return str(int.from_bytes(digest[:8]) % BUCKETS)


def so_far(kind: str, key: str, within: timedelta) -> Count:
    """Return the count of a window that is not over; of this process alone where the database cannot be read."""
    now = timezone.now()
    counts = [count for count in (_here(kind, key), _stored(kind, key, now - within)) if count is not None]
    return max(counts, key=lambda count: count.number, default=Count(0, now))


def take(kind: str, key: str, within: timedelta, limit: int) -> Place | None:
    """Take one of ``limit`` places in a window; None if all are taken.

    Where the database takes no count (a full disk, no connection), this process counts by itself: no door stands open.
    """
    now = timezone.now()
    if so_far(kind, key, within).number >= limit:
        return None  # nothing is written for it
    try:
        with transaction.atomic():
            return _take(kind, key, now, within, limit)
    except DatabaseError as error:
        log.warning("The counts of %s cannot be written: %s.", kind, type(error).__name__)
    with _counting_here:
        found = so_far(kind, key, within)
        if found.number >= limit:
            return None
        taken = Count(found.number + 1, found.since)
        _keep_here(kind, key, taken, within)
        return Place(kind, key, taken.number, taken.since, within, here=True)


def give_back(place: Place) -> None:
    """Give back the place of a try that was right."""
    if place.here:
        with _counting_here:
            found = _here(place.kind, place.key)
            if found is not None and found.since == place.since:
                _keep_here(place.kind, place.key, Count(found.number - 1, found.since), place.within)
        return
    rows = Tally.objects.filter(kind=place.kind, key=place.key, since=place.since, number__gt=0)
    _write(place.kind, lambda: rows.update(number=F("number") - 1))


def forget(kind: str, key: str) -> None:
    """Reset the count."""
    caches["memory"].delete(_key(kind, key))
    _write(kind, Tally.objects.filter(kind=kind, key=key).delete)


def _take(kind: str, key: str, now: datetime, within: timedelta, limit: int) -> Place | None:
    of = Tally.objects.filter(kind=kind, key=key)
    free = of.filter(since__gt=now - within, number__lt=limit)
    if not free.update(number=F("number") + 1):
        if not of.filter(since__lte=now - within).update(since=now, number=0):
            Tally.objects.bulk_create([Tally(kind=kind, key=key, since=now, number=0)], ignore_conflicts=True)
        if not free.update(number=F("number") + 1):
            return None
    row = of.get()  # the update locks it until the transaction ends, so this is the number of this place
    return Place(kind, key, row.number, row.since, within)


def _write(kind: str, write: Callable[[], object]) -> None:
    try:
        with transaction.atomic():
            write()
    except DatabaseError as error:
        log.warning("The counts of %s cannot be written: %s.", kind, type(error).__name__)


def _stored(kind: str, key: str, after: datetime) -> Count | None:
    try:
        # A transaction of its own would be one that writes, and wait for others that do.
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            row = Tally.objects.filter(kind=kind, key=key, since__gt=after).first()
    except DatabaseError as error:
        log.warning("The counts of %s cannot be read: %s.", kind, type(error).__name__)
        return None
    return Count(row.number, row.since) if row else None


def _here(kind: str, key: str) -> Count | None:
    found: Count | None = caches["memory"].get(_key(kind, key))
    return found


def _keep_here(kind: str, key: str, count: Count, within: timedelta) -> None:
    left = within - (timezone.now() - count.since)
    caches["memory"].set(_key(kind, key), count, left.total_seconds())


def _key(kind: str, key: str) -> str:
    return f"tally {kind} {key}".replace(" ", "-")

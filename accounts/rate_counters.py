"""Database counters that protect secrets. No outsider can make the site lose these counts.

Each attempt takes a place before the secret is checked, and a correct secret gives the place back. Even if many
attempts arrive at the same time, the site never checks more of them than the limit allows.

A cache drops entries when it is full, and an attacker with many IP addresses can fill it. This table drops no count
before it expires. It stays small because addresses are hashed into a fixed number of buckets. Addresses in the same
bucket share a limit. The bucket depends on the secret key, so nobody can choose theirs
(docs/decisions/wrong-secrets.md).
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from contextlib import nullcontext
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import DatabaseError, connection, transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import Tally
from common import host_counts
from common.host_counts import Count, Place

log = logging.getLogger(__name__)


def so_far(kind: str, key: str, within: timedelta) -> Count:
    """Return the count of the current window, including events that this host counted while the database was not
    writable."""
    stored, here = _stored(kind, key, timezone.now() - within), host_counts.so_far(kind, key, within)
    longer = max(stored, here, key=lambda count: count.number)
    return Count(stored.number + here.number, longer.since)


def take(kind: str, key: str, within: timedelta, limit: int) -> Place | None:
    """Take one of ``limit`` places in a window. Return None if all are taken.

    If the database cannot store the count (a full disk, no connection), this host counts by itself, so that the limit
    still applies.
    """
    now = timezone.now()
    if so_far(kind, key, within).number >= limit:
        return None  # a rejected attempt writes nothing
    try:
        with transaction.atomic():
            return _take(kind, key, now, within, limit)
    except DatabaseError as error:
        log.warning("The counts of %s cannot be written: %s.", kind, type(error).__name__)
    stored = _stored(kind, key, now - within).number
    place = host_counts.take(kind, key, within, limit - stored) if stored < limit else None
    return place and replace(place, number=stored + place.number)


def give_back(place: Place) -> None:
    """Give back the place of an attempt whose secret was correct."""
    if place.on_host:
        host_counts.give_back(place)
        return
    rows = Tally.objects.filter(kind=place.kind, key=place.key, since=place.since, number__gt=0)
    _write(place.kind, lambda: rows.update(number=F("number") - 1))


def forget(kind: str, key: str) -> None:
    """Reset the count."""
    host_counts.forget(kind, key)
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


def _stored(kind: str, key: str, after: datetime) -> Count:
    try:
        # A new transaction would count as a write transaction and wait for other writers.
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            row = Tally.objects.filter(kind=kind, key=key, since__gt=after).first()
    except DatabaseError as error:
        log.warning("The counts of %s cannot be read: %s.", kind, type(error).__name__)
        row = None
    return Count(row.number, row.since) if row else Count(0, timezone.now())

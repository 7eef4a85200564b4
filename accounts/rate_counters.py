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
    """Return the count of the window that is not over, with what this host counted while the database took nothing."""
    stored, here = _stored(kind, key, timezone.now() - within), host_counts.so_far(kind, key, within)
    longer = max(stored, here, key=lambda count: count.number)
    return Count(stored.number + here.number, longer.since)


def take(kind: str, key: str, within: timedelta, limit: int) -> Place | None:
    """Take one of ``limit`` places in a window; None if all are taken.

    If the database takes no count (a full disk, no connection), this host counts by itself: no door stands open.
    """
    now = timezone.now()
    if so_far(kind, key, within).number >= limit:
        return None  # nothing is written for it
    try:
        with transaction.atomic():
            return _take(kind, key, now, within, limit)
    except DatabaseError as error:
        log.warning("The counts of %s cannot be written: %s.", kind, type(error).__name__)
    stored = _stored(kind, key, now - within).number
    place = host_counts.take(kind, key, within, limit - stored) if stored < limit else None
    return place and replace(place, number=stored + place.number)


def give_back(place: Place) -> None:
    """Give back the place of a try that was right."""
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
        # A transaction of its own would be one that writes, and wait for others that do.
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            row = Tally.objects.filter(kind=kind, key=key, since__gt=after).first()
    except DatabaseError as error:
        log.warning("The counts of %s cannot be read: %s.", kind, type(error).__name__)
        row = None
    return Count(row.number, row.since) if row else Count(0, timezone.now())

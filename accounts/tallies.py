"""Counts that guard secrets: in the database, where no stranger can make the site forget them.

A cache forgets when it is full, and a stranger with many addresses fills it. Here nothing is forgotten before its time,
and the table stays small all the same: addresses fall into a fixed number of buckets. Two that share one share a limit;
who falls together depends on the secret key, so that nobody can choose it (docs/decisions/wrong-secrets.md).
"""

from __future__ import annotations

import logging
from contextlib import nullcontext
from dataclasses import dataclass
from datetime import datetime, timedelta

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


def bucket(kind: str, key: str) -> str:
    """The bucket in which something falls that strangers can have many of."""
    digest = salted_hmac("accounts.tallies", f"{kind} {key}", algorithm="sha256").digest()
    return str(int.from_bytes(digest[:8]) % BUCKETS)


def so_far(kind: str, key: str, within: timedelta) -> Count:
    """What was counted in a window that is not over; where the database cannot be read, by this process alone."""
    now = timezone.now()
    kept = caches["memory"].get(_key(kind, key))
    try:
        # A transaction of its own would be one that writes, and wait for others that do.
        with transaction.atomic() if connection.in_atomic_block else nullcontext():
            row = Tally.objects.filter(kind=kind, key=key, since__gt=now - within).first()
    except DatabaseError as error:
        log.warning("The counts of %s cannot be read: %s.", kind, type(error).__name__)
        row = None
    counts = [Count(row.number, row.since)] if row else []
    if kept is not None:
        counts.append(kept)
    return max(counts, key=lambda count: count.number, default=Count(0, now))


def one_more(kind: str, key: str, within: timedelta) -> None:
    """Count one; where the database cannot be written, in this process alone: a full disk opens no door."""
    now = timezone.now()
    try:
        with transaction.atomic():
            if not Tally.objects.filter(kind=kind, key=key, since__gt=now - within).update(number=F("number") + 1):
                begun = Tally(kind=kind, key=key, since=now, number=1)
                Tally.objects.bulk_create(
                    [begun], update_conflicts=True, unique_fields=["kind", "key"], update_fields=["since", "number"]
                )
    except DatabaseError as error:
        log.warning("The counts of %s cannot be written: %s.", kind, type(error).__name__)
        found = so_far(kind, key, within)
        left = within - (now - found.since)
        caches["memory"].set(_key(kind, key), Count(found.number + 1, found.since), left.total_seconds())


def _key(kind: str, key: str) -> str:
    return f"tally {kind} {key}".replace(" ", "-")

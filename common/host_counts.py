"""Counts of requests, in a file that all processes of a host share.

One SQL statement reads, decides and counts, so of any number of requests at the same time no more pass than the limit
allows. The file is apart from the site's database: a request that only reads does not wait for anyone who writes there.
Nothing in it is worth keeping, and so nothing waits for the disk either. If the file cannot be used, each process
counts by itself until it can."""

from __future__ import annotations

import logging
import os
import sqlite3
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from threading import Lock
from time import monotonic, time
from typing import Any, Protocol

from django.conf import settings

log = logging.getLogger(__name__)

PATIENCE = 1.0
"""Seconds to wait for other processes that count."""
FUTURE = 1.0
"""Seconds by which the start of a window may lie ahead. Beyond that the clock was set back, and the window is over."""
_TABLE = """
    CREATE TABLE IF NOT EXISTS counts (
        kind TEXT NOT NULL, key TEXT NOT NULL, since REAL NOT NULL, number INTEGER NOT NULL, PRIMARY KEY (kind, key)
    ) WITHOUT ROWID
"""
_IS_OPEN = "(since > :now - :seconds AND since < :now + :future)"
_TAKE = f"""
    INSERT INTO counts (kind, key, since, number) VALUES (:kind, :key, :now, 1)
    ON CONFLICT (kind, key) DO UPDATE SET
        number = CASE WHEN {_IS_OPEN} THEN number + 1 ELSE 1 END,
        since = CASE WHEN {_IS_OPEN} THEN since ELSE :now END
    WHERE number < :limit OR NOT {_IS_OPEN}
    RETURNING number, since
"""  # noqa: S608  # constants
_SO_FAR = f"SELECT number, since FROM counts WHERE kind = :kind AND key = :key AND {_IS_OPEN}"  # noqa: S608  # constants
_GIVE_BACK = """
    UPDATE counts SET number = number - 1 WHERE kind = :kind AND key = :key AND since = :since AND number > 0
"""


def take(kind: str, key: str, within: timedelta, limit: int) -> Place | None:
    """Take one of ``limit`` places in a window; None if all are taken. The window begins with the first place."""
    rows = _execute(_TAKE, _moment(kind, key, within) | {"limit": limit})
    return Place(kind, key, rows[0][0], _as_time(rows[0][1]), within, on_host=True) if rows else None


def give_back(place: Place) -> None:
    """Give back a place, unless its window is over."""
    _execute(_GIVE_BACK, {"kind": place.kind, "key": place.key, "since": place.since.timestamp()})


def so_far(kind: str, key: str, within: timedelta) -> Count:
    """Return the count of the window that is not over."""
    rows = _execute(_SO_FAR, _moment(kind, key, within))
    return Count(rows[0][0], _as_time(rows[0][1])) if rows else Count(0, datetime.now(UTC))


def forget(kind: str, key: str) -> None:
    """Reset the count."""
    _execute("DELETE FROM counts WHERE kind = :kind AND key = :key", {"kind": kind, "key": key})


def forget_all() -> None:
    """Reset all counts."""
    _execute("DELETE FROM counts", {})
    _own.execute("DELETE FROM counts", {})


class _Counts:
    """A database of counts, with one connection for each process."""

    def __init__(self, path: str) -> None:
        self._path, self._lock = path, Lock()
        # A forked process leaves the connection of its parent open and alone: closing it would disturb the file.
        self._connections: dict[int, sqlite3.Connection] = {}

    def execute(self, sql: str, values: Mapping[str, Any]) -> list[Any]:
        with self._lock, closing(self._connection().execute(sql, values)) as found:
            return found.fetchall()

    def _connection(self) -> sqlite3.Connection:
        if (process := os.getpid()) not in self._connections:
            opened = sqlite3.connect(self._path, timeout=PATIENCE, isolation_level=None, check_same_thread=False)
            try:
                for sql in ("PRAGMA journal_mode=WAL", "PRAGMA synchronous=OFF", _TABLE):
                    opened.execute(sql)
            except sqlite3.Error:
                opened.close()
                raise
            self._connections[process] = opened
        return self._connections[process]


_file = cache(_Counts)
_own = _Counts(":memory:")
"""What this process counts while the file cannot be used."""
_warned_at = 0.0


def _execute(sql: str, values: Mapping[str, Any]) -> list[Any]:
    path = str(settings.RATE_COUNTS_FILE)
    try:
        return _file(path).execute(sql, values)
    except sqlite3.Error as error:
        _warn(error)
        return _own.execute(sql, values)


def _warn(error: Exception) -> None:
    """Log once a minute that the file cannot be used: every request comes by here."""
    global _warned_at
    if monotonic() - _warned_at > 60 or not _warned_at:
        _warned_at = monotonic()
        log.warning("%s cannot be used (%s): this process counts for itself.", settings.RATE_COUNTS_FILE, error)


def _moment(kind: str, key: str, within: timedelta) -> dict[str, Any]:
    now = round(time(), 6)  # a place finds its window again by its beginning, which is a datetime of microseconds
    return {"kind": kind, "key": key, "now": now, "seconds": within.total_seconds(), "future": FUTURE}


def _as_time(since: float) -> datetime:
    return datetime.fromtimestamp(since, UTC)


# --- What this store and `accounts.rate_counters` have in common ------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Count:
    """How many events there were in a window, which begins with the first of them."""

    number: int
    since: datetime


@dataclass(frozen=True, slots=True)
class Place:
    """A place that an event has taken.

    Attributes:
        number: how many places were taken with this one.
        since: when the window began.
        within: how long it is.
        on_host: True if it was counted by `common.host_counts`.
    """

    kind: str
    key: str
    number: int
    since: datetime
    within: timedelta
    on_host: bool = False


class Store(Protocol):
    """Where events are counted. Both modules are such stores."""

    def take(self, kind: str, key: str, within: timedelta, limit: int) -> Place | None: ...
    def give_back(self, place: Place) -> None: ...
    def so_far(self, kind: str, key: str, within: timedelta) -> Count: ...
    def forget(self, kind: str, key: str) -> None: ...

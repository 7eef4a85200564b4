"""Error codes of SQLite and PostgreSQL."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection, transaction


def error_code(error: BaseException) -> str:
    """Return the code of a database error; empty if it has none.

    This is the primary name of a SQLite error ("SQLITE_BUSY" for SQLITE_BUSY_SNAPSHOT), or the SQLSTATE of a
    PostgreSQL error ("40P01").
    """
    on_sqlite = getattr(error, "sqlite_errorname", "")
    return "_".join(on_sqlite.split("_")[:2]) or getattr(error, "sqlstate", None) or ""


# Optional writes during reads. They are skipped while the database is locked, so they never make a read fail.

log = logging.getLogger(__name__)

LOCK_TIMEOUT_MS = 100
"""Maximum time an optional write waits for a lock, in milliseconds. Requests that must write wait much longer."""


def write_unless_locked(write: Callable[[], object], what: str) -> bool:
    """Make an optional write in a separate transaction. Return False if it failed.

    Args:
        what: a phrase for the log that describes what is written.
    """
    try:
        with _short_lock_timeout(), transaction.atomic():
            if connection.vendor == "postgresql":
                _execute(f"SET LOCAL lock_timeout = {LOCK_TIMEOUT_MS}")
            write()
    except DatabaseError as error:
        log.info("%s was not stored: %s.", what, error)
        return False
    return True


@contextmanager
def _short_lock_timeout() -> Iterator[None]:
    """Wait less for SQLite's one lock. Each connection has its own timeout."""
    if connection.vendor != "sqlite":
        yield
        return
    usual = _execute("PRAGMA busy_timeout")
    _execute(f"PRAGMA busy_timeout = {LOCK_TIMEOUT_MS}")
    try:
        yield
    finally:
        _execute(f"PRAGMA busy_timeout = {usual}")


def _execute(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    return int(row[0]) if row else 0

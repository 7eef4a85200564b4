"""Codes of database errors, and writes that are skipped while the database is busy."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, connection, transaction


def code_of(error: BaseException) -> str:
    """SQLite's name of an error without what it adds ("SQLITE_BUSY" of SQLITE_BUSY_SNAPSHOT), or PostgreSQL's state
    ("40P01"); empty where the error brings neither."""
    on_sqlite = getattr(error, "sqlite_errorname", "")
    return "_".join(on_sqlite.split("_")[:2]) or getattr(error, "sqlstate", None) or ""


# --- Writes that a read leaves behind ---------------------------------------------------------------------------------
# They are skipped while somebody else writes, and never make the read fail.

log = logging.getLogger(__name__)

PATIENCE_MS = 100
"""How long a note waits for its turn; requests that are there to write wait much longer."""


def note_if_free(write: Callable[[], object], what: str) -> bool:
    """Write something a read may do without, in a transaction of its own; False where it could not be written.

    Args:
        what: it, in words for the log.
    """
    try:
        with _impatient(), transaction.atomic():
            if connection.vendor == "postgresql":
                _execute(f"SET LOCAL lock_timeout = {PATIENCE_MS}")
            write()
    except DatabaseError as error:
        log.info("%s was not kept: %s.", what, error)
        return False
    return True


@contextmanager
def _impatient() -> Iterator[None]:
    """SQLite has one lock, for which each connection waits as long as it is set to."""
    if connection.vendor != "sqlite":
        yield
        return
    usual = _execute("PRAGMA busy_timeout")
    _execute(f"PRAGMA busy_timeout = {PATIENCE_MS}")
    try:
        yield
    finally:
        _execute(f"PRAGMA busy_timeout = {usual}")


def _execute(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row = cursor.fetchone() if cursor.description else None
    return int(row[0]) if row else 0

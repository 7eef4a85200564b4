"""Requests that wait to write to SQLite hold at most half of the threads of a process.

SQLite has one writer at a time. A request that finds another one waits a moment; after that it needs a place for slow
work to wait longer, and is answered with 503 if there is none (docs/decisions/slow-work.md). That holds for its first
write only: a request that has written something is never refused halfway, so that a wrong password that was counted is
also logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse

from common.capacity import slow_work
from common.database import LOCK_TIMEOUT_MS, error_code


class WaitingWriters:
    """Middleware; it stands first, because sessions are stored on the way out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if connection.vendor != "sqlite":
            return self._get_response(request)
        with connection.execute_wrapper(_FirstWrite()):
            return self._get_response(request)


class _FirstWrite:
    """Executes the statements of one request; the first that writes waits only with a place."""

    def __init__(self) -> None:
        self._has_written = False

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        """Execute a statement. One that may write is the begin of a transaction, or outside of any."""
        database = context["connection"]
        writes = sql.startswith("BEGIN") or not (database.in_atomic_block or sql.startswith(("SELECT", "PRAGMA")))
        if not writes or self._has_written:
            return execute(sql, params, many, context)
        found = self._execute_first(database, lambda: execute(sql, params, many, context))
        self._has_written = True
        return found

    def _execute_first(self, database: Any, execute: Callable[[], Any]) -> Any:
        usual = _patience(database)
        if usual <= LOCK_TIMEOUT_MS:  # the caller waits no longer anyway
            return execute()
        try:
            with _patient(database, LOCK_TIMEOUT_MS, usual):
                return execute()
        except OperationalError as error:
            if error_code(error.__cause__ or error) != "SQLITE_BUSY":
                raise
        with slow_work("waiting to write", one_each=False):
            return execute()


@contextmanager
def _patient(database: Any, milliseconds: int, usual: int) -> Iterator[None]:
    """How long SQLite waits for another writer while the body runs."""
    database.connection.execute(f"PRAGMA busy_timeout = {milliseconds}")
    try:
        yield
    finally:
        database.connection.execute(f"PRAGMA busy_timeout = {usual}")


def _patience(database: Any) -> int:
    return int(database.connection.execute("PRAGMA busy_timeout").fetchone()[0])

"""Requests that wait to write to SQLite hold at most half of the threads of a process.

SQLite has one writer at a time. Whoever finds another one waits a moment, as everybody did before; after that it waits
on only with a place for slow work, and is answered with 503 if there is none (docs/decisions/slow-work.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import OperationalError, connection
from django.http import HttpRequest, HttpResponse

from accounts.capacity import slow_work
from accounts.database_errors import code_of
from accounts.noting import PATIENCE_MS


class WaitingWriters:
    """Middleware; it stands first, because sessions are stored on the way out."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if connection.vendor != "sqlite":
            return self._get_response(request)
        with connection.execute_wrapper(_wait_with_a_place):
            return self._get_response(request)


def _wait_with_a_place(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    """Execute a statement that may be the first to write: the begin of a transaction, or one outside of any."""
    database = context["connection"]
    begins = sql.startswith("BEGIN") or not (database.in_atomic_block or sql.startswith(("SELECT", "PRAGMA")))
    usual = _patience(database) if begins else 0
    if usual <= PATIENCE_MS:  # nothing is written, or the caller waits no longer anyway
        return execute(sql, params, many, context)
    try:
        with _patient(database, PATIENCE_MS, usual):
            return execute(sql, params, many, context)
    except OperationalError as error:
        if code_of(error.__cause__ or error) != "SQLITE_BUSY":
            raise
    with slow_work("waiting to write", one_each=False):
        return execute(sql, params, many, context)


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

"""``manage.py migrate``: Django's command, in one process at a time."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.db import connections

LOCK = 0x5143_3442
"""The key of the advisory lock on PostgreSQL; locks of other programs are in other databases."""


class Command(migrate.Command):
    """Migrate under a lock, so that hosts that start at the same time change the tables one after the other."""

    def handle(self, *args: Any, **options: Any) -> Any:
        with _alone(options["database"]):
            return super().handle(*args, **options)


@contextmanager
def _alone(alias: str) -> Iterator[None]:
    """Wait until no other process migrates this database. A process that dies releases the lock."""
    connection = connections[alias]
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        try:
            yield
        finally:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [LOCK])
        return
    with (settings.DATA_DIR / "migrate.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        try:
            yield
        finally:
            # Closing the last connection removes SQLite's write-ahead log, and locks out other connections meanwhile.
            if not connection.in_atomic_block:  # inside a caller's transaction, keep the connection
                connection.close()

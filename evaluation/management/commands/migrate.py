"""``manage.py migrate``: Django's own, one at a time."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.db import connections

LOCK = 0x5143_3442
"""The number of the advisory lock on PostgreSQL; locks of other programs are in other databases."""


class Command(migrate.Command):
    """Hosts that start at the same time on one database change its tables one after the other."""

    def handle(self, *args: Any, **options: Any) -> Any:
        with _alone(options["database"]):
            return super().handle(*args, **options)


@contextmanager
def _alone(alias: str) -> Iterator[None]:
    """Wait until no other process changes the tables of this database. A process that dies gives its turn away."""
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
            # Closing the last connection clears up the write-ahead log; SQLite refuses other connections meanwhile.
            if not connection.in_atomic_block:  # a caller's transaction goes on
                connection.close()

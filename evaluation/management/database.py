"""Wait for the site's database before starting anything."""

from __future__ import annotations

import time
from collections.abc import Callable

from django.core.management.base import CommandError
from django.db import OperationalError, connection

from work.supervisor import Report

LONGEST_PAUSE = 30.0
_PASSES = ("starting up", "shutting down", "recovery", "too many")
"""Words in messages of a PostgreSQL server that rejects connections only temporarily."""


def wait_for_database(say: Report, pause: Callable[[float], object] = time.sleep) -> None:
    """Return once the database can be reached. Pauses grow from 1 second to `LONGEST_PAUSE`, and each is announced.

    Raises:
        CommandError: waiting cannot help, because the server does not know the user, password or database.
    """
    seconds = 1.0
    while (reason := _away()) is not None:
        say(f"The database does not respond ({reason}). Trying again in {seconds:g} s.")
        pause(seconds)
        seconds = min(2 * seconds, LONGEST_PAUSE)


def _away() -> str | None:
    """Return the reason why the database cannot be reached; None if it can."""
    try:
        connection.ensure_connection()
    except OperationalError as error:
        reason = " ".join(str(error).split())
        if connection.vendor == "sqlite" and "locked" in reason:
            return reason  # another process is opening or closing it
        if connection.vendor == "sqlite" or ("FATAL:" in reason and not any(word in reason for word in _PASSES)):
            raise CommandError(f"The database cannot be used: {reason}. Check DATABASE_URL.") from None
        return reason
    return None

"""SQLite's files beside the database are there as long as the site runs.

Whoever closes the last connection removes them, and who opens the next one has to make them anew: on a disk that has
become full or read-only meanwhile nothing could be read any more.
"""

from __future__ import annotations

import sqlite3

from django.db import connection


def hold_open() -> sqlite3.Connection | None:
    """A connection that nobody uses, to be kept; None where the database is another one.

    Not for processes that fork others: SQLite's connections do not survive that.
    """
    if connection.vendor != "sqlite":
        return None
    held = sqlite3.connect(connection.settings_dict["NAME"], check_same_thread=False)
    held.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return held

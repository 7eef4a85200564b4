"""What a database says of an error, on either of the two."""

from __future__ import annotations


def code_of(error: BaseException) -> str:
    """SQLite's name of an error without what it adds ("SQLITE_BUSY" of SQLITE_BUSY_SNAPSHOT), or PostgreSQL's state
    ("40P01"); empty where the error brings neither."""
    on_sqlite = getattr(error, "sqlite_errorname", "")
    return "_".join(on_sqlite.split("_")[:2]) or getattr(error, "sqlstate", None) or ""

"""Error codes of SQLite and PostgreSQL."""

from __future__ import annotations


def error_code(error: BaseException) -> str:
    """Return the code of a database error; empty if it has none.

    This is the primary name of a SQLite error ("SQLITE_BUSY" for SQLITE_BUSY_SNAPSHOT), or the SQLSTATE of a
    PostgreSQL error ("40P01").
    """
    on_sqlite = getattr(error, "sqlite_errorname", "")
    return "_".join(on_sqlite.split("_")[:2]) or getattr(error, "sqlstate", None) or ""

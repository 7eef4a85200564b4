"""The database's clock. The clocks of web and worker hosts may differ, so they are never used."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models import DateTimeField, Expression, ExpressionWrapper
from django.db.models.functions import Now


def from_now(seconds: float) -> Expression:
    """Return an expression for the database's time plus this number of seconds (negative for the past)."""
    return ExpressionWrapper(Now() + timedelta(seconds=seconds), output_field=DateTimeField())


def database_time() -> datetime:
    """Return the current time of the database (UTC). The resolution is 1 ms on SQLite and 1 µs on PostgreSQL."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT STRFTIME('%Y-%m-%dT%H:%M:%f', 'NOW')")
            return datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC)
        cursor.execute("SELECT STATEMENT_TIMESTAMP()")
        found: datetime = cursor.fetchone()[0]
        return found

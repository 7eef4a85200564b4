"""Time as the database tells it. The clocks of web and worker hosts may differ and are never asked."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from django.db import connection
from django.db.models import DateTimeField, Expression, ExpressionWrapper
from django.db.models.functions import Now


def from_now(seconds: float) -> Expression:
    """The database's time in so many seconds (negative: ago), as an expression."""
    return ExpressionWrapper(Now() + timedelta(seconds=seconds), output_field=DateTimeField())


def database_time() -> datetime:
    """What the database's clock says now (UTC). Resolution: 1 ms on SQLite, 1 µs on PostgreSQL."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT STRFTIME('%Y-%m-%dT%H:%M:%f', 'NOW')")
            return datetime.fromisoformat(cursor.fetchone()[0]).replace(tzinfo=UTC)
        cursor.execute("SELECT STATEMENT_TIMESTAMP()")
        found: datetime = cursor.fetchone()[0]
        return found

"""Ways around the database triggers that protect published rows, for tests that need them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection, transaction
from django.db.models import Model

from common.append_only import DOOR, removal_trigger_name, trigger_name


@contextmanager
def unguarded(*models: type[Model]) -> Iterator[None]:
    """Rows of these models may be changed and removed by anything in this block, as by who drops triggers."""
    tables = [model._meta.db_table for model in models]
    with transaction.atomic(), connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            names = [name(table) for table in tables for name in (trigger_name, removal_trigger_name)]
            held = [
                (name, sql)
                for name, sql in cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
                if name in names
            ]
            for name, _ in held:
                cursor.execute(f"DROP TRIGGER {name}")
            yield
            for _, sql in held:
                cursor.execute(sql)
        else:
            cursor.execute("SET LOCAL session_replication_role = replica")
            yield
            cursor.execute("SET LOCAL session_replication_role = origin")


def let_tests_empty_tables() -> None:
    """Have Django's own emptying of tables between tests go through the door, which it shuts at the end."""
    operations: Any = type(connection.ops)
    django_flush = operations.sql_flush

    def flush(self: object, style: object, tables: list[str], **options: object) -> list[str]:
        statements: list[str] = django_flush(self, style, tables, **options)
        last = [one for one in statements if re.search(rf"\b{DOOR}\b", one)]
        if not last:
            return statements
        opened = f"INSERT INTO {DOOR} (why) VALUES ('a test has ended')"
        return [opened, *(one for one in statements if one not in last), *last]

    operations.sql_flush = flush

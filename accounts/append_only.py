"""Database triggers that hold rows unchangeable, for migrations.

On SQLite, a later migration that alters such a table makes it anew and so loses its trigger: let it run
`forbid_updates` again. `tests/test_append_only.py` fails if one is missing.
"""

from __future__ import annotations

from collections.abc import Callable

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython


def forbid_updates(*tables: str) -> RunPython:
    """A migration operation after which rows of these tables can be added and deleted, never changed."""
    return RunPython(_for_each(tables, _create), _for_each(tables, _drop))


def trigger_name(table: str) -> str:
    return f"{table}_is_append_only"


def _for_each(
    tables: tuple[str, ...], sql: Callable[[str, str], list[str]]
) -> Callable[[Apps, BaseDatabaseSchemaEditor], None]:
    def run(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for table in tables:
            for statement in sql(table, editor.connection.vendor):
                editor.execute(statement)

    return run


def _create(table: str, vendor: str) -> list[str]:
    name = trigger_name(table)
    if vendor == "sqlite":
        return [
            f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE UPDATE ON {table} "
            f"BEGIN SELECT RAISE(ABORT, 'rows of {table} never change'); END"
        ]
    return [
        f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ "
        f"BEGIN RAISE EXCEPTION 'rows of {table} never change' "
        f"USING ERRCODE = 'integrity_constraint_violation'; END $$",
        f"CREATE OR REPLACE TRIGGER {name} BEFORE UPDATE ON {table} FOR EACH ROW EXECUTE FUNCTION {name}()",
    ]


def _drop(table: str, vendor: str) -> list[str]:
    name = trigger_name(table)
    if vendor == "sqlite":
        return [f"DROP TRIGGER IF EXISTS {name}"]
    return [f"DROP TRIGGER IF EXISTS {name} ON {table}", f"DROP FUNCTION IF EXISTS {name}()"]

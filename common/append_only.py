"""Migration operations that add database triggers to protect published rows from changes and deletion.

The triggers also stop SQL that bypasses the ORM. They reject an UPDATE of a protected column. They reject a DELETE
(and on PostgreSQL a TRUNCATE) unless the transaction has added a row of `annotations.models.Removal`
(docs/decisions/held-by-the-database.md).

On SQLite, a later migration that alters such a table rebuilds it without its triggers, so it must run the operation
again. `tests/common/test_append_only.py` fails if a trigger is missing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.apps.registry import Apps
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations import RunPython

DOOR = "annotations_removal"
"""Rows can be deleted while this table has a row; see `annotations.collections.removal`."""
_OPEN = f"SELECT 1 FROM {DOOR}"  # noqa: S608 - a constant


def forbid_updates(*tables: str) -> RunPython:
    """Return a migration operation that forbids all updates of these tables. Rows can still be added."""
    return _operation(tables, trigger_name, lambda _table, _vendor: ("UPDATE", "", "never change"))


def forbid_changes(table: str, *columns: str, once: Iterable[str] = (), after: str = "") -> RunPython:
    """Return a migration operation that forbids changes of these columns of a table.

    Args:
        once: columns that may be filled if they are empty.
        after: a condition on the old row, such as ``OLD.state = 'done'``. Until it holds, everything may change.
    """

    def event(_table: str, vendor: str) -> tuple[str, str, str]:
        other = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"
        changes = [f"OLD.{name} {other} NEW.{name}" for name in columns]
        changes += [
            f"(COALESCE(CAST(OLD.{name} AS text), '') <> '' AND OLD.{name} {other} NEW.{name})" for name in once
        ]
        condition = f"({' OR '.join(changes)})"
        return "UPDATE", f"{after} AND {condition}" if after else condition, "have columns that never change"

    return _operation((table,), trigger_name, event)


def forbid_removals(*tables: str) -> RunPython:
    """Return a migration operation that forbids deleting rows of these tables unless `DOOR` has a row."""
    return _operation(tables, removal_trigger_name, lambda _table, _vendor: ("DELETE", "", "cannot be deleted"))


def trigger_name(table: str) -> str:
    return f"{table}_is_append_only"


def removal_trigger_name(table: str) -> str:
    return f"{table}_is_kept"


def _operation(
    tables: tuple[str, ...], name_of: Callable[[str], str], event: Callable[[str, str], tuple[str, str, str]]
) -> RunPython:
    def create(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        write = _on_sqlite if editor.connection.vendor == "sqlite" else _on_postgresql
        for table in tables:
            for statement in write(table, name_of(table), *event(table, editor.connection.vendor)):
                editor.execute(statement)

    def drop(_apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
        for table in tables:
            for statement in drop_statements(table, name_of(table), editor.connection.vendor):
                editor.execute(statement)

    return RunPython(create, drop)


def _on_sqlite(table: str, name: str, what: str, condition: str, says: str) -> list[str]:
    if what == "DELETE":
        condition = f"NOT EXISTS ({_OPEN})"
    when = f"WHEN {condition} " if condition else ""
    return [
        f"CREATE TRIGGER IF NOT EXISTS {name} BEFORE {what} ON {table} {when}"
        f"BEGIN SELECT RAISE(ABORT, 'rows of {table} {says}'); END"
    ]


def _on_postgresql(table: str, name: str, what: str, condition: str, says: str) -> list[str]:
    refuse = f"RAISE EXCEPTION 'rows of {table} {says}' USING ERRCODE = 'integrity_constraint_violation';"
    body = f"IF NOT EXISTS ({_OPEN}) THEN {refuse} END IF; RETURN OLD;" if what == "DELETE" else refuse
    when = f"WHEN ({condition}) " if condition else ""
    function = f"CREATE OR REPLACE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {body} END $$"
    row = f"CREATE OR REPLACE TRIGGER {name} BEFORE {what} ON {table} FOR EACH ROW {when}EXECUTE FUNCTION {name}()"
    if what != "DELETE":
        return [function, row]
    every = f"CREATE OR REPLACE TRIGGER {name}_whole BEFORE TRUNCATE ON {table} EXECUTE FUNCTION {name}()"
    return [function, row, every]


def drop_statements(table: str, name: str, vendor: str) -> list[str]:
    """Return the SQL statements that remove a trigger."""
    if vendor == "sqlite":
        return [f"DROP TRIGGER IF EXISTS {name}"]
    return [
        f"DROP TRIGGER IF EXISTS {name}_whole ON {table}",
        f"DROP TRIGGER IF EXISTS {name} ON {table}",
        f"DROP FUNCTION IF EXISTS {name}()",
    ]

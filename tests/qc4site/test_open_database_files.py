"""SQLite's files beside the database outlive the connections of requests: see `qc4site.web`."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest
from django.db import connection

from qc4site.web import hold_open


def written(database: Path) -> None:
    """As a request that writes, and whose connection is closed."""
    with sqlite3.connect(database) as asked:
        asked.execute("PRAGMA journal_mode=WAL")
        asked.execute("CREATE TABLE IF NOT EXISTS row (value)")
    asked.close()


def test_they_stay_when_the_last_connection_is_closed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = tmp_path / "qc4.sqlite3"
    written(database)
    assert [path.name for path in tmp_path.iterdir()] == [database.name]
    monkeypatch.setattr(connection, "vendor", "sqlite")
    monkeypatch.setitem(connection.settings_dict, "NAME", str(database))
    held = hold_open()
    assert held is not None
    written(database)
    assert {path.suffix for path in tmp_path.iterdir()} == {".sqlite3", ".sqlite3-wal", ".sqlite3-shm"}
    held.close()


def test_other_databases_need_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "vendor", "postgresql")
    assert hold_open() is None

"""A short load of the whole site: nothing fails, and nothing that was acknowledged is lost (longer: `bench.load`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench import load
from bench.serving import environment
from tests.fixtures import database as migrated
from tests.profiles import thorough


@thorough("the whole site under load")
def test_while_a_collection_is_imported_people_read_and_write_and_nothing_is_lost(
    tmp_path: Path, django_db_setup: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(migrated.template(), tmp_path / "qc4.sqlite3")
    settings = environment(tmp_path)
    rows = list(load.load("SQLite", settings, seconds=3, readers=4, writers=4, queries=2, every=(0.5, 0.5)))
    reads, writes, *told = rows
    assert reads["requests"] > 0
    assert writes["requests"] > 0
    sentences = " ".join(row["sentence"] for row in told)
    assert (reads["failed"], writes["failed"]) == (0, 0), sentences
    assert "0 lost; manage.py verify finds nothing wrong" in sentences
    assert "import of 2,000 pages meanwhile: done" in sentences
    assert "failed" not in sentences

"""Under a short load of the whole site, no request fails and no acknowledged write is lost (see `bench.load`)."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from bench import load
from bench.serving import site_settings
from tests.fixtures import database as migrated
from tests.profiles import thorough


@thorough("the whole site under load")
def test_no_write_is_lost_while_people_work_during_an_import(
    tmp_path: Path, django_db_setup: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(migrated.template(), tmp_path / "qc4.sqlite3")
    settings = site_settings(tmp_path)
    rows = list(load.load("SQLite", settings, seconds=3, readers=4, writers=4, queries=2, every=(0.5, 0.5)))
    reads, writes, *messages = rows
    assert reads["requests"] > 0
    assert writes["requests"] > 0
    sentences = " ".join(row["sentence"] for row in messages)
    assert (reads["failed"], writes["failed"]) == (0, 0), sentences
    assert "0 lost; manage.py verify finds nothing wrong" in sentences
    assert "import of 2,000 pages at the same time: done" in sentences
    assert "failed" not in sentences

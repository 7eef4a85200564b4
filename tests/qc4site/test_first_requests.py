"""What is built for the first visitor of a process is built once, also if six come at the same moment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier, Lock
from typing import Any

import pytest
from pytest_django import DjangoDbBlocker

from qc4site.api import root as api_root
from tests.fixtures import database as migrated
from tests.paths import ROOT
from tests.profiles import thorough
from tests.qc4site.first_requests import AT_ONCE
from tests.waiting import PATIENCE

ADDRESSES = (
    *("/api/v1/schema", "/api/v1/schema?format=json", "/api/v1/docs/", "/api/v1/", "/api/v1/measures", "/api/v1/study"),
    *("/docs/", "/docs/formats/", "/docs/search/?q=gold", "/", "/sign-in/", "/sign-up/"),
    *("/measures/", "/measures/qc4_f/", "/measures/silhouette/", "/measures.bib", "/study/", "/study/study.csv"),
)
"""Schema, documentation and its search, the catalogue with its examples and formulas, the study, forms."""


def test_threads_do_not_build_the_schema_beside_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its generator fails then. Web processes build it when they start; `runserver` and other servers do not."""
    built: list[int] = []
    inside = Lock()

    def get_schema(*_: object, **__: object) -> dict[str, Any]:
        assert inside.acquire(blocking=False), "two threads build it at once"
        built.append(1)
        inside.release()
        return {}

    monkeypatch.setattr(api_root.SchemaGenerator, "get_schema", get_schema)
    api_root._schema.cache_clear()
    try:
        start = Barrier(AT_ONCE)

        def visit(_: int) -> dict[str, Any]:
            start.wait()
            return api_root.schema()

        with ThreadPoolExecutor(AT_ONCE) as pool:
            assert list(pool.map(visit, range(AT_ONCE))) == [{}] * AT_ONCE
        assert len(built) == 1
    finally:
        api_root._schema.cache_clear()


@thorough("first visitors of a process")
def test_six_first_visitors_get_what_one_gets(
    tmp_path: Path, django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> None:
    with django_db_blocker.unblock():
        shutil.copy(migrated.template(), tmp_path / "qc4.sqlite3")
    environment = {
        **os.environ, "DJANGO_SETTINGS_MODULE": "qc4site.settings", "DEBUG": "1", "QC4_DATA_DIR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'qc4.sqlite3'}",
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-m", "tests.qc4site.first_requests", *ADDRESSES],
        cwd=ROOT, env=environment, capture_output=True, text=True, timeout=5 * PATIENCE, check=True,
    )  # fmt: skip
    assert json.loads(done.stdout) == {address: [200] * AT_ONCE for address in ADDRESSES}

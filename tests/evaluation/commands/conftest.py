"""Commands as a person runs them: arguments in, exit status, standard output and standard error out."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.management import ManagementUtility
from django.db.utils import ConnectionHandler

from qc4.io import write_gold
from qc4.model.gold_document import GoldDocument
from tests.evaluation.commands.outcome import Manage, Outcome


@pytest.fixture
def manage(db: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Manage:
    """``manage("submit", "demo", path)``: what ``python manage.py submit demo PATH`` would do."""
    # A command closes its connections when it ends; here the test's transaction lives on one of them.
    monkeypatch.setattr(ConnectionHandler, "close_all", lambda *_, **__: None)

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        command = ["manage.py", *map(str, arguments), "--no-color", "--skip-checks"]
        try:
            ManagementUtility(command).execute()
            status = 0
        except SystemExit as stop:
            status = int(stop.code or 0)
        captured = capsys.readouterr()
        return Outcome(status, captured.out, captured.err)

    return call


@pytest.fixture
def gold_file(tmp_path: Path, gold_documents: tuple[GoldDocument, ...]) -> Path:
    """The query ``mercury`` as a qc4-gold/1 file."""
    path = tmp_path / "mercury.gold.json"
    path.write_bytes(write_gold(gold_documents[0]))
    return path


@pytest.fixture
def answer_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a qc4-clustering/1 file for ``mercury`` from clusters."""

    def write(*clusters: dict[str, Any], query: str = "mercury", name: str = "answer.json", **more: Any) -> Path:
        path = tmp_path / name
        value = {"format": "qc4-clustering/1", "query": query, "clusters": list(clusters), **more}
        path.write_text(json.dumps(value, ensure_ascii=False), encoding="utf-8")
        return path

    return write

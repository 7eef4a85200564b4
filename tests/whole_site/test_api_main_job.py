"""The scripts of docs/users/scripts.md do the whole main job over HTTP, as they stand there."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from pytest_django.live_server_helper import LiveServer

from accounts.models import User
from accounts.services import tokens
from annotations.models import Collection
from evaluation.models import Run
from evaluation.runs.execution import run_here
from qc4.io import write_clustering
from qc4.model.clustering import Clustering
from tests.documentation.code_blocks import blocks
from tests.paths import DOCS
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.waiting import PATIENCE

DOCUMENT = DOCS / "users" / "scripts.md"


def script(language: str) -> str:
    """All blocks of a language, one after the other."""
    return "".join(block.code for block in blocks(DOCUMENT) if block.language == language)


@pytest.fixture
def worker(transactional_db: None) -> Iterator[None]:
    """Carries out whatever is queued, in a thread of its own."""
    stop = threading.Event()

    def work() -> None:
        try:
            while not stop.wait(0.05):
                for run in Run.objects.filter(state=Run.State.QUEUED):
                    run_here(run)
        finally:
            connection.close()

    thread = threading.Thread(target=work)
    thread.start()
    yield
    stop.set()
    thread.join()


@pytest.fixture
def folder(tmp_path: Path, gold_file: bytes) -> Path:
    """What the scripts read: a gold standard and a clustering of it."""
    (answer,) = (found for found in submission_document(GOOD_ANSWER).clusterings if found.query == "mercury")
    (tmp_path / "gold.json").write_bytes(gold_file)
    (tmp_path / "clusters.json").write_bytes(write_clustering(Clustering("mercury", answer.clusters)))
    return tmp_path


def run_script(command: list[str], folder: Path, server: LiveServer, owner: User) -> str:
    _, secret = tokens.create(owner, "script")
    environment = {**os.environ, "QC4_URL": server.url, "QC4_TOKEN": secret}
    found = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, timeout=2 * PATIENCE, check=False
    )
    assert found.returncode == 0, found.stderr
    return found.stdout


@pytest.mark.usefixtures("worker")
def test_the_python_script_does_the_main_job(live_server: LiveServer, owner: User, folder: Path) -> None:
    (folder / "main_job.py").write_text(script("python"))
    said = run_script([sys.executable, "main_job.py", "gold.json", "clusters.json"], folder, live_server, owner)
    assert re.search(r"^-  STC  quality 0\.\d{3}  coverage [01]\.\d{3}  qc4_f 0\.\d{3}$", said, re.MULTILINE), said
    assert "mercury / c1: level 1, space, 1.000" in said
    assert Collection.objects.get(slug__startswith="my-collection-by-python").created_by == owner


@pytest.mark.usefixtures("worker")
@pytest.mark.skipif(shutil.which("curl") is None, reason="curl is not installed")
def test_the_curl_script_does_the_main_job(live_server: LiveServer, owner: User, folder: Path) -> None:
    said = run_script(["bash", "-euo", "pipefail", "-c", script("bash")], folder, live_server, owner)
    assert said.splitlines()[:3] == ["done", "True", "done"]
    assert '"algorithm":"STC"' in said
    # The same person, the same files, the other example: nothing is in the way.
    (folder / "main_job.py").write_text(script("python"))
    said = run_script([sys.executable, "main_job.py", "gold.json", "clusters.json"], folder, live_server, owner)
    assert re.search(r"^-  STC  quality 0\.\d{3}  coverage [01]\.\d{3}  qc4_f 0\.\d{3}$", said, re.MULTILINE), said

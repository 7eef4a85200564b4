"""Run the files ``*.test.js`` of this folder, which test scripts without a page, with the test runner of Node.js."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scripts.node import HERE, run
from tests.waiting import PATIENCE

FILES = sorted(HERE.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_file_passes_in_node(file: Path) -> None:
    timeout = f"--test-timeout={PATIENCE * 1000:.0f}"
    print(run("--test", "--test-force-exit", timeout, "--test-reporter=spec", file.name).stdout)


def test_test_files_are_found() -> None:
    assert FILES

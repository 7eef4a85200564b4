"""Scripts that need no page are tested by Node.js's own test runner: each file named ``<what>.test.js`` here."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.scripts.node import HERE, run
from tests.waiting import PATIENCE

FILES = sorted(HERE.glob("*.test.js"))


@pytest.mark.parametrize("file", FILES, ids=lambda path: path.name)
def test_scripts_without_a_page(file: Path) -> None:
    timeout = f"--test-timeout={PATIENCE * 1000:.0f}"
    print(run("--test", "--test-force-exit", timeout, "--test-reporter=spec", file.name).stdout)


def test_tests_of_scripts_are_found() -> None:
    assert FILES

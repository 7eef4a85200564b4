"""`scripts/find_chromium.sh` chooses the browser for `make`, `.ci/run` and the tests."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.paths import ROOT


@pytest.mark.parametrize(
    ("installed", "configured", "found"),
    [
        (["chromium", "chromium-headless-shell"], "", "chromium-headless-shell"),
        (["chromium", "chromium-browser"], "", "chromium"),
        (["chromium-browser"], "", "chromium-browser"),
        (["chromium-headless-shell"], "/opt/another", "/opt/another"),
        ([], "", ""),
    ],
)
def test_chooses_the_configured_browser_or_the_lightest_installed_one(
    tmp_path: Path, installed: list[str], configured: str, found: str
) -> None:
    for name in installed:
        (tmp_path / name).touch(0o755)
    done = subprocess.run(
        [shutil.which("bash") or "bash", ROOT / "scripts" / "find_chromium.sh"],
        env={"PATH": str(tmp_path), "QC4_CHROMIUM": configured},
        capture_output=True,
        text=True,
    )
    assert done.stdout.strip() == (str(tmp_path / found) if found else "")
    assert (done.returncode == 0) == bool(found)

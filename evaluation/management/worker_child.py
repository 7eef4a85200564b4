"""The Celery worker as a child of our commands."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Sequence

from django.conf import settings

from evaluation.private_files import mend
from qc4.problems.wording import counted
from work.supervisor import Child, Say

# Celery warns root for the sake of messages that carry code. Ours are JSON and carry the numbers of runs.
NO_ROOT_WARNING = ("-W", "ignore:You're running the worker with superuser privileges")
CELERY = ("celery", "-A", "qc4site", "--skip-checks", "--quiet", "worker", "--loglevel", settings.LOG_LEVEL)
QUIET = ("--without-gossip", "--without-mingle", "--without-heartbeat")

GRACE_SECONDS = 2.0
"""Enough to hand back its runs. What it computes after that it may not write any more."""
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
"""The pool has a process per core; threads of numerical libraries beside them only wait for each other."""


def tell_private(say: Say) -> None:
    """Mend the files others might read, and say so; what belongs to somebody else is named."""
    mended, left = mend(settings.DATA_DIR)
    if mended:
        say(f"{counted(mended, 'file or folder', 'files or folders')} of {settings.DATA_DIR} could be read by others.")
    for sentence in left:
        say(sentence)


def add_pool_argument(parser: ArgumentParser) -> None:
    """``--workers N``: how many runs are worked on at the same time."""
    default = max(os.cpu_count() or 1, 2)
    about = f"runs at the same time (default {default})"
    parser.add_argument("--workers", type=_at_least_one, default=default, metavar="N", help=about)


def worker_child(say: Say, *, name: str, processes: int, queues: Sequence[str] = ()) -> Child:
    """A worker process with a pool; it listens to these of ``JOB_QUEUES``, or to all."""
    command = [
        sys.executable,
        *NO_ROOT_WARNING,
        "-m",
        *CELERY,
        *QUIET,
        "--concurrency",
        str(processes),
        "--hostname",
        f"{name}@%h",
    ]
    if queues:
        command += ["--queues", ",".join(settings.JOB_QUEUE_PREFIX + queue for queue in queues)]
    return Child("worker", command, say, grace=GRACE_SECONDS, environment=ONE_THREAD)


def _at_least_one(value: str) -> int:
    if not value.isdecimal() or int(value) < 1:
        raise ArgumentTypeError(f"{value!r}: expected a whole number of at least 1")
    return int(value)

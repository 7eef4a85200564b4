"""Carry a run out in this process: for commands, which need no worker."""

from __future__ import annotations

import time

from django.conf import settings

from evaluation.jobs.context import Progress
from evaluation.jobs.execution import execute
from evaluation.models import Run
from work.background import sweep
from work.workers import worker_name

FOLLOW_SECONDS = 0.3
"""How often a command looks at a run that somebody else works on."""


def run_here(run: Run, progress: Progress | None = None) -> Run:
    """Carry a run out in this process, or follow it where another worker has it, until it has ended.

    While it follows, it sweeps, so that a run whose worker died comes back.

    Raises:
        KeyboardInterrupt: interrupted; a run that was carried out here is queued again.
    """
    swept_at = time.monotonic()
    while True:
        if execute(run.pk, worker_name(), progress):
            swept_at = time.monotonic()
        run.refresh_from_db()
        if run.has_ended:
            return run
        if progress is not None:
            progress(run.done, run.total, run.step or run.state)
        if time.monotonic() - swept_at >= settings.JOB_SWEEP_SECONDS:
            sweep()
            swept_at = time.monotonic()
        time.sleep(FOLLOW_SECONDS)

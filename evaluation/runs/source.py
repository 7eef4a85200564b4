"""Runs as a source of work for workers: what to claim, what to recover, what to delete."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.models import Q

from accounts import audit
from annotations.collections.removal import allow_removal
from annotations.imports.services import discard_abandoned_imports
from evaluation.models import Evaluation, Run
from evaluation.runs.errors import RunError
from evaluation.runs.execution import KINDS, carry_out, executor, notify_starter
from evaluation.runs.scheduling import next_run
from evaluation.uploads.services import INCOMING, delete_abandoned
from work.clock import from_now
from work.leases import SWEEPER, Lease, Reason, State, claim, sweep_leases, transition
from work.models import Worker
from work.sources import Source


@dataclass(frozen=True, slots=True)
class ClaimedRun:
    """A run that this process has claimed."""

    lease: Lease

    def run(self) -> bool:
        return carry_out(self.lease, preemptible=True) is None


class Runs(Source):
    """The table of runs."""

    model = Run

    def claim(self, worker: str, queue: str) -> ClaimedRun | None:
        while (found := next_run([queue])) is not None:
            if (lease := claim(Run, found, worker)) is not None:
                return ClaimedRun(lease)
            # Another worker was faster and used up this person's turn: ask again.
        return None

    def load(self) -> None:
        for kind in KINDS:
            executor(kind)
        import_module("evaluation.boards.warming")

    def sweep(self) -> Counter[str]:
        return sweep_leases(Run, _fail)

    def tidy(self) -> int:
        return tidy()


SOURCE = Runs()


def _fail(run: Run, reason: Reason, only_if: Q) -> bool:
    """Set a run FAILED with the reason, and notify its starter."""
    error = _too_slow() if reason == "time-limit" else _worker_died(run)
    failed = transition(
        Run, run.pk, State.RUNNING, State.FAILED,
        actor=SWEEPER, why=error.sentence, only_if=only_if, error=error.to_dict(),
    )  # fmt: skip
    if failed:
        notify_starter(run.pk)
    return failed


def _too_slow() -> RunError:
    return RunError(
        "time-limit",
        f"The run took longer than {settings.JOB_TIME_LIMIT_SECONDS / 3600:g} hours, which is the limit.",
        fix="Choose fewer measures or split the submission. Scores computed so far are kept and not computed again.",
    )


def _worker_died(run: Run) -> RunError:
    times = "once" if run.attempts == 1 else f"{run.attempts} times"
    return RunError(
        "worker-died",
        f"The worker died {times} while working on this run.",
        run.step,
        "The data may need more memory than the worker has. Report it to the administrator, or try fewer queries.",
    )


# --- Delete rows and files that nothing refers to ---

DAY = 86_400
LEFT_BEHIND_SECONDS = 3_600
"""No request uses its temporary files this long: older ones are left by killed processes."""
AT_ONCE = 500


def tidy() -> int:
    """Delete what nothing refers to any more.

    Evaluations have no run if their collection was deleted, or if a helper stored them for a run that then failed. They
    are deleted once they are a day old. So are workers not seen for a day, and data that killed imports left a day ago.
    Uploads without a result and old entries of the audit log are deleted too.

    Returns:
        The number of deleted evaluations, at most `AT_ONCE` per call.
    """
    Worker.objects.filter(seen_at__lt=from_now(-DAY)).delete()
    _tidy_files()
    delete_abandoned()
    audit.forget()
    discard_abandoned_imports(from_now(-DAY))
    with allow_removal("scores nothing refers to"):
        orphans = Evaluation.objects.filter(run_queries__isnull=True, created_at__lt=from_now(-DAY)).order_by("pk")
        found = list(orphans.values_list("pk", flat=True)[:AT_ONCE])
        # Lock them and check again: a run that is storing scores into one of them holds its row.
        skip = connection.features.has_select_for_update_skip_locked
        locked = Evaluation.objects.filter(pk__in=found).select_for_update(skip_locked=skip)
        still = Evaluation.objects.filter(pk__in=[row.pk for row in locked], run_queries__isnull=True)
        return still.delete()[1].get("evaluation.Evaluation", 0)


def _tidy_files() -> None:
    """Delete incomplete uploads and temporary files."""
    before = time.time() - LEFT_BEHIND_SECONDS
    for path in _passing_files():
        try:
            old = path.lstat().st_mtime < before
        except FileNotFoundError:
            continue  # its owner or another worker was faster
        if old and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path, ignore_errors=True)
        elif old:
            path.unlink(missing_ok=True)


def _passing_files() -> Iterator[Path]:
    yield from settings.TEMPORARY_DIR.iterdir()
    yield from settings.UPLOAD_DIR.glob(f"{INCOMING}*")

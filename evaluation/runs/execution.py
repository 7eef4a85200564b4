"""Claim a run, carry it out, and make sure that it ends or returns to the queue."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from django.conf import settings
from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.utils.module_loading import import_string

from accounts import mail, notices
from accounts.mail import notify
from common.disk_space import Lack, lacking
from evaluation.access import visible_runs
from evaluation.models import Run
from evaluation.runs.context import JobContext, Progress
from evaluation.runs.errors import Preempted, RunError
from qc4.problems import InputError, Problem
from work.background import sweep
from work.leases import Heartbeat, Lease, LeaseLost, claim
from work.workers import worker_name

log = logging.getLogger(__name__)

Executor = Callable[[JobContext], None]

KINDS = {
    Run.Kind.EVALUATION: "evaluation.scoring.jobs.execute",
    Run.Kind.IMPORT: "evaluation.imports.jobs.execute",
    Run.Kind.BASELINES: "evaluation.baseline_runs.jobs.execute",
    Run.Kind.VECTORS: "evaluation.vectors.jobs.execute",
    Run.Kind.SWEEP: "evaluation.selection.jobs.execute",
    Run.Kind.STREAM: "evaluation.streams.jobs.execute",
    Run.Kind.STREAM_BASELINES: "evaluation.streams.jobs.execute_baselines",
    Run.Kind.ANNOUNCEMENT: "evaluation.gold.jobs.execute",
}
"""Kind of run -> function that carries it out. A command imports only what its run needs; a worker imports all of them
before it forks its processes."""


def executor(kind: str) -> Executor:
    """Return the function that carries out runs of a kind."""
    found: Executor = import_string(KINDS[Run.Kind(kind)])
    return found


def execute(run_id: int, worker: str, progress: Progress | None = None) -> bool:
    """Claim and carry out this run in this process, for commands. It is never preempted.

    Returns:
        Whether the run was claimed. Its row has the outcome.

    Raises:
        KeyboardInterrupt, SystemExit, InputError (the disk is full): after the run returned to the queue.
    """
    lease = claim(Run, run_id, worker)
    if lease is None:
        return False
    with suppress(MemoryError):
        if lack := carry_out(lease, progress):
            raise InputError([Problem(lack.code, f"run {run_id}", lack.sentence, "room to write", lack.fix)])
    return True


def carry_out(lease: Lease, progress: Progress | None = None, *, preemptible: bool = False) -> Lack | None:
    """Carry out a claimed run; return what the disk lacked, if the run returned to the queue for that reason.

    Other failures are in the run's row. `MemoryError` is also raised.
    """
    run = Run.objects.select_related(*Run.ABOUT, "created_by").get(pk=lease.pk)
    log.info("%s (%s): claimed by %s, attempt %s", lease, run.kind, lease.worker, run.attempts)
    try:
        with Heartbeat(lease) as heartbeat:
            context = JobContext(run, lease, heartbeat, progress, preemptible=preemptible)
            executor(run.kind)(context)
            context.finish("Done.")
    except (LeaseLost, Preempted) as left:
        log.info("%s", left)
    except Exception as error:
        if (lack := lacking(error)) is not None:
            _postpone(lease, lack)
            return lack
        _fail(lease, run, error)
        if isinstance(error, MemoryError):
            raise
    except BaseException:
        lease.hand_back("Interrupted; the run continues where it stopped.", count_attempt=False)
        raise
    else:
        _prepare_boards(run)
    return None


def fail(lease: Lease, error: RunError) -> bool:
    """Set the run FAILED with this error. Return False if this worker no longer holds the run."""
    return lease.fail(error.sentence, error=error.to_dict())


def _fail(lease: Lease, run: Run, error: Exception) -> None:
    if isinstance(error, OperationalError | InterfaceError):
        log.error("run %s: the database failed", run.pk, exc_info=error)
        _after_database_trouble(lease, run, was_busy="locked" in str(error))
    elif fail(lease, _run_error(error, run)):
        notify_starter(run.pk)
    else:
        log.info("run %s is no longer held by %s, so this error does not end it", run.pk, lease.worker)


def _postpone(lease: Lease, lack: Lack) -> None:
    """Let the run wait until there is space; if even that cannot be written, its lease expires."""
    log.error("%s is postponed: %s", lease, lack.sentence)
    try:
        lease.hand_back(f"{lack.sentence} The run will be tried again.", count_attempt=False)
    except DatabaseError:
        log.exception("%s: the database cannot record this either, so the lease will expire", lease)
        connection.close()


def _prepare_boards(run: Run) -> None:
    """Compute the leaderboard in advance. A failure here does not fail the run: requests compute it later."""
    try:
        import_string("evaluation.boards.warming.queue_default_answers")(run)
    except Exception:
        log.exception("run %s: its leaderboard is not computed yet", run.pk)


def _run_error(error: Exception, run: Run) -> RunError:
    """Return the error for the user. Errors that only a developer understands go to the log."""
    if isinstance(error, RunError):
        return error
    if isinstance(error, InputError):
        return RunError.of_input(error)
    log.error("run %s failed unexpectedly", run.pk, exc_info=error)
    if isinstance(error, MemoryError):
        return RunError(
            "out-of-memory",
            "The worker ran out of memory.",
            run.step,
            "Ask the administrator for a worker with more memory, or split the data.",
        )
    return RunError(
        "internal-error",
        "Something went wrong. This is our fault, not yours.",
        run.step,
        f"Report run {run.pk} to the administrator: the worker's log has the details. Then run it again.",
    )


def _after_database_trouble(lease: Lease, run: Run, *, was_busy: bool) -> None:
    """Return the run to the queue, as often as after a dead worker; waiting for SQLite's single writer does not count.

    If the database is still unavailable, the lease expires and the recovery task requeues the run.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
    try:
        if was_busy or run.attempts < settings.JOB_MAX_ATTEMPTS:
            lease.hand_back("The database did not answer; trying again.", count_attempt=not was_busy)
        else:
            sentence = f"The database failed {run.attempts} times while this run was working."
            fail(
                lease,
                RunError("database-failed", sentence, run.step, "Report it to the administrator, then run it again."),
            )
            notify_starter(run.pk)
    except (OperationalError, InterfaceError):
        log.exception("run %s: the database is still unavailable, its lease will expire", run.pk)
        connection.close()


# --- Carry out a run in this process: for commands, which need no worker ---

FOLLOW_SECONDS = 0.3
"""How often a command checks a run that another worker holds."""


def run_here(run: Run, progress: Progress | None = None) -> Run:
    """Carry out a run in this process, or wait for the worker that holds it, until the run has ended.

    While it waits, it also recovers runs of dead workers.

    Raises:
        KeyboardInterrupt: interrupted; a run that this process held is queued again.
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


# --- Notify the person who started a run that it failed ---


def notify_starter(run_id: int) -> None:
    """Send the starter an e-mail if they can still see the run. Errors are only logged."""
    try:
        _send_failure_email(run_id)
    except Exception:
        log.exception("run %s failed, and its starter was not notified", run_id)


def _send_failure_email(run_id: int) -> None:
    run = Run.objects.select_related(*Run.ABOUT, "submission__algorithm", "created_by").get(pk=run_id)
    user, error = run.created_by, run.error or {}
    if run.state != Run.State.FAILED or user is None or not visible_runs(user).filter(pk=run_id).exists():
        return
    facts = {
        "run": str(run_id),
        "what": _run_title(run),
        "sentence": _error_text(error, "sentence"),
        "fix": _error_text(error, "fix"),
        "page": mail.link("run", run_id),
    }
    notify([user], notices.FAILED_RUNS, "run_failed", **facts)


def _run_title(run: Run) -> str:
    of = f" of {run.submission.algorithm}" if run.submission else ""
    where = f" in {run.collection}" if run.collection else ""
    return f"{run.kind}{of}{where}"


def _error_text(error: dict[str, Any], what: str) -> str:
    return str(error.get(what) or "see its page.")

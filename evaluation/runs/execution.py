"""Claim a run, do it, and make sure that it ends or returns to the queue."""

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
from evaluation.runs.errors import GaveWay, RunError
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
"""Kind of run -> the function that does it. A command imports what its run needs; a worker imports them all before it
forks its processes."""


def executor(kind: str) -> Executor:
    """The function that does runs of a kind."""
    found: Executor = import_string(KINDS[Run.Kind(kind)])
    return found


def execute(run_id: int, worker: str, progress: Progress | None = None) -> bool:
    """Do this very run in this process, if it is there to be claimed: for commands. It gives way to nobody.

    Returns:
        Whether it was claimed. How it went stands in its row.

    Raises:
        KeyboardInterrupt, SystemExit, InputError (the disk is full): after the run went back to the queue.
    """
    lease = claim(Run, run_id, worker)
    if lease is None:
        return False
    with suppress(MemoryError):
        if lack := carry_out(lease, progress):
            raise InputError([Problem(lack.code, f"run {run_id}", lack.sentence, "room to write", lack.fix)])
    return True


def carry_out(lease: Lease, progress: Progress | None = None, *, gives_way: bool = False) -> Lack | None:
    """Do a claimed run; says what the disk lacked, where that made it go back to the queue. How else it failed stands
    in its row; `MemoryError` is raised, too.
    """
    run = Run.objects.select_related(*Run.ABOUT, "created_by").get(pk=lease.pk)
    log.info("%s (%s): claimed by %s, attempt %s", lease, run.kind, lease.worker, run.attempts)
    try:
        with Heartbeat(lease) as heartbeat:
            context = JobContext(run, lease, heartbeat, progress, gives_way=gives_way)
            executor(run.kind)(context)
            context.finish("Done.")
    except (LeaseLost, GaveWay) as left:
        log.info("%s", left)
    except Exception as error:
        if (lack := lacking(error)) is not None:
            _put_off(lease, lack)
            return lack
        _fail(lease, run, error)
        if isinstance(error, MemoryError):
            raise
    except BaseException:
        lease.hand_back("Interrupted; it goes on where it stopped.", count_attempt=False)
        raise
    else:
        _prepare_boards(run)
    return None


def fail(lease: Lease, error: RunError) -> bool:
    """Set the run to FAILED with this error. Return False if the run is no longer ours."""
    return lease.fail(error.sentence, error=error.to_dict())


def _fail(lease: Lease, run: Run, error: Exception) -> None:
    if isinstance(error, OperationalError | InterfaceError):
        log.error("run %s: the database failed", run.pk, exc_info=error)
        _after_database_trouble(lease, run, was_busy="locked" in str(error))
    elif fail(lease, _told(error, run)):
        notify_starter(run.pk)
    else:
        log.info("run %s is no longer held by %s, so this error is not its end", run.pk, lease.worker)


def _put_off(lease: Lease, lack: Lack) -> None:
    """The run waits until there is room; where not even that can be written, its lease runs out."""
    log.error("%s is put off: %s", lease, lack.sentence)
    try:
        lease.hand_back(f"{lack.sentence} It is tried again.", count_attempt=False)
    except DatabaseError:
        log.exception("%s: not even that can be written, its lease will expire", lease)
        connection.close()


def _prepare_boards(run: Run) -> None:
    """What is not prepared is worked out when somebody asks: no failure here is one of the run."""
    try:
        import_string("evaluation.boards.warming.warm")(run)
    except Exception:
        log.exception("run %s: its board is not worked out yet", run.pk)


def _told(error: Exception, run: Run) -> RunError:
    """What the user is told. What only a developer understands goes to the log."""
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
        "Something went wrong that is our fault, not yours.",
        run.step,
        f"Tell the administrator that run {run.pk} failed: the details are in the worker's log. Then run it again.",
    )


def _after_database_trouble(lease: Lease, run: Run, *, was_busy: bool) -> None:
    """Try again later, as often as a dying worker may; waiting for SQLite's one writer does not count.

    If the database is still away, the lease runs out and the sweeper sees to it.
    """
    if not connection.in_atomic_block:
        connection.close_if_unusable_or_obsolete()
    try:
        if was_busy or run.attempts < settings.JOB_MAX_ATTEMPTS:
            lease.hand_back("The database did not answer; trying again.", count_attempt=not was_busy)
        else:
            sentence = f"The database failed {run.attempts} times while this run was working."
            fail(lease, RunError("database-failed", sentence, run.step, "Tell the administrator, then run it again."))
            notify_starter(run.pk)
    except (OperationalError, InterfaceError):
        log.exception("run %s: the database is still away, its lease will expire", run.pk)
        connection.close()


# Carry a run out in this process: for commands, which need no worker.

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


# Notify the person who started a run that it failed.


def notify_starter(run_id: int) -> None:
    """By e-mail, if somebody started it who still sees it. A courtesy: nothing fails where it does."""
    try:
        _tell(run_id)
    except Exception:
        log.exception("run %s failed, and its person was not told", run_id)


def _tell(run_id: int) -> None:
    run = Run.objects.select_related(*Run.ABOUT, "submission__algorithm", "created_by").get(pk=run_id)
    user, error = run.created_by, run.error or {}
    if run.state != Run.State.FAILED or user is None or not visible_runs(user).filter(pk=run_id).exists():
        return
    facts = {
        "run": str(run_id),
        "what": _what(run),
        "sentence": _said(error, "sentence"),
        "fix": _said(error, "fix"),
        "page": mail.link("run", run_id),
    }
    notify([user], notices.FAILED_RUNS, "run_failed", **facts)


def _what(run: Run) -> str:
    of = f" of {run.submission.algorithm}" if run.submission else ""
    where = f" in {run.collection}" if run.collection else ""
    return f"{run.kind}{of}{where}"


def _said(error: dict[str, Any], what: str) -> str:
    return str(error.get(what) or "see its page.")

"""Processes that work together: helpers of a big run, `manage.py work`, and the web process that sweeps."""

from __future__ import annotations

import signal

import psutil

from evaluation.models import Evaluation, Run, Submission
from evaluation.runs import services as runs
from tests.profiles import thorough
from tests.waiting import PATIENCE, wait_for
from tests.work.sandbox import (
    Sandbox,
    assert_log_is_whole,
    assert_scored_once,
    embedded,
    everywhere,
    free_port,
    lapse,
    wait_until_ended,
)


def enqueue() -> Run:
    submission = Submission.objects.get()
    return runs.enqueue_evaluation(
        submission=submission, gold_version=submission.collection.gold_versions.get(), user=None
    )


@everywhere
def test_several_workers_share_a_big_run(sandbox: Sandbox) -> None:
    sandbox.hold_at("between-1")
    sandbox.worker(JOB_FAN_OUT_MEMBERSHIPS="1")
    run = enqueue()
    sandbox.held_at("between-1")
    assert Evaluation.objects.count() == 1, "its holder, alone so far, computed the first query"
    for _ in range(2):
        sandbox.worker(JOB_FAN_OUT_MEMBERSHIPS="1")
    wait_for(lambda: Evaluation.objects.count() > 1, "helpers compute while the holder is held")
    assert run.queries.count() == 1, "which changes nothing of the run itself"
    sandbox.release("between-1")
    wait_until_ended(run)
    assert_scored_once(run)
    assert_log_is_whole(run)


@embedded
@thorough("`manage.py work` that is killed")
def test_manage_py_work_keeps_a_worker_running(sandbox: Sandbox) -> None:
    work = sandbox.program("manage.py", "work", "--workers", "1")
    first = enqueue()
    wait_until_ended(first)
    assert_scored_once(first)
    for process in work.children():
        process.kill()
    work.wait_until_it_says("ended with code -9, starting again")
    second = enqueue()
    wait_until_ended(second)
    assert_scored_once(second)
    family = psutil.Process(work.process.pid).children(recursive=True)
    work.process.send_signal(signal.SIGINT)
    assert work.process.wait(PATIENCE) == 0
    assert work.said("Stopped.")
    wait_for(lambda: not any(process.is_running() for process in family), "nothing is left running")


@embedded
def test_the_web_process_sweeps_where_no_worker_does(sandbox: Sandbox, queued_run: Run) -> None:
    sandbox.hold_at("between-1")
    worker = sandbox.worker()
    sandbox.held_at("between-1")
    worker.kill()
    lapse(queued_run)
    web = sandbox.program("-m", "qc4site.web", PORT=str(free_port()))
    web.wait_until_it_says("listening at")
    wait_for(lambda: Run.objects.filter(pk=queued_run.pk, state=Run.State.QUEUED).exists(), "the run is queued again")
    assert queued_run.events.filter(actor="sweeper").exists()

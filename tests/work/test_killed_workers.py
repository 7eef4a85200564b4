"""Whatever is killed, stopped or wiped, and when: every run ends, and every score is there exactly once.

Real worker processes on a real broker.
"""

from __future__ import annotations

import os
import signal

import pytest

from evaluation.models import Run, RunQuery, Score
from evaluation.runs import services as runs
from evaluation.runs.execution import run_here
from tests.profiles import thorough
from tests.waiting import wait_for
from tests.work.sandbox import (
    Sandbox,
    assert_log_is_whole,
    assert_scored_once,
    embedded,
    everywhere,
    lapse,
    wait_until_ended,
)
from work.models import Worker

MOMENTS = ("computing-q1", "between-1", "before-done")
"""In the middle of a query; between two queries; between the last scores and DONE."""


def attempts(run: Run) -> int:
    return Run.objects.values_list("attempts", flat=True).get(pk=run.pk)


@everywhere
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_killed_child_costs_one_attempt_and_nothing_else(sandbox: Sandbox, queued_run: Run, moment: str) -> None:
    sandbox.hold_at(moment)
    sandbox.worker()
    os.kill(sandbox.held_at(moment), signal.SIGKILL)
    lapse(queued_run)
    wait_until_ended(queued_run)
    assert_scored_once(queued_run)
    assert_log_is_whole(queued_run)
    assert attempts(queued_run) == 2


@everywhere
def test_a_killed_worker_is_replaced_by_the_next_one(sandbox: Sandbox, queued_run: Run) -> None:
    sandbox.hold_at("between-1")
    first = sandbox.worker()
    sandbox.held_at("between-1")
    first.kill()
    lapse(queued_run)
    assert RunQuery.objects.filter(run=queued_run).count() == 1
    sandbox.worker()
    wait_until_ended(queued_run)
    assert_scored_once(queued_run)
    assert_log_is_whole(queued_run)


@everywhere
def test_a_process_stopped_past_its_lease_is_fenced_off(sandbox: Sandbox, queued_run: Run) -> None:
    sandbox.hold_at("computing-q2")
    worker = sandbox.worker(concurrency=2)
    zombie = sandbox.held_at("computing-q2")
    os.kill(zombie, signal.SIGSTOP)
    lapse(queued_run)
    wait_until_ended(queued_run)
    events = list(queued_run.events.values_list("pk", "why"))
    scores = list(Score.objects.values_list("pk", "value"))
    sandbox.release("computing-q2")
    os.kill(zombie, signal.SIGCONT)
    wait_for(lambda: worker.said("is no longer held by") or worker.said("was taken away"), "the zombie notices")
    assert_scored_once(queued_run)
    assert list(queued_run.events.values_list("pk", "why")) == events
    assert list(Score.objects.values_list("pk", "value")) == scores


@everywhere
def test_a_running_run_is_cancelled_at_once_and_its_worker_stops(sandbox: Sandbox, queued_run: Run) -> None:
    sandbox.hold_at("computing-q2")
    worker = sandbox.worker()
    sandbox.held_at("computing-q2")
    assert runs.cancel(queued_run, None)
    assert queued_run.state == Run.State.CANCELLED
    sandbox.release("computing-q2")
    wait_for(lambda: worker.said("is no longer held by") or worker.said("was taken away"), "the worker notices")
    assert RunQuery.objects.filter(run=queued_run).count() == 1
    assert_log_is_whole(queued_run)
    assert not runs.cancel(queued_run, None)


@everywhere
def test_a_poison_run_fails_after_four_attempts(sandbox: Sandbox, queued_run: Run) -> None:
    sandbox.die_at("computing-q2")
    sandbox.worker()
    for times in range(1, 5):
        sandbox.died_at("computing-q2", times)
        lapse(queued_run)
    wait_until_ended(queued_run)
    assert queued_run.state == Run.State.FAILED
    assert queued_run.error["code"] == "worker-died"
    assert "died 4 times" in queued_run.error["sentence"]
    assert "memory" in queued_run.error["fix"], "what the system kills for want of memory ends so"
    assert attempts(queued_run) == 4
    assert_log_is_whole(queued_run)
    assert RunQuery.objects.filter(run=queued_run).count() == 1


@embedded
def test_a_worker_told_to_end_hands_its_run_over_without_counting_the_attempt(
    sandbox: Sandbox, queued_run: Run
) -> None:
    sandbox.hold_at("computing-q2")
    worker = sandbox.worker()
    sandbox.held_at("computing-q2")
    worker.ask_to_end()
    wait_for(worker.has_ended, "the worker ends")
    assert Run.objects.get(pk=queued_run.pk).state == Run.State.QUEUED
    assert not Worker.objects.exists()
    assert attempts(queued_run) == 0
    run_here(queued_run)
    assert_scored_once(queued_run)
    assert_log_is_whole(queued_run)


@embedded
@thorough("a computation longer than its lease")
def test_a_long_computation_keeps_its_lease(sandbox: Sandbox, queued_run: Run) -> None:
    sandbox.hold_at("computing-q1")
    sandbox.worker(concurrency=2, JOB_LEASE_SECONDS="15")
    sandbox.held_at("computing-q1")
    queued_run.refresh_from_db()
    lease = queued_run.lease_until
    wait_for(
        lambda: Run.objects.filter(pk=queued_run.pk, lease_until__gt=lease).count(), "the heartbeat extends the lease"
    )
    sandbox.release("computing-q1")
    wait_until_ended(queued_run)
    assert_scored_once(queued_run)
    assert attempts(queued_run) == 1

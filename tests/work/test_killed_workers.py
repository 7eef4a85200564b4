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
def test_a_killed_child_costs_one_attempt_and_nothing_else(sandbox: Sandbox, queued: Run, moment: str) -> None:
    sandbox.hold_at(moment)
    sandbox.worker()
    os.kill(sandbox.held_at(moment), signal.SIGKILL)
    lapse(queued)
    wait_until_ended(queued)
    assert_scored_once(queued)
    assert_log_is_whole(queued)
    assert attempts(queued) == 2


@everywhere
def test_a_killed_worker_is_replaced_by_the_next_one(sandbox: Sandbox, queued: Run) -> None:
    sandbox.hold_at("between-1")
    first = sandbox.worker()
    sandbox.held_at("between-1")
    first.kill()
    lapse(queued)
    assert RunQuery.objects.filter(run=queued).count() == 1
    sandbox.worker()
    wait_until_ended(queued)
    assert_scored_once(queued)
    assert_log_is_whole(queued)


@everywhere
def test_a_process_stopped_past_its_lease_is_fenced_off(sandbox: Sandbox, queued: Run) -> None:
    sandbox.hold_at("computing-q2")
    worker = sandbox.worker(concurrency=2)
    zombie = sandbox.held_at("computing-q2")
    os.kill(zombie, signal.SIGSTOP)
    lapse(queued)
    wait_until_ended(queued)
    events = list(queued.events.values_list("pk", "why"))
    scores = list(Score.objects.values_list("pk", "value"))
    sandbox.release("computing-q2")
    os.kill(zombie, signal.SIGCONT)
    wait_for(lambda: worker.said("is no longer held by") or worker.said("was taken away"), "the zombie notices")
    assert_scored_once(queued)
    assert list(queued.events.values_list("pk", "why")) == events
    assert list(Score.objects.values_list("pk", "value")) == scores


@everywhere
def test_a_running_run_is_cancelled_at_once_and_its_worker_stops(sandbox: Sandbox, queued: Run) -> None:
    sandbox.hold_at("computing-q2")
    worker = sandbox.worker()
    sandbox.held_at("computing-q2")
    assert runs.cancel(queued, None)
    assert queued.state == Run.State.CANCELLED
    sandbox.release("computing-q2")
    wait_for(lambda: worker.said("is no longer held by") or worker.said("was taken away"), "the worker notices")
    assert RunQuery.objects.filter(run=queued).count() == 1
    assert_log_is_whole(queued)
    assert not runs.cancel(queued, None)


@everywhere
def test_a_poison_run_fails_after_four_attempts(sandbox: Sandbox, queued: Run) -> None:
    sandbox.die_at("computing-q2")
    sandbox.worker()
    for times in range(1, 5):
        sandbox.died_at("computing-q2", times)
        lapse(queued)
    wait_until_ended(queued)
    assert queued.state == Run.State.FAILED
    assert queued.error["code"] == "worker-died"
    assert "died 4 times" in queued.error["sentence"]
    assert "memory" in queued.error["fix"], "what the system kills for want of memory ends so"
    assert attempts(queued) == 4
    assert_log_is_whole(queued)
    assert RunQuery.objects.filter(run=queued).count() == 1


@embedded
def test_a_worker_told_to_end_hands_its_run_over_without_counting_the_attempt(sandbox: Sandbox, queued: Run) -> None:
    sandbox.hold_at("computing-q2")
    worker = sandbox.worker()
    sandbox.held_at("computing-q2")
    worker.ask_to_end()
    wait_for(worker.has_ended, "the worker ends")
    assert Run.objects.get(pk=queued.pk).state == Run.State.QUEUED
    assert not Worker.objects.exists()
    assert attempts(queued) == 0
    run_here(queued)
    assert_scored_once(queued)
    assert_log_is_whole(queued)


@embedded
@thorough("a computation longer than its lease")
def test_a_long_computation_keeps_its_lease(sandbox: Sandbox, queued: Run) -> None:
    sandbox.hold_at("computing-q1")
    sandbox.worker(concurrency=2, JOB_LEASE_SECONDS="15")
    sandbox.held_at("computing-q1")
    queued.refresh_from_db()
    lease = queued.lease_until
    wait_for(lambda: Run.objects.filter(pk=queued.pk, lease_until__gt=lease).count(), "the heartbeat extends the lease")
    sandbox.release("computing-q1")
    wait_until_ended(queued)
    assert_scored_once(queued)
    assert attempts(queued) == 1

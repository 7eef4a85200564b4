"""Answers by real workers. If one is killed or stopped, the answer still comes, once and whole."""

from __future__ import annotations

import os
import signal

import pytest
from django.contrib.auth.models import AnonymousUser

from annotations.models import Collection
from evaluation.models import Run
from evaluation.ranking.leaderboard import leaderboard
from evaluation.ranking.standings import BOARD
from evaluation.runs import services as runs
from evaluation.runs.execution import run_here
from tests.waiting import wait_for
from tests.work.sandbox import Sandbox, embedded, everywhere
from work.answers import Pending
from work.budget import precomputing
from work.clock import from_now
from work.models import AnswerPart, StoredAnswer

pytestmark = pytest.mark.costs
STATE = StoredAnswer.State


@pytest.fixture
def asked(queued_run: Run, monkeypatch: pytest.MonkeyPatch) -> object:
    """What is right; a worker has to find it out for a page that waits."""
    run_here(queued_run)
    Collection.objects.update(visibility=Collection.Visibility.PUBLIC)
    StoredAnswer.objects.all().delete()
    right = look()
    StoredAnswer.objects.all().delete()
    monkeypatch.setattr(BOARD, "cheap", 1e-9)
    ask()
    return right


def ask() -> None:
    """Have a page wait for it."""
    with precomputing(), pytest.raises(Pending):
        look()
    StoredAnswer.objects.update(waited_for=True)


def look() -> object:
    return leaderboard(Collection.objects.get(), AnonymousUser()).standing


def is_there() -> bool:
    return not StoredAnswer.objects.exclude(state=STATE.DONE).exists()


def lapse() -> None:
    StoredAnswer.objects.filter(state=STATE.RUNNING).update(lease_until=from_now(-1))


@everywhere
@pytest.mark.parametrize("moment", ["answering", "storing"])
def test_a_killed_process_costs_one_attempt_and_nothing_else(sandbox: Sandbox, asked: object, moment: str) -> None:
    sandbox.hold_at(moment)
    sandbox.worker()
    os.kill(sandbox.held_at(moment), signal.SIGKILL)
    lapse()
    wait_for(is_there, "another process works it out")
    assert StoredAnswer.objects.filter(attempts=2).count() == 1
    with precomputing():
        assert look() == asked


@everywhere
def test_a_process_stopped_past_its_lease_stores_nothing(sandbox: Sandbox, asked: object) -> None:
    sandbox.hold_at("answering")
    worker = sandbox.worker(concurrency=2)
    zombie = sandbox.held_at("answering")
    os.kill(zombie, signal.SIGSTOP)
    lapse()
    wait_for(is_there, "another process works it out")
    parts = list(AnswerPart.objects.values_list("pk", flat=True))
    sandbox.release("answering")
    os.kill(zombie, signal.SIGCONT)
    wait_for(lambda: worker.said("was taken from") or worker.said("is no longer held"), "the zombie notices")
    assert list(AnswerPart.objects.values_list("pk", flat=True)) == parts
    with precomputing():
        assert look() == asked


@embedded
def test_what_kills_every_process_is_given_up(sandbox: Sandbox, asked: object) -> None:
    sandbox.die_at("answering")
    sandbox.worker()

    def given_up() -> StoredAnswer | None:
        lapse()
        return StoredAnswer.objects.filter(state=STATE.FAILED).first()

    assert "died 4 times" in wait_for(given_up, "it is given up").error["sentence"]


@embedded
def test_answers_come_although_every_process_for_runs_is_at_work(
    sandbox: Sandbox, asked: object, queued_run: Run
) -> None:
    StoredAnswer.objects.all().delete()
    assert queued_run.submission is not None
    assert queued_run.gold_version is not None
    runs.enqueue_evaluation(submission=queued_run.submission, gold_version=queued_run.gold_version, user=None)
    sandbox.hold_at("between-3")
    sandbox.worker()
    sandbox.held_at("between-3")
    ask()
    wait_for(is_there, "the process for answers works it out")
    with precomputing():
        assert look() == asked

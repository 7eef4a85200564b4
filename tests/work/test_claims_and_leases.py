"""Exactly one holder writes for a run, and only while it holds it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db import OperationalError

from accounts.models import User
from annotations.collections.removal import allow_removal
from evaluation.models import Run
from evaluation.runs import execution
from evaluation.runs import services as runs
from evaluation.runs.context import JobContext
from evaluation.runs.errors import RunError
from evaluation.runs.execution import run_here
from qc4.problems import InputError, Problem
from work.background import sweep
from work.clock import database_time, from_now
from work.leases import LeaseLost, claim
from work.models import Worker

Executor = Callable[[JobContext], None]


@pytest.fixture
def run(db: None) -> Run:
    return runs.enqueue(Run(kind=Run.Kind.IMPORT), None)


@pytest.fixture
def executor(monkeypatch: pytest.MonkeyPatch) -> Callable[[Executor], None]:
    """Makes a function the executor of imports."""

    def use(function: Executor) -> None:
        monkeypatch.setattr(execution, "executor", lambda _kind: function)

    return use


def log_of(run: Run) -> list[tuple[str, str]]:
    return list(run.events.order_by("pk").values_list("from_state", "to_state"))


def test_of_two_claims_one_gets_the_run(run: Run) -> None:
    assert claim(Run, run.pk, "first") is not None
    assert claim(Run, run.pk, "second") is None
    run.refresh_from_db()
    assert (run.state, run.worker, run.attempts, run.token) == ("running", "first", 1, 1)


def test_a_new_claim_fences_off_the_old_holder(run: Run) -> None:
    old = claim(Run, run.pk, "old")
    assert old is not None
    Run.objects.update(lease_until=from_now(-1))
    sweep()
    new = claim(Run, run.pk, "new")
    assert new is not None
    for write in (old.extend, lambda: old.finish("Done.")):
        with pytest.raises(LeaseLost):
            write()
    assert not old.fail("x", error={})
    assert not old.hand_back("x", count_attempt=True)
    new.extend()
    new.finish("Done.")


def test_results_of_a_lost_run_are_taken_back(run: Run, executor: Callable[[Executor], None]) -> None:
    def cancelled_while_writing(context: JobContext) -> None:
        def write() -> None:
            Worker.objects.create(name="result", seen_at=database_time())
            Run.objects.filter(pk=run.pk).update(token=99)

        context.commit(write)

    executor(cancelled_while_writing)
    assert execution.execute(run.pk, "me")
    assert not Worker.objects.exists()
    run.refresh_from_db()
    assert (run.state, run.token) == ("running", 1)


def test_every_change_is_in_the_log(run: Run, executor: Callable[[Executor], None]) -> None:
    executor(lambda context: context.checkpoint(1, 2, "half"))
    seen: list[tuple[int, int, str]] = []
    run_here(run, lambda done, total, step: seen.append((done, total, step)))
    assert seen[0] == (1, 2, "half")
    assert log_of(run) == [("", "queued"), ("queued", "running"), ("running", "done")]


@pytest.mark.parametrize(
    ("error", "code", "sentence"),
    [
        (RunError("no-luck", "It cannot be done.", "line 3", "Do not try."), "no-luck", "It cannot be done."),
        (InputError([Problem("bad", "a.json", "a", "b", "Write b.")] * 2), "bad", "a.json: found a, expected b"),
        (ValueError("secret detail"), "internal-error", "our fault"),
        (MemoryError(), "out-of-memory", "out of memory"),
    ],
)
def test_a_failure_is_told_in_words(
    run: Run, executor: Callable[[Executor], None], error: Exception, code: str, sentence: str
) -> None:
    def fail(context: JobContext) -> None:
        raise error

    executor(fail)
    run_here(run)
    assert (run.state, run.error["code"]) == ("failed", code)
    assert sentence in run.error["sentence"]
    assert run.error.keys() == {"code", "sentence", "where", "fix", "problems"}
    assert run.error["fix"]
    assert "secret" not in str(run.error) + str(list(run.events.values()))


def test_an_interrupted_command_leaves_the_run_queued(run: Run, executor: Callable[[Executor], None]) -> None:
    def interrupt(context: JobContext) -> None:
        raise KeyboardInterrupt

    executor(interrupt)
    with pytest.raises(KeyboardInterrupt):
        run_here(run)
    run.refresh_from_db()
    assert (run.state, run.attempts, run.lease_until) == ("queued", 0, None)


def test_a_deleted_run_stops_its_worker(run: Run, executor: Callable[[Executor], None]) -> None:
    def deleted(context: JobContext) -> None:
        with allow_removal("a test"):
            run.delete()
        context.checkpoint(1, 1)

    pk = run.pk
    executor(deleted)
    assert execution.execute(pk, "me")
    assert not Run.objects.exists()


def test_the_starter_is_named_in_the_log(owner: User) -> None:
    assert runs.enqueue(Run(kind=Run.Kind.IMPORT), owner).events.get().actor == "owner"


def test_database_trouble_is_tried_again_and_then_told(run: Run, executor: Callable[[Executor], None]) -> None:
    def fail(context: JobContext) -> None:
        raise OperationalError("server closed the connection unexpectedly")

    executor(fail)
    for attempt in (1, 2, 3):
        execution.execute(run.pk, "me")
        run.refresh_from_db()
        assert (run.state, run.attempts) == ("queued", attempt)
    execution.execute(run.pk, "me")
    run.refresh_from_db()
    assert (run.state, run.error["code"]) == ("failed", "database-failed")


def test_waiting_for_a_busy_database_costs_no_attempt(run: Run, executor: Callable[[Executor], None]) -> None:
    def fail(context: JobContext) -> None:
        raise OperationalError("database is locked")

    executor(fail)
    execution.execute(run.pk, "me")
    run.refresh_from_db()
    assert (run.state, run.attempts) == ("queued", 0)

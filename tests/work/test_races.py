"""Several at once: sweepers, claims, cells, cancels against finishes. Threads with connections of their own."""

from __future__ import annotations

from functools import partial
from threading import Event

import pytest

from annotations.models import Collection, Gold
from evaluation.deletion.services import delete_collection, delete_submission
from evaluation.models import Evaluation, Run, RunQuery, Score, Submission
from evaluation.runs import services as runs
from evaluation.runs.execution import execute, run_here
from evaluation.scoring import cells
from evaluation.scoring import jobs as evaluations
from evaluation.scoring.jobs import QueryTask, plan, scores_of
from tests.concurrency import at_once
from tests.waiting import PATIENCE
from tests.work.sandbox import BOTH_DATABASES, Sandbox, assert_log_is_whole, lapse
from work.background import sweep
from work.clock import from_now
from work.leases import Lease, LeaseLost, claim

pytestmark = BOTH_DATABASES


def test_two_sweepers_do_the_work_of_one(sandbox: Sandbox) -> None:
    made = [runs.enqueue(Run(kind=Run.Kind.IMPORT), None) for _ in range(12)]
    for run in made:
        claim(Run, run.pk, "dead")
    Run.objects.update(lease_until=from_now(-1))
    swept = at_once(sweep, sweep)
    assert sum(done["requeued"] for done in swept) == 12
    for run in made:
        run.refresh_from_db()
        assert run.state == Run.State.QUEUED
        assert_log_is_whole(run)
        assert run.events.filter(to_state="queued", from_state="running").count() == 1


def test_of_many_claims_one_gets_the_run(sandbox: Sandbox, queued_run: Run) -> None:
    leases = at_once(*(lambda name=name: claim(Run, queued_run.pk, f"worker {name}") for name in range(6)))
    assert sum(lease is not None for lease in leases) == 1
    queued_run.refresh_from_db()
    assert (queued_run.attempts, queued_run.token) == (1, 1)
    assert_log_is_whole(queued_run)


def test_a_run_is_either_done_or_cancelled(sandbox: Sandbox) -> None:
    for _ in range(6):
        run = runs.enqueue(Run(kind=Run.Kind.IMPORT), None)
        lease = claim(Run, run.pk, "worker")
        assert lease is not None

        def finish(lease: Lease = lease) -> bool:
            try:
                lease.finish("Done.")
            except LeaseLost:
                return False
            return True

        done, cancelled = at_once(finish, partial(runs.cancel, Run.objects.get(pk=run.pk), None))
        assert done != cancelled
        run.refresh_from_db()
        assert run.state == (Run.State.DONE if done else Run.State.CANCELLED)
        assert_log_is_whole(run)


def test_workers_that_store_the_same_cells_agree(sandbox: Sandbox, queued_run: Run) -> None:
    tasks = plan(queued_run).tasks
    computed = [(task, scores_of(task, queued_run)) for task in tasks]

    def store(order: int) -> None:
        for task, scores in computed[::order]:
            cells.store(task.question, scores[::order])

    at_once(*(lambda order=order: store(order) for order in (1, -1, 1, -1)))
    assert Evaluation.objects.count() == len(tasks)
    assert Score.objects.count() == sum(len(scores) for _, scores in computed)


def test_a_command_follows_a_run_that_another_process_has(sandbox: Sandbox, queued_run: Run) -> None:
    """The other one dies; the command sweeps, takes over and finishes."""
    claim(Run, queued_run.pk, "soon dead")
    seen: list[str] = []

    def watch(done: int, total: int, step: str) -> None:
        if not seen:
            lapse(queued_run)
        seen.append(step)

    run = run_here(queued_run, watch)
    assert (run.state, run.attempts) == (Run.State.DONE, 2)
    assert seen[0] == "running"
    assert Gold.objects.count() == run.queries.count()


@pytest.mark.parametrize("what", [Collection, Submission])
def test_what_is_deleted_while_a_worker_writes_for_it_goes_altogether(
    sandbox: Sandbox, queued_run: Run, what: type[Collection | Submission], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deletion begins in the middle of the worker's first transaction."""
    writing, write = Event(), evaluations._write

    def write_slowly(run: Run, task: QueryTask, scores: tuple[object, ...]) -> None:
        write(run, task, scores)
        writing.set()

    def delete() -> None:
        assert writing.wait(PATIENCE)
        if what is Collection:
            delete_collection(Collection.objects.get())
        else:
            delete_submission(Submission.objects.get())

    monkeypatch.setattr(evaluations, "_write", write_slowly)
    at_once(lambda: execute(queued_run.pk, "worker"), delete)
    for model in (what, Run, RunQuery, Evaluation, Score):
        assert not model.objects.exists(), model

"""Scheduling: whose run is next, which slots are reserved for interactive runs, and when bulk runs are preempted."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from accounts.models import User
from evaluation.models import Run
from evaluation.runs import context as contexts
from evaluation.runs import execution
from evaluation.runs import services as runs
from evaluation.runs.context import MAX_PREEMPTIONS_PER_PIECE, JobContext, resumable
from evaluation.runs.errors import Preempted
from evaluation.runs.scheduling import preempt, runs_before, runs_before_new
from evaluation.runs.source import ClaimedRun
from tests.samples.documents import PASSWORD
from work import loop as loops
from work.clock import from_now
from work.leases import Lease
from work.sources import BULK, INTERACTIVE, sources_in_order
from work.workers import Pool, report_alive

ONE, THREE = Pool((INTERACTIVE, BULK), 1), Pool((INTERACTIVE, BULK), 3)


def queue(user: User | None, name: str, times: int = 1) -> list[Run]:
    return [runs.enqueue(Run(kind=Run.Kind.IMPORT, queue=name), user, limited=False) for _ in range(times)]


def claim_next(worker: str, pool: Pool, *, is_reserved: bool = False) -> Lease | None:
    """Claim what a process of this worker claims now."""
    task = loops.claim_next(worker, list(sources_in_order(pool.queues, is_reserved=is_reserved)))
    return task.lease if isinstance(task, ClaimedRun) else None


@pytest.fixture
def people(db: None) -> list[User]:
    return [User.objects.create_user(name, password=PASSWORD) for name in ("ana", "bea", "cleo")]


def take(moment: int, pool: Pool = ONE) -> Run | None:
    """Claim the next run for a free worker at ``moment``, because database clocks cannot distinguish milliseconds."""
    lease = claim_next("me", pool)
    if lease is None:
        return None
    Run.objects.filter(pk=lease.pk).update(started_at=from_now(moment - 1_000))
    lease.finish("Done.")
    return Run.objects.get(pk=lease.pk)


def test_small_evaluation_is_next_although_twenty_sweeps_wait(people: list[User]) -> None:
    ana, bea, _ = people
    sweeps = queue(ana, BULK, 20)
    [tiny] = queue(bea, INTERACTIVE)
    assert (runs_before(tiny), runs_before(sweeps[0]), runs_before(sweeps[-1])) == (0, 1, 20)
    assert take(0) == tiny


def test_two_people_take_turns(people: list[User]) -> None:
    ana, bea, _ = people
    queue(ana, INTERACTIVE, 10)
    queue(bea, INTERACTIVE, 10)
    taken = [run for moment in range(20) if (run := take(moment))]
    assert [run.created_by for run in taken] == [ana, bea] * 10
    for user in (ana, bea):
        own = [run.pk for run in taken if run.created_by == user]
        assert own == sorted(own)


@pytest.mark.parametrize("seed", range(4))
def test_queue_position_equals_the_number_of_runs_before(people: list[User], seed: int) -> None:
    chance = random.Random(seed)
    somebody: list[User | None] = [*people, None]
    for moment in range(4):
        queue(chance.choice(somebody), chance.choice((INTERACTIVE, BULK)))
        take(moment)
    queued = [run for _ in range(12) for run in queue(chance.choice(somebody), chance.choice((INTERACTIVE, BULK)))]
    user, name = chance.choice(somebody), chance.choice((INTERACTIVE, BULK))
    foretold = runs_before_new(user, name)
    queued += queue(user, name)
    said = {run.pk: runs_before(run) for run in queued}
    assert said[queued[-1].pk] == foretold
    assert said == {run.pk: number for number in range(13) if (run := take(10 + number))}


def test_bulk_work_uses_all_processes_except_the_reserved_one(people: list[User]) -> None:
    ana, bea, _ = people
    queue(ana, BULK, 5)
    assert all(claim_next("me", THREE) for _ in range(2))
    assert claim_next("me", THREE, is_reserved=True) is None
    [tiny] = queue(bea, INTERACTIVE)
    taken = claim_next("me", THREE, is_reserved=True)
    assert taken is not None
    assert taken.pk == tiny.pk


def test_worker_with_one_process_or_only_bulk_work_reserves_none() -> None:
    pools = {THREE: True, ONE: False, Pool((BULK,), 3): False, Pool((INTERACTIVE,), 2): True}
    assert {pool: pool.reserves_one for pool in pools} == pools


class Loop:
    """An executor of three pieces with two steps each; ``meanwhile`` is called in the second step of the second."""

    def __init__(self, meanwhile: Callable[[], object]) -> None:
        self.kept: list[str] = []
        self.begun = 0
        self._meanwhile = meanwhile

    def __call__(self, context: JobContext) -> None:
        if context.run.queue == INTERACTIVE:
            return
        left = [piece for piece in "abc" if piece not in self.kept]
        resumable(
            context, left, str, lambda piece: self._make(context, piece),
            lambda found: self.kept.extend(piece for piece, _ in found), total=3,
        )  # fmt: skip

    def _make(self, context: JobContext, piece: str) -> None:
        context.checkpoint(step=f"first step of {piece}")
        if piece == "b":
            self.begun += 1
            self._meanwhile()
        context.checkpoint(step=f"second step of {piece}")


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Callable[[Loop], bool]:
    """Let a worker with one slot do the next run with this executor."""
    monkeypatch.setattr(contexts, "CHECKPOINT_SECONDS", 0)

    def do(loop: Loop) -> bool:
        monkeypatch.setattr(execution, "executor", lambda _kind: loop)
        report_alive("me", ONE)
        task = loops.claim_next("me", list(sources_in_order(ONE.queues)))
        return task is not None and task.run()

    return do


def test_bulk_run_is_preempted_within_a_piece_and_resumes_later(
    people: list[User], work: Callable[[Loop], bool]
) -> None:
    ana, bea, _ = people
    [sweep] = queue(ana, BULK)
    loop = Loop(lambda: queue(bea, INTERACTIVE) if loop.begun == 1 else None)
    assert work(loop)
    sweep.refresh_from_db()
    assert (sweep.state, sweep.attempts, sweep.gave_way, runs_before(sweep)) == (Run.State.QUEUED, 0, 1, 1)
    assert "a person is waiting for" in sweep.events.last().why
    assert loop.kept == ["a"]
    assert work(loop)
    assert Run.objects.get(queue=INTERACTIVE).state == Run.State.DONE
    assert work(loop)
    sweep.refresh_from_db()
    assert (sweep.state, sweep.gave_way, loop.kept) == (Run.State.DONE, 0, ["a", "b", "c"])
    assert not work(loop)


def test_bulk_run_progresses_however_many_runs_wait(people: list[User], work: Callable[[Loop], bool]) -> None:
    ana, bea, _ = people
    [sweep] = queue(ana, BULK)
    loop = Loop(lambda: queue(bea, INTERACTIVE))
    while work(loop):
        pass
    sweep.refresh_from_db()
    assert (sweep.state, loop.kept, loop.begun) == (Run.State.DONE, ["a", "b", "c"], MAX_PREEMPTIONS_PER_PIECE + 1)


def test_bulk_run_is_not_preempted_if_another_slot_is_free(people: list[User], work: Callable[[Loop], bool]) -> None:
    ana, bea, _ = people
    [sweep] = queue(ana, BULK)
    report_alive("idle", ONE)
    loop = Loop(lambda: queue(bea, INTERACTIVE))
    assert work(loop)
    sweep.refresh_from_db()
    assert sweep.state == Run.State.DONE


def test_only_as_many_bulk_runs_are_preempted_as_runs_wait(people: list[User]) -> None:
    ana, bea, _ = people
    queue(ana, BULK, 2)
    both = Pool((INTERACTIVE, BULK), 1)
    held = [lease for name in ("me", "you") if (lease := claim_next(name, both))]
    for lease in held:
        report_alive(lease.worker, both)
    queue(bea, INTERACTIVE)
    assert [is_preempted(lease) for lease in held] == [True, False]


def is_preempted(lease: Lease) -> bool:
    try:
        preempt(lease)
    except Preempted:
        return True
    return False

"""The loop of a worker with a made-up source of work: in which order it asks, what is kept, and what a crash costs."""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.db.models import Q
from pytest_django import Settings

from evaluation.models import Run
from tests.waiting import wait_for
from tests.work.sandbox import Sandbox, embedded, lapse, reconnect_after_fork
from work import loop as loops
from work.background import sweep
from work.leases import SWEEPER, Lease, Reason, State, claim, sweep_leases, transition
from work.loop import Bell, claim_next
from work.sources import BULK, INTERACTIVE, QUEUES, Source, dedicated_sources, sources_in_order
from work.workers import Pool

FORK = multiprocessing.get_context("fork")
BOTH = Pool(QUEUES, 2)


@dataclass
class Errand:
    """A made-up piece of work that has no row."""

    what: str

    def run(self) -> bool:
        return True


@dataclass
class Errands(Source):
    """Lists of errands for each queue."""

    waiting: dict[str, list[str]] = field(default_factory=dict)

    def claim(self, worker: str, queue: str) -> Errand | None:
        names = self.waiting.get(queue)
        return Errand(names.pop(0)) if names else None


class BriefErrands(Errands):
    is_brief = True


RUNS, ANSWERS, HELP = Errands(), Errands(), BriefErrands()


@pytest.fixture(autouse=True)
def declared(settings: Settings) -> None:
    """The order in which the site asks for work, with made-up sources."""
    settings.WORK_SOURCES = tuple(
        (f"{__name__}.{name}", queue)
        for name, queue in [
            ("RUNS", INTERACTIVE),
            ("ANSWERS", INTERACTIVE),
            ("RUNS", BULK),
            ("ANSWERS", BULK),
            ("HELP", BULK),
        ]
    )
    RUNS.waiting = {INTERACTIVE: ["upload"], BULK: ["sweep"]}
    ANSWERS.waiting = {INTERACTIVE: ["page waits"], BULK: ["default board"]}
    HELP.waiting = {BULK: ["query 7"]}


def taken(pool: Pool, *, is_reserved: bool = False) -> list[str]:
    """What a process takes until nothing is left for it."""
    found = []
    lines = list(sources_in_order(pool.queues, is_reserved=is_reserved))
    while (task := claim_next("me", lines)) is not None:
        assert isinstance(task, Errand)
        found.append(task.what)
    return found


def test_work_is_taken_in_the_declared_order() -> None:
    assert taken(BOTH) == ["upload", "page waits", "sweep", "default board", "query 7"]


def test_the_order_is_looked_at_anew_for_each_piece_of_work() -> None:
    RUNS.waiting[INTERACTIVE] = []
    assert claim_next("me", list(sources_in_order(QUEUES))) == Errand("page waits")
    RUNS.waiting[INTERACTIVE] = ["another upload"]
    assert taken(BOTH)[0] == "another upload"


def test_the_process_that_is_kept_takes_no_answer_and_no_bulk_work_but_helps() -> None:
    assert taken(BOTH, is_reserved=True) == ["upload", "query 7"]


def test_a_worker_takes_from_its_queues_alone() -> None:
    assert taken(Pool((BULK,), 1)) == ["sweep", "default board", "query 7"]
    assert taken(Pool((INTERACTIVE,), 1)) == ["upload", "page waits"]


def test_a_source_may_have_a_process_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert dedicated_sources(QUEUES) == {}
    monkeypatch.setattr(BriefErrands, "has_own_process", True)
    assert dedicated_sources(QUEUES) == {"brieferrands": [(HELP, BULK)]}
    assert dedicated_sources([INTERACTIVE]) == {}


# --- Crashes ----------------------------------------------------------------------------------------------------------


def loop_after_fork(*arguments: Any) -> None:
    reconnect_after_fork()
    loops.loop(*arguments)


def looping(worker: str) -> Any:
    """A process that does what the processes of workers do."""
    connection.close()  # nobody shares a connection with a child
    process = FORK.Process(target=loop_after_fork, args=(worker, list(sources_in_order(QUEUES)), Bell()))
    process.start()
    return process


def ended_with() -> int:
    """How a process ended that looped until its work ended it."""
    process = looping("mayfly")
    process.join()
    code: int = process.exitcode
    return code


class EndlessErrand:
    def run(self) -> bool:
        while True:
            pass


class EndlessErrands(Source):
    def claim(self, worker: str, queue: str) -> EndlessErrand:
        return EndlessErrand()


ENDLESS = EndlessErrands()


def test_a_process_that_computes_on_after_the_time_limit_is_ended(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WORK_SOURCES = ((f"{__name__}.ENDLESS", BULK),)
    settings.JOB_TIME_LIMIT_SECONDS = 1
    monkeypatch.setattr(loops, "STOP_SECONDS", 0)
    assert ended_with() == -signal.SIGALRM


@dataclass
class DeadlyErrand:
    """Kills its process while a file is there; then it is done."""

    lease: Lease
    deadly: Path

    def run(self) -> bool:
        if self.deadly.exists():
            os.kill(os.getpid(), signal.SIGKILL)
        self.lease.finish("Done.")
        return True


class DeadlyErrands(Source):
    """Any table will do; this one borrows that of runs."""

    model = Run
    deadly = Path()

    def claim(self, worker: str, queue: str) -> DeadlyErrand | None:
        pk = Run.objects.filter(state=State.QUEUED, queue=queue).values_list("pk", flat=True).first()
        lease = claim(Run, pk, worker) if pk is not None else None
        return DeadlyErrand(lease, self.deadly) if lease is not None else None

    def sweep(self) -> Counter[str]:
        return sweep_leases(Run, self._fail)

    def _fail(self, row: Run, reason: Reason, only_if: Q) -> bool:
        error = {"code": reason, "sentence": reason}
        return transition(
            Run, row.pk, State.RUNNING, State.FAILED, actor=SWEEPER, why=reason, only_if=only_if, error=error
        )


DEADLY = DeadlyErrands()


@pytest.fixture
def errand(sandbox: Sandbox, tmp_path: Path, settings: Settings) -> Run:
    settings.WORK_SOURCES = ((f"{__name__}.DEADLY", INTERACTIVE),)
    DEADLY.deadly = tmp_path / "deadly"
    DEADLY.deadly.touch()
    return Run.objects.create(kind=Run.Kind.IMPORT)


@embedded
def test_a_process_killed_at_work_costs_its_lease_alone(errand: Run) -> None:
    assert ended_with() == -signal.SIGKILL
    assert not sweep()
    lapse(errand)
    assert sweep() == {"requeued": 1}
    DEADLY.deadly.unlink()
    process = looping("next")
    wait_for(lambda: Run.objects.filter(pk=errand.pk, state=State.DONE).exists(), "the errand is done")
    process.kill()
    process.join()
    errand.refresh_from_db()
    assert (errand.attempts, errand.worker) == (2, "next")


@embedded
def test_work_that_kills_every_process_ends(errand: Run, settings: Settings) -> None:
    for _ in range(settings.JOB_MAX_ATTEMPTS):
        assert ended_with() == -signal.SIGKILL
        lapse(errand)
        sweep()
    errand.refresh_from_db()
    assert (errand.state, errand.error) == (State.FAILED, {"code": "worker-died", "sentence": "worker-died"})

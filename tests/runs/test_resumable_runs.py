"""The loop of long runs: stored pieces are kept, others are repeated, and a lost run is not written to."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from evaluation.models import Run
from evaluation.runs import execution
from evaluation.runs import services as runs
from evaluation.runs.context import JobContext, resumable
from evaluation.runs.execution import run_here
from work.clock import database_time
from work.models import Worker

PIECES = ("a", "b", "c")


def keep(found: list[tuple[str, str]]) -> None:
    Worker.objects.bulk_create([Worker(name=made, seen_at=database_time()) for _, made in found])


def kept() -> set[str]:
    return set(Worker.objects.values_list("name", flat=True))


class Loop:
    """An executor over `PIECES`; ``meanwhile`` is called while the piece of that name is computed."""

    def __init__(self, seconds: float = 0, finish: str = "") -> None:
        self.made: list[str] = []
        self.meanwhile: dict[str, Callable[[], object]] = {}
        self._more = {"seconds": seconds, "finish": finish}

    def __call__(self, context: JobContext) -> None:
        left = [piece for piece in PIECES if piece not in kept()]
        resumable(context, left, "piece {}".format, self._make, keep, total=len(PIECES), **self._more)

    def _make(self, piece: str) -> str:
        self.meanwhile.pop(piece, lambda: None)()
        self.made.append(piece)
        return piece


@pytest.fixture
def run(db: None) -> Run:
    return runs.enqueue(Run(kind=Run.Kind.IMPORT), None)


@pytest.fixture
def carry_out(run: Run, monkeypatch: pytest.MonkeyPatch) -> Callable[[Loop], Run]:
    def call(loop: Loop) -> Run:
        monkeypatch.setattr(execution, "executor", lambda _kind: loop)
        return run_here(run)

    return call


def interrupt() -> None:
    raise KeyboardInterrupt


def test_interrupted_run_resumes_after_the_last_stored_piece(run: Run, carry_out: Callable[[Loop], Run]) -> None:
    loop = Loop()
    loop.meanwhile["b"] = interrupt
    with pytest.raises(KeyboardInterrupt):
        carry_out(loop)
    assert kept() == {"a"}
    assert Run.objects.get(pk=run.pk).done == 1
    ended = carry_out(loop)
    assert (ended.state, ended.done, ended.total) == (Run.State.DONE, 3, 3)
    assert loop.made == ["a", "b", "c"]


def test_fast_pieces_are_stored_together_including_the_last_ones(run: Run, carry_out: Callable[[Loop], Run]) -> None:
    loop, seen = Loop(seconds=3600), []
    loop.meanwhile["c"] = lambda: seen.append(kept())
    assert carry_out(loop).state == Run.State.DONE
    assert seen == [set()]
    assert kept() == set(PIECES)


def test_cancelled_run_stores_no_further_pieces(run: Run, carry_out: Callable[[Loop], Run]) -> None:
    loop = Loop()
    loop.meanwhile["b"] = lambda: runs.cancel(Run.objects.get(pk=run.pk), None)
    assert carry_out(loop).state == Run.State.CANCELLED
    assert kept() == {"a"}
    assert "c" not in loop.made


def test_last_piece_ends_the_run_if_nothing_follows(run: Run, carry_out: Callable[[Loop], Run]) -> None:
    ended = carry_out(Loop(finish="All three."))
    assert ended.state == Run.State.DONE
    assert list(run.events.filter(to_state=Run.State.DONE).values_list("why", flat=True)) == ["All three."]

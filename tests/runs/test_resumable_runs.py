"""The loop of long runs: what was kept stays, what was not is made again, and nobody writes for a run they lost."""

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
    """An executor over `PIECES`; ``meanwhile`` happens while the piece of that name is made."""

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


def test_an_interrupted_run_goes_on_after_the_last_piece_it_kept(run: Run, carry_out: Callable[[Loop], Run]) -> None:
    loop = Loop()
    loop.meanwhile["b"] = interrupt
    with pytest.raises(KeyboardInterrupt):
        carry_out(loop)
    assert kept() == {"a"}
    assert Run.objects.get(pk=run.pk).done == 1
    ended = carry_out(loop)
    assert (ended.state, ended.done, ended.total) == (Run.State.DONE, 3, 3)
    assert loop.made == ["a", "b", "c"]


def test_pieces_that_come_fast_are_kept_together_and_the_last_ones_too(
    run: Run, carry_out: Callable[[Loop], Run]
) -> None:
    loop, seen = Loop(seconds=3600), []
    loop.meanwhile["c"] = lambda: seen.append(kept())
    assert carry_out(loop).state == Run.State.DONE
    assert seen == [set()]
    assert kept() == set(PIECES)


def test_a_cancelled_run_keeps_what_it_had_and_no_more(run: Run, carry_out: Callable[[Loop], Run]) -> None:
    loop = Loop()
    loop.meanwhile["b"] = lambda: runs.cancel(Run.objects.get(pk=run.pk), None)
    assert carry_out(loop).state == Run.State.CANCELLED
    assert kept() == {"a"}
    assert "c" not in loop.made


def test_the_last_piece_ends_the_run_where_nothing_comes_after_it(run: Run, carry_out: Callable[[Loop], Run]) -> None:
    ended = carry_out(Loop(finish="All three."))
    assert ended.state == Run.State.DONE
    assert list(run.events.filter(to_state=Run.State.DONE).values_list("why", flat=True)) == ["All three."]

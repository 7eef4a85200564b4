"""Leaderboards after a run has ended: columns are stored with its end, and default answers are queued after it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from annotations.models import Collection
from evaluation.boards import warming
from evaluation.models import Run, RunColumn, Score, Submission
from evaluation.ranking import leaderboard, standings
from evaluation.runs.execution import run_here
from evaluation.scoring import stored_columns as columns
from tests.stored_answers import compute_waiting_answers
from work.models import StoredAnswer

Submit = Callable[..., tuple[Submission, Run | None]]


@pytest.fixture
def queued(submit: Submit, owner: User) -> Run:
    _, run = submit(owner)
    assert run is not None
    return run


def test_run_finishes_if_worker_is_killed_after_the_last_query(
    queued: Run, collection: Collection, owner: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(run: Run, found: object) -> None:
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr(columns, "store", killed)
        with pytest.raises(SystemExit):
            run_here(queued)
    queued.refresh_from_db()
    assert queued.state == Run.State.QUEUED
    assert not RunColumn.objects.exists()
    scores = Score.objects.count()
    assert [row.run for row in leaderboard.leaderboard(collection, owner).rows] == [None]

    assert run_here(queued).state == Run.State.DONE
    assert Score.objects.count() == scores
    measures = set(RunColumn.objects.values_list("measure", flat=True))
    assert measures == set(Score.objects.values_list("measure", flat=True))
    row = leaderboard.leaderboard(collection, owner).rows[0]
    assert row.mean is not None
    assert row.mean.value == pytest.approx(_mean_of_scores("qc4_f"))


def _mean_of_scores(measure: str) -> float:
    values = list(Score.objects.filter(measure=measure, level="").values_list("value", flat=True))
    assert len(values) == 2
    return sum(value or 0 for value in values) / 2


@pytest.mark.costs
class TestDefaults:
    """Default answers are queued for a worker once the last of several evaluations has ended."""

    @pytest.fixture(autouse=True)
    def _slow(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(standings.BOARD, "cheap", 0.001)

    def waiting(self) -> set[bool]:
        return set(StoredAnswer.objects.filter(state="queued", name="board").values_list("waited_for", flat=True))

    def test_slow_leaderboard_is_queued_for_a_worker(self, queued: Run, collection: Collection, owner: User) -> None:
        run_here(queued)
        assert self.waiting() == {False}
        assert compute_waiting_answers() >= 1
        assert not leaderboard.leaderboard(collection, owner).pending
        assert self.waiting() == set()

    def test_answers_for_the_public_are_queued_separately(
        self, queued: Run, collection: Collection, submit: Submit, owner: User
    ) -> None:
        Collection.objects.update(visibility=Collection.Visibility.PUBLIC)
        _, private = submit(owner, "Private", published=False)
        run_here(queued)
        assert self.waiting() == set()  # another run would change it
        assert private is not None
        run_here(private)
        assert self.waiting() == {False}
        sources = StoredAnswer.objects.filter(name="board").values_list("sources", flat=True)
        of_private = [f" submission {private.submission_id} " in one for one in sources]
        assert {True, False} == set(of_private)

    def test_failure_to_queue_answers_does_not_fail_the_run(
        self, queued: Run, collection: Collection, owner: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(collection: Collection, people: object) -> None:
            raise RuntimeError("no")

        monkeypatch.setattr(warming, "queue_answers_for", broken)
        assert run_here(queued).state == Run.State.DONE
        assert self.waiting() == set()


def test_fast_leaderboard_is_not_queued(queued: Run) -> None:
    run_here(queued)
    assert not StoredAnswer.objects.exclude(state="done").exists()

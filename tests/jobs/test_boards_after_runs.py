"""What a run's end brings to boards: its columns with its end, standings after it; and what is tidied away."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from annotations.models import Collection
from evaluation import limits
from evaluation.jobs import tidying, warming
from evaluation.jobs.here import run_here
from evaluation.models import Run, RunColumn, Score, Standing, Submission
from evaluation.selectors import leaderboard, standings
from evaluation.services import columns
from evaluation.services import standings as kept_standings
from work.clock import from_now

Submit = Callable[..., tuple[Submission, Run | None]]


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every board takes longer than somebody waits."""
    monkeypatch.setattr(standings, "QUICK_PAIRS", 0)


@pytest.fixture
def queued(submit: Submit, owner: User) -> Run:
    _, run = submit(owner)
    assert run is not None
    return run


def test_a_worker_killed_between_the_last_query_and_the_end_leaves_a_run_that_ends(
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


@pytest.mark.usefixtures("slow")
class TestWarming:
    def test_a_slow_board_is_there_before_somebody_looks(
        self, queued: Run, collection: Collection, owner: User
    ) -> None:
        run_here(queued)
        assert Standing.objects.count() == 3
        assert not leaderboard.leaderboard(collection, owner, wait=False).pending

    def test_the_public_sees_its_own(self, queued: Run, collection: Collection, submit: Submit, owner: User) -> None:
        Collection.objects.update(visibility=Collection.Visibility.PUBLIC)
        _, private = submit(owner, "Private", published=False)
        run_here(queued)
        assert not Standing.objects.exists()  # another run would change it
        assert private is not None
        run_here(private)
        assert Standing.objects.count() == 7  # three columns for each, and the F of the means of the two its owner sees
        assert not leaderboard.leaderboard(collection, AnonymousUser(), wait=False).pending

    def test_a_failure_is_none_of_the_run(
        self, queued: Run, collection: Collection, owner: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(collection: Collection, person: object) -> bool:
            raise RuntimeError("no")

        monkeypatch.setattr(warming, "is_slow", broken)
        assert run_here(queued).state == Run.State.DONE
        assert leaderboard.leaderboard(collection, owner, wait=False).pending

    def test_means_are_shown_until_the_rest_is_worked_out(
        self, queued: Run, collection: Collection, owner: User, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(warming, "is_slow", lambda collection, person: False)
        run_here(queued)
        shown = leaderboard.leaderboard(collection, owner, wait=False)
        whole = leaderboard.leaderboard(collection, owner)
        first, last = shown.rows[0].mean, whole.rows[0].mean
        assert first is not None
        assert last is not None
        assert (shown.pending, whole.pending) == (True, False)
        assert (first.value, first.counted, first.rank_low) == (last.value, last.counted, None)


def test_a_quick_board_is_left_to_its_pages(queued: Run) -> None:
    run_here(queued)
    assert not Standing.objects.exists()


def test_old_standings_are_tidied_away_and_then_the_oldest_of_too_many(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tidying, "STANDINGS_KEPT", 3)
    for days in (0, 1, 2, 3, limits.STANDINGS_KEPT_DAYS + 1):
        row = Standing.objects.create(key=f"{days}", content={})
        Standing.objects.filter(pk=row.pk).update(created_at=from_now(-days * tidying.DAY - 60))
    tidying.tidy()
    assert set(Standing.objects.values_list("key", flat=True)) == {"0", "1", "2"}


def test_who_asks_for_ever_other_choices_fills_no_disk(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_standings, "STANDINGS_KEPT", 3)
    for number in range(9):
        kept_standings.keep({f"{number}": {}})
        Standing.objects.filter(pk=f"{number}").update(created_at=from_now(number - 60))
    assert set(Standing.objects.values_list("key", flat=True)) == {"6", "7", "8"}

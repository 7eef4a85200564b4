"""Sweeps as jobs: each setting becomes a submission, but none is on a leaderboard."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from annotations.models import Collection
from evaluation.access import visible_submissions
from evaluation.baseline_runs import services as baselines
from evaluation.models import Run, Submission
from evaluation.ranking.leaderboard import leaderboard
from evaluation.runs import services as runs
from evaluation.scoring.effective import latest_submissions
from evaluation.selection import services as sweeps
from qc4.problems import InputError

Finish = Callable[..., None]


def sweep(collection: Collection, user: User, **options: object) -> Run:
    chosen = {"algorithms": ["kmeans", "random"], "clusters": [2, 3], "initialisations": 2, **options}
    return sweeps.enqueue(collection=collection, user=user, **chosen)


def test_every_setting_becomes_a_submission_that_is_not_scored(
    collection: Collection, owner: User, finish: Finish
) -> None:
    run = sweep(collection, owner, seed=5)
    finish(run)
    run.refresh_from_db()
    assert run.state == Run.State.DONE, run.error
    assert run.done == run.total == 16
    made = Submission.objects.filter(sweep=run)
    assert {(one.algorithm.baseline, one.parameters["k"], one.parameters["initialisation"]) for one in made} == {
        (key, clusters, seed) for key in ("kmeans", "random") for clusters in (2, 3) for seed in (5, 6)
    }
    assert all(one.parameters.get("restarts", 1) == 1 and one.seed in (5, 6) for one in made)
    assert not Run.objects.filter(kind=Run.Kind.EVALUATION).exists()


def test_random_baseline_makes_the_requested_number_of_clusters(
    collection: Collection, owner: User, finish: Finish
) -> None:
    finish(sweep(collection, owner, algorithms=["random"], clusters=[3]))
    found = Submission.objects.first()
    assert found is not None
    assert {row.n_clusters for row in found.clusterings.all()} == {3}


def test_sweep_does_not_replace_submissions(collection: Collection, owner: User, finish: Finish) -> None:
    baselines.enqueue(collection=collection, keys=["kmeans"], user=owner)
    finish()
    ordinary = Submission.objects.get()
    finish(sweep(collection, owner))
    assert list(visible_submissions(owner, collection)) == [ordinary]
    assert list(latest_submissions(collection)) == [ordinary]
    row = next(row for row in leaderboard(collection, owner).rows if row.algorithm.baseline == "kmeans")
    assert row.submission == ordinary
    assert row.newer is None
    assert [row.algorithm.baseline for row in leaderboard(collection, owner).rows] == ["kmeans"]
    baselines.enqueue(collection=collection, keys=["kmeans"], user=owner)
    finish()
    assert list(visible_submissions(owner, collection)) == [ordinary]


def test_repeated_sweep_reuses_equal_submissions(collection: Collection, owner: User, finish: Finish) -> None:
    first = sweep(collection, owner)
    finish(first)
    again = runs.rerun(Run.objects.get(pk=first.pk), owner)
    finish(again)
    assert Submission.objects.count() == 8
    finish(sweep(collection, owner, seed=2))
    assert Submission.objects.count() == 16


@pytest.mark.parametrize(
    ("options", "where"),
    [
        ({"algorithms": ["stc"]}, "algorithms"),
        ({"algorithms": []}, "algorithms"),
        ({"clusters": [0]}, "clusters"),
        ({"initialisations": 0}, "initialisations"),
        ({"initialisations": 1000}, "the sweep"),
        ({"seed": 2**32 - 1}, "seed"),
    ],
)
def test_invalid_sweep_is_rejected(collection: Collection, owner: User, options: dict[str, object], where: str) -> None:
    with pytest.raises(InputError) as refused:
        sweep(collection, owner, **options)
    assert where in {problem.where for problem in refused.value.problems}
    assert not Run.objects.filter(kind=Run.Kind.SWEEP).exists()


def test_sweep_without_inputs_fails_with_a_reason(
    page_list_collection: Collection, owner: User, finish: Finish
) -> None:
    run = sweep(page_list_collection, owner, algorithms=["random"])
    finish(run)
    run.refresh_from_db()
    assert run.state == Run.State.FAILED
    assert run.error is not None
    assert "gold standard" in str(run.error["problems"])

"""Baselines as jobs: each becomes a scored submission, once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from django.db.models import Min

from accounts.models import User
from annotations.models import Collection
from evaluation.baselines import BASELINES
from evaluation.jobs import baselines as job
from evaluation.models import Algorithm, Run, Score, Submission
from evaluation.services import baselines, runs
from evaluation.services.deletion import delete_submission
from evaluation.services.gold import publish_and_reevaluate
from qc4.gold.document import Topic
from qc4.problems import InputError
from tests.samples import saturn

Finish = Callable[..., None]


def test_every_baseline_that_can_run_is_scored(collection: Collection, owner: User, finish: Finish) -> None:
    run = baselines.enqueue(collection=collection, user=owner, seed=7)
    finish()
    run.refresh_from_db()
    assert run.state == Run.State.DONE, run.error
    with_text = {key for key, baseline in BASELINES.items() if baseline.needs_text}
    made = Submission.objects.filter(collection=collection)
    assert set(made.values_list("algorithm__baseline", flat=True)) == set(BASELINES) - with_text
    assert all(submission.published and submission.origin == "baseline" for submission in made)
    evaluations = Run.objects.filter(kind=Run.Kind.EVALUATION)
    assert set(evaluations.values_list("state", flat=True)) == {Run.State.DONE}


def test_parameters_and_seed_are_stored(collection: Collection, owner: User, finish: Finish) -> None:
    finish(baselines.enqueue(collection=collection, keys=["random", "singletons"], user=owner, seed=7))
    by_key = {submission.algorithm.baseline: submission for submission in Submission.objects.all()}
    assert by_key["random"].seed == 7
    assert by_key["random"].parameters["baseline"] == "random"
    assert by_key["random"].parameters["gold_version"] == 1, "it has the sizes of that version's topics"
    assert by_key["singletons"].seed is None
    assert "gold_version" not in by_key["singletons"].parameters


def test_the_gold_itself_scores_one(collection: Collection, owner: User, finish: Finish) -> None:
    baselines.enqueue(collection=collection, keys=["gold"], user=owner)
    finish()
    worst = Score.objects.filter(measure__in=["aq", "wq", "ac", "wc"]).aggregate(Min("value"))
    assert worst["value__min"] == 1


def test_a_second_time_changes_nothing_another_seed_does(collection: Collection, owner: User, finish: Finish) -> None:
    for seed in (1, 1, 2):
        baselines.enqueue(collection=collection, keys=["random", "singletons"], seed=seed, user=owner)
        finish()
    assert Submission.objects.filter(algorithm__baseline="random").count() == 2
    assert Submission.objects.filter(algorithm__baseline="singletons").count() == 1
    assert Run.objects.filter(kind=Run.Kind.EVALUATION).count() == 3


def test_a_run_goes_on_after_the_last_baseline_it_finished(
    collection: Collection, owner: User, finish: Finish, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = baselines.enqueue(collection=collection, keys=["singletons", "one_cluster"], user=owner)
    real, asked = job.run_baseline, []

    def interrupted(key: str, *args: object) -> object:
        asked.append(key)
        if len(asked) == 4:
            raise KeyboardInterrupt
        return real(key, *args)

    monkeypatch.setattr(job, "run_baseline", interrupted)
    with pytest.raises(KeyboardInterrupt):
        finish(run)
    assert Run.objects.get(pk=run.pk).state == Run.State.QUEUED
    finish(run)
    assert asked == ["singletons"] * 2 + ["one_cluster"] * 4
    assert Submission.objects.count() == 2


def test_without_gold_the_others_still_run(page_list_collection: Collection, owner: User, finish: Finish) -> None:
    run = baselines.enqueue(collection=page_list_collection, user=owner)
    finish(run)
    keys = set(Submission.objects.values_list("algorithm__baseline", flat=True))
    assert keys == {key for key, baseline in BASELINES.items() if not (baseline.needs_gold or baseline.needs_text)}
    assert run.events.filter(why__contains="lack a gold standard").exists()


def test_a_baseline_asked_for_by_name_must_be_able_to_run(
    page_list_collection: Collection, owner: User, finish: Finish
) -> None:
    run = baselines.enqueue(collection=page_list_collection, keys=["gold"], user=owner)
    finish(run)
    assert run.state == Run.State.FAILED
    assert run.error["code"] == "baseline-needs"


def test_wrong_orders_are_refused_together(collection: Collection, owner: User) -> None:
    with pytest.raises(InputError) as refused:
        baselines.enqueue(collection=collection, keys=["kmean", "nothing"], seed=-1, user=owner)
    assert [problem.code for problem in refused.value.problems] == ["unknown-baseline", "unknown-baseline", "seed"]
    assert "Did you mean 'kmeans'?" in str(refused.value)
    assert not Run.objects.exists()


def test_a_baseline_makes_room_for_an_algorithm_of_its_name(
    collection: Collection, owner: User, submit: Callable[..., object], finish: Finish
) -> None:
    submit(owner, "SINGLETONS")
    finish(baselines.enqueue(collection=collection, keys=["singletons"], user=owner))
    assert Algorithm.objects.get(baseline="singletons").name == "Singletons (built in)"


def test_a_new_gold_version_makes_the_gold_baseline_anew(
    collection: Collection, owner: User, submit: Callable[..., tuple[Submission, Run]], finish: Finish
) -> None:
    lingo, _ = submit(owner)
    baselines.enqueue(collection=collection, keys=["gold", "singletons"], user=owner)
    finish()
    topics = (Topic("rings", "Rings", pages=("p1",)), Topic("cars", "Cars", pages=("p2", "p3", "p4")))
    version, queued = publish_and_reevaluate(
        collection=collection, documents=[replace(saturn(), topics=topics)], user=owner
    )
    assert sorted(run.kind for run in queued) == ["baselines", "evaluation", "evaluation"]
    assert {run.queue for run in queued} == {"backfill"}
    finish()
    done = Run.objects.filter(gold_version=version, state=Run.State.DONE)
    assert {run.submission.algorithm.name for run in done} == {"Lingo", "Singletons", "Gold standard"}
    gold = done.get(submission__algorithm__baseline="gold")
    values = Score.objects.filter(evaluation__run_queries__run=gold, measure="qc4").values_list("value", flat=True)
    assert list(values) == [1, 1]
    # Mercury did not change, so its scores are those of version 1.
    cells = {run.queries.get(query__key="mercury").evaluation_id for run in lingo.runs.all()}
    assert len(cells) == 1


def test_a_repeated_run_does_its_work_again(collection: Collection, owner: User, finish: Finish) -> None:
    run = baselines.enqueue(collection=collection, keys=["singletons"], user=owner)
    finish()
    delete_submission(Submission.objects.get())
    run.refresh_from_db()
    runs.rerun(run, owner)
    finish()
    assert Submission.objects.get().runs.get().state == Run.State.DONE

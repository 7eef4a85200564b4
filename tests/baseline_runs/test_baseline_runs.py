"""Runs of baselines: each baseline becomes one scored submission."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.db.models import Min
from django.test import Client

from accounts.models import User
from annotations.models import Collection
from evaluation.baseline_runs import jobs as job
from evaluation.baseline_runs import services as baselines
from evaluation.baselines import BASELINES, BaselineSpec
from evaluation.charts.marks import marks
from evaluation.deletion.services import delete_submission
from evaluation.gold.selectors import made_from_gold, rescoring
from evaluation.gold.services import publish_and_reevaluate
from evaluation.limits import BASELINES_AT_ONCE, LARGEST_SEED, MAX_DRAWS
from evaluation.models import Algorithm, Run, Score, Submission
from evaluation.runs import services as runs
from evaluation.runs.selectors import command_for
from evaluation.scoring.effective import latest_submissions
from qc4.problems import InputError
from tests.samples.documents import corrected_saturn

Finish = Callable[..., None]


def test_every_runnable_baseline_is_scored(collection: Collection, owner: User, finish: Finish) -> None:
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
    finish(baselines.enqueue(collection=collection, keys=["random", "singletons"], user=owner, seed=7, draws=1))
    by_key = {submission.algorithm.baseline: submission for submission in Submission.objects.all()}
    assert by_key["random"].seed == 7
    assert by_key["random"].parameters["baseline"] == "random"
    assert by_key["random"].parameters["gold_version"] == 1, "it has the sizes of that version's topics"
    assert by_key["singletons"].seed is None
    assert "gold_version" not in by_key["singletons"].parameters


def test_gold_baseline_scores_one(collection: Collection, owner: User, finish: Finish) -> None:
    baselines.enqueue(collection=collection, keys=["gold"], user=owner)
    finish()
    worst = Score.objects.filter(measure__in=["aq", "wq", "ac", "wc"]).aggregate(Min("value"))
    assert worst["value__min"] == 1


def test_repeated_run_changes_nothing_unless_the_seed_differs(
    collection: Collection, owner: User, finish: Finish
) -> None:
    for seed in (1, 1, 2):
        baselines.enqueue(collection=collection, keys=["random", "singletons"], seed=seed, draws=1, user=owner)
        finish()
    assert Submission.objects.filter(algorithm__baseline="random").count() == 2
    assert Submission.objects.filter(algorithm__baseline="singletons").count() == 1
    assert Run.objects.filter(kind=Run.Kind.EVALUATION).count() == 3


def test_restarted_run_continues_after_the_last_finished_baseline(
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


def test_baselines_that_need_no_gold_standard_run_without_one(
    page_list_collection: Collection, owner: User, finish: Finish
) -> None:
    run = baselines.enqueue(collection=page_list_collection, user=owner)
    finish(run)
    keys = set(Submission.objects.values_list("algorithm__baseline", flat=True))
    assert keys == {key for key, baseline in BASELINES.items() if not (baseline.needs_gold or baseline.needs_text)}
    assert run.events.filter(why__contains="lack a gold standard").exists()


def test_named_baseline_that_cannot_run_fails_the_run(
    page_list_collection: Collection, owner: User, finish: Finish
) -> None:
    run = baselines.enqueue(collection=page_list_collection, keys=["gold"], user=owner)
    finish(run)
    assert run.state == Run.State.FAILED
    assert run.error["code"] == "baseline-needs"


def test_all_invalid_options_are_reported_at_once(collection: Collection, owner: User) -> None:
    with pytest.raises(InputError) as refused:
        baselines.enqueue(collection=collection, keys=["kmean", "nothing"], seed=-1, user=owner)
    assert [problem.code for problem in refused.value.problems] == ["unknown-baseline", "unknown-baseline", "seed"]
    assert "Did you mean 'kmeans'?" in str(refused.value)
    assert not Run.objects.exists()


def test_baseline_is_renamed_if_an_algorithm_has_its_name(
    collection: Collection, owner: User, submit: Callable[..., object], finish: Finish
) -> None:
    submit(owner, "SINGLETONS")
    finish(baselines.enqueue(collection=collection, keys=["singletons"], user=owner))
    assert Algorithm.objects.get(baseline="singletons").name == "Singletons (built in)"


def test_new_gold_version_recreates_the_gold_baseline(
    collection: Collection, owner: User, submit: Callable[..., tuple[Submission, Run]], finish: Finish
) -> None:
    lingo, _ = submit(owner)
    baselines.enqueue(collection=collection, keys=["gold", "singletons"], user=owner)
    finish()
    version, queued = publish_and_reevaluate(collection=collection, documents=[corrected_saturn()], user=owner)
    assert sorted(run.kind for run in queued) == ["baselines", "evaluation", "evaluation"]
    assert {run.queue for run in queued} == {"bulk"}
    finish()
    done = Run.objects.filter(gold_version=version, state=Run.State.DONE)
    assert {run.submission.algorithm.name for run in done} == {"Lingo", "Singletons", "Gold standard"}
    gold = done.get(submission__algorithm__baseline="gold")
    values = Score.objects.filter(evaluation__run_queries__run=gold, measure="qc4").values_list("value", flat=True)
    assert list(values) == [1, 1]
    # Mercury did not change, so its scores are those of version 1.
    cells = {run.queries.get(query__key="mercury").evaluation_id for run in lingo.runs.all()}
    assert len(cells) == 1


def test_repeated_run_creates_deleted_submissions_again(collection: Collection, owner: User, finish: Finish) -> None:
    run = baselines.enqueue(collection=collection, keys=["singletons"], user=owner)
    finish()
    delete_submission(Submission.objects.get())
    run.refresh_from_db()
    runs.rerun(run, owner)
    finish()
    assert Submission.objects.get().runs.get().state == Run.State.DONE


class TestParameters:
    """Baselines with other parameters are other algorithms."""

    def test_other_parameters_make_another_algorithm_by_page_and_api(
        self, collection: Collection, owner: User, finish: Finish
    ) -> None:
        client = Client()
        client.force_login(owner)
        ticked = {
            "only": ["kmeans", "stc"],
            "kmeans.k": "2",
            "kmeans.restarts": "10",
            "kmeans_text.k": "9",
            "seed": "3",
        }
        client.post(f"/c/{collection.slug}/baselines/", ticked)
        api = f"/api/v1/collections/{collection.slug}/baselines"
        client.post(api, {"only": ["kmeans", "kmeans:restarts=10:k=2"], "seed": 3}, content_type="application/json")
        finish()
        rows = Submission.objects.filter(collection=collection).order_by("pk")
        found = [
            (row.algorithm.name, row.algorithm.settings, row.parameters["k"])
            for row in rows
            if row.parameters.get("baseline") == "kmeans"
        ]
        assert found == [("K-means (snippets), k = 2", "k=2", 2), ("K-means (snippets)", "", None)], "each once"
        run = rows[0].runs.get()
        assert "run_baselines space-and-cars --only kmeans:k=2 --seed 3" in command_for(run)
        hollow = marks(collection)
        assert all(mark.hollow for mark in hollow.values())
        assert len({(mark.hue, mark.shape) for mark in hollow.values()}) == len(hollow)

    def test_all_invalid_parameters_are_reported_at_once(self, collection: Collection, owner: User) -> None:
        with pytest.raises(InputError) as refused:
            baselines.enqueue(
                collection=collection,
                keys=["kmeans:q=3", "agglomerative:linkage=wrad:k=0", "stc:merge"],
                draws=0,
                user=owner,
            )
        told = " ".join(str(problem) for problem in refused.value.problems)
        for words in (
            "'q'",
            "'wrad'",
            "ward, average, complete, single",
            "a whole number at least 1",
            "'merge'",
            "draws",
        ):
            assert words in told
        client = Client()
        client.force_login(owner)
        form = {"only": ["kmeans"], "kmeans.k": "0", "seed": "0"}
        assert (
            "greater than or equal to 1"
            in client.post(f"/c/{collection.slug}/baselines/", form, follow=True).content.decode()
        )
        assert not Run.objects.exists()

    def test_orders_have_one_canonical_form(self) -> None:
        for text in ("agglomerative:linkage=ward", "agglomerative:dimensions=50", "agglomerative"):
            assert BaselineSpec.parse(text).written == "agglomerative", "the default is no change"
        order = BaselineSpec.parse(" stc:max_clusters=3:merge=0.25 ")
        assert (order.written, BaselineSpec.parse(order.written)) == ("stc:merge=0.25:max_clusters=3", order)
        assert order.title == "Suffix Tree Clustering (snippets), merge = 0.25, max_clusters = 3"


class TestDraws:
    """The random baseline has many draws, whose submissions count together."""

    def test_draws_are_repeats_of_one_algorithm(self, collection: Collection, owner: User, finish: Finish) -> None:
        for _ in range(2):
            finish(baselines.enqueue(collection=collection, keys=["random", "singletons"], seed=5, draws=3, user=owner))
        rows = Submission.objects.filter(algorithm__baseline="random").order_by("pk")
        assert [(row.seed, row.repeat) for row in rows] == [(5, "seed 5"), (6, "seed 6"), (7, "seed 7")]
        assert len({row.sha256 for row in rows}) > 1
        assert list(latest_submissions(collection).filter(algorithm__baseline="random")) == list(rows)
        assert Submission.objects.get(algorithm__baseline="singletons").repeat == ""

    def test_new_gold_version_repeats_the_same_draws(self, collection: Collection, owner: User, finish: Finish) -> None:
        orders = (("gold", 0, 3), ("random", 0, 3), ("random:k=2", 0, 3), ("random", 9, 2))
        for key, seed, draws in orders:
            finish(baselines.enqueue(collection=collection, keys=[key], seed=seed, draws=draws, user=owner))
        promised = rescoring(collection)
        _, queued = publish_and_reevaluate(collection=collection, documents=[corrected_saturn()], user=owner)
        asked = [(run.options["keys"], run.options["seed"], run.options["draws"]) for run in queued]
        assert asked == [(["gold", "random", "random:k=2"], 0, 3), (["random"], 9, 2)]
        assert (promised.runs, promised.remade) == (len(queued), 9)
        finish()
        anew = Submission.objects.filter(parameters__gold_version=2)
        made = sorted((row.algorithm.baseline, row.algorithm.settings, row.seed) for row in anew)
        assert made == [("gold", "", None), *(("random", "", seed) for seed in (0, 1, 2, 9, 10))], (
            "k = 2 gives the same"
        )

    def test_many_seeds_are_remade_in_batches(self, collection: Collection, owner: User) -> None:
        algorithm = Algorithm.objects.create(collection=collection, name="Random", baseline="random")
        facts = {"collection": collection, "algorithm": algorithm, "published": True, "origin": "baseline"}
        for seed in range(MAX_DRAWS + 2):
            Submission.objects.create(**facts, created_by=owner, seed=seed, repeat=f"seed {seed}")
        found = made_from_gold(latest_submissions(collection))
        assert [(one.seed, one.draws) for one in found] == [(0, MAX_DRAWS), (MAX_DRAWS, 2)]

    def test_more_variants_than_one_run_allows_do_not_block_a_gold_version(
        self, collection: Collection, owner: User
    ) -> None:
        facts = {"collection": collection, "published": True, "origin": "baseline", "created_by": owner, "seed": 0}
        for k in range(2, BASELINES_AT_ONCE + 4):
            variant = {"name": f"Random {k}", "baseline": "random", "settings": f"k={k}"}
            algorithm = Algorithm.objects.create(collection=collection, **variant)
            Submission.objects.create(**facts, algorithm=algorithm, repeat="seed 0")
        promised = rescoring(collection)
        _, queued = publish_and_reevaluate(collection=collection, documents=[corrected_saturn()], user=owner)
        assert [len(run.options["keys"]) for run in queued] == [BASELINES_AT_ONCE, 2]
        assert promised.runs == len(queued)

    def test_seed_of_the_last_draw_must_be_in_range(self, collection: Collection, owner: User) -> None:
        with pytest.raises(InputError, match="a last seed"):
            baselines.enqueue(collection=collection, keys=["random"], seed=LARGEST_SEED, draws=2, user=owner)

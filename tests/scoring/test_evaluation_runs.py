"""Scoring a submission: what is computed, what is shared, and errors."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from pytest_django import Settings

from accounts.models import User
from annotations.collections.removal import allow_removal
from annotations.models import Collection, GoldVersion
from evaluation.models import Evaluation, Run, RunQuery, Score, Submission
from evaluation.runs import services as runs
from evaluation.runs.errors import TooManyRuns
from evaluation.runs.execution import run_here
from evaluation.runs.selectors import status
from evaluation.runs.source import tidy
from evaluation.scoring import cells
from evaluation.scoring import jobs as evaluation_plan
from evaluation.scoring.jobs import EvaluationHelp
from qc4.measures.registry import REGISTRY
from qc4.scoring.scoring import FROM_FILES
from work.clock import database_time, from_now
from work.leases import claim
from work.workers import Pool, report_alive

Submit = Callable[..., tuple[Submission, Run | None]]


@pytest.fixture
def computed(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """The measures computed by the engine, one entry per query that had to be computed."""
    asked: list[tuple[str, ...]] = []
    compute = cells.compute

    def counted(clustering: object, gold: object, policies: object, measures: list[str], vectors: object) -> object:
        asked.append(tuple(measures))
        return compute(clustering, gold, policies, measures, vectors)

    monkeypatch.setattr(cells, "compute", counted)
    return asked


def evaluate(submission: Submission, gold_version: GoldVersion, **options: object) -> Run:
    run = runs.enqueue_evaluation(submission=submission, gold_version=gold_version, user=None, **options)
    return run_here(run)


def test_every_applicable_measure_is_scored_on_every_query(scored: Submission) -> None:
    run = scored.runs.get()
    assert (run.state, run.done, run.total) == (Run.State.DONE, 2, 2)
    expected = {measure.key for measure in REGISTRY.all() if FROM_FILES.issuperset(measure.needs)}
    for query in RunQuery.objects.filter(run=run):
        assert set(query.evaluation.scores.values_list("measure", flat=True)) == expected


def test_equal_clustering_is_not_scored_twice(
    scored: Submission, submit: Submit, owner: User, gold_version: GoldVersion, computed: list[tuple[str, ...]]
) -> None:
    cells_before = Score.objects.count()
    twin, run = submit(owner, "Twin")
    assert run is not None
    assert run_here(run).state == Run.State.DONE
    assert evaluate(scored, gold_version).state == Run.State.DONE
    assert computed == []
    assert (Score.objects.count(), Evaluation.objects.count()) == (cells_before, 2)
    assert RunQuery.objects.filter(run__submission=twin).count() == 2


def test_only_missing_measures_are_computed(
    submit: Submit, owner: User, gold_version: GoldVersion, computed: list[tuple[str, ...]]
) -> None:
    submission, _ = submit(owner)
    evaluate(submission, gold_version, measures=["quality", "purity"])
    evaluate(submission, gold_version, measures=["purity", "rand", "quality"])
    assert computed == [("quality", "purity")] * 2 + [("rand",)] * 2


def test_different_scoring_options_have_separate_scores(scored: Submission, gold_version: GoldVersion) -> None:
    run = evaluate(scored, gold_version, policies={"outliers": "topic"})
    assert Evaluation.objects.count() == 4
    assert run.policies["outliers"] == "topic"


def test_queries_without_clustering_count_as_done_and_have_no_scores(submit: Submit, owner: User) -> None:
    _, run = submit(owner, answers={"mercury": [["p1", "p2"]]})
    assert run is not None
    run_here(run)
    assert (run.state, run.done, run.total) == (Run.State.DONE, 2, 2)
    assert [row.query.key for row in run.queries.all()] == ["mercury"]
    assert run.events.last().why == "Scored 1 of 2 queries; 1 have no clustering."


def test_run_with_nothing_to_score_fails_with_a_reason(submit: Submit, owner: User, gold_version: GoldVersion) -> None:
    submission, _ = submit(owner)
    with allow_removal("a test"):
        submission.clusterings.all().delete()
    run = evaluate(submission, gold_version)
    assert (run.state, run.error["code"]) == (Run.State.FAILED, "nothing-to-score")
    assert "no clustering of any of the 2 queries of gold v1" in run.error["sentence"]


def test_run_resumes_at_the_first_query_without_scores(
    submit: Submit, owner: User, computed: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    _, run = submit(owner)
    assert run is not None
    compute = cells.compute

    def interrupted(clustering: object, *rest: object) -> object:
        if len(computed) == 1:
            raise KeyboardInterrupt
        return compute(clustering, *rest)

    with monkeypatch.context() as patch:
        patch.setattr(cells, "compute", interrupted)
        with pytest.raises(KeyboardInterrupt):
            run_here(run)
    assert len(computed) == run.queries.count() == 1
    run_here(run)
    assert run.state == Run.State.DONE
    assert len(computed) == run.queries.count() == 2


def test_queued_run_is_scored_by_the_new_engine_after_an_update(submit: Submit, owner: User) -> None:
    _, run = submit(owner)
    assert run is not None
    Run.objects.update(measures={"quality": 0}, engine="0.9")
    run_here(run)
    assert run.measures == {"quality": REGISTRY.get("quality").version}
    assert any("Queued with engine 0.9" in event.why for event in run.events.all())


# --- Sharing a big run ------------------------------------------------------------------------------------------------


def test_helpers_store_scores_without_changing_runs(
    submit: Submit, owner: User, computed: list[tuple[str, ...]], settings: Settings
) -> None:
    settings.JOB_FAN_OUT_MEMBERSHIPS = 1
    _, run = submit(owner)
    assert run is not None
    assert claim(Run, run.pk, "holder")
    before = Run.objects.values().get(pk=run.pk)
    helping = EvaluationHelp()
    help_ = helping.claim("helper", "bulk")
    assert help_ is not None
    assert help_.run()
    assert helping.claim("helper", "bulk") is None, "the holder computes the first query, and there are two"
    assert Run.objects.values().get(pk=run.pk) == before
    saturn = evaluation_plan.plan(run).tasks[-1].question
    assert Evaluation.objects.get().gold_sha256 == saturn.gold_sha256
    Run.objects.filter(pk=run.pk).update(state=Run.State.QUEUED, lease_until=None)
    run_here(run)
    assert (run.state, len(computed)) == (Run.State.DONE, 2)


@pytest.mark.parametrize(
    ("state", "attempts", "threshold"), [("queued", 0, 1), ("running", 1, 1_000_000), ("running", 2, 1)]
)
def test_waiting_small_or_interrupted_runs_get_no_help(
    submit: Submit, owner: User, settings: Settings, state: str, attempts: int, threshold: int
) -> None:
    settings.JOB_FAN_OUT_MEMBERSHIPS = threshold
    submit(owner)
    lease = from_now(60) if state == Run.State.RUNNING else None
    Run.objects.update(state=state, attempts=attempts, lease_until=lease)
    assert EvaluationHelp().claim("helper", "bulk") is None


# --- Limits, repeats, status and clean-up -----------------------------------------------------------------------------


def test_limit_error_has_position_and_waiting_time(
    submit: Submit, owner: User, outsider: User, gold_version: GoldVersion, settings: Settings
) -> None:
    submission, _ = submit(owner)
    settings.JOB_LIMIT_PER_USER, settings.JOB_LIMIT_TOTAL = 1, 2
    with pytest.raises(TooManyRuns) as refusal:
        runs.enqueue_evaluation(submission=submission, gold_version=gold_version, user=owner)
    assert (refusal.value.limit, refusal.value.position) == (1, 2)
    assert 5 <= refusal.value.retry_after <= 600
    runs.enqueue_evaluation(submission=submission, gold_version=gold_version, user=outsider)
    with pytest.raises(TooManyRuns, match="This site has"):
        runs.enqueue_evaluation(submission=submission, gold_version=gold_version, user=None)
    runs.enqueue_evaluation(submission=submission, gold_version=gold_version, user=owner, limited=False)


def test_cancelled_run_can_be_repeated_as_a_new_run(submit: Submit, owner: User) -> None:
    _, run = submit(owner)
    assert run is not None
    with pytest.raises(ValueError, match="still queued"):
        runs.rerun(run, owner)
    assert runs.cancel(run, owner)
    again = runs.rerun(run, owner)
    assert (again.rerun_of, again.submission, again.measures) == (run, run.submission, run.measures)
    assert run_here(again).state == Run.State.DONE
    run.refresh_from_db()
    assert run.state == Run.State.CANCELLED


def test_status_shows_workers_and_progress(submit: Submit, owner: User) -> None:
    _, first = submit(owner)
    _, second = submit(owner, "Other")
    assert first is not None
    assert second is not None
    began = database_time()
    Run.objects.filter(pk=second.pk).update(created_at=from_now(-90))
    second.refresh_from_db()
    waiting = status(second)
    assert (waiting["state"], waiting["position"], waiting["is_served"]) == ("queued", 2, False)
    assert 90 <= waiting["seconds_waiting"] <= 90 + (database_time() - began).total_seconds() + 1
    report_alive("worker", Pool(("interactive", "bulk"), 1))
    assert status(second)["is_served"]
    run_here(first)
    ended = status(first)
    assert (ended["state"], ended["done"], ended["total"], ended["attempt"]) == ("done", 2, 2, 1)
    assert ended["rate"] > 0
    assert [event["to"] for event in ended["events"]] == ["queued", "running", "done"]
    assert status(second)["position"] == 1


def test_unused_evaluations_are_deleted_after_a_day(scored: Submission, collection: Collection) -> None:
    assert tidy() == 0
    with allow_removal("a test"):
        collection.delete()
    assert (tidy(), Evaluation.objects.count()) == (0, 2)
    Evaluation.objects.update(created_at="2020-01-01T00:00Z")
    assert tidy() == 2
    assert not Score.objects.exists()

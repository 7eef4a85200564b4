"""Submissions are stored completely or not at all, compactly, together with their queued evaluation."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import pytest

from accounts.models import User
from annotations.models import Collection
from evaluation.models import Algorithm, Clustering, Evaluation, Run, Score, Submission
from evaluation.runs.errors import TooManyRuns
from evaluation.scoring import cases
from qc4.problems import InputError
from tests.samples.documents import GOOD_ANSWER, submission_document
from tests.samples.submissions import hand_in

Submit = Callable[..., tuple[Submission, Run | None]]


def test_a_submission_is_stored_and_scored(scored: Submission) -> None:
    run = scored.runs.get()
    assert run.state == Run.State.DONE, run.error
    assert set(run.queries.values_list("query__key", flat=True)) == {"mercury", "saturn"}
    quality = Score.objects.get(
        evaluation__run_queries__run=run, measure="quality", evaluation__run_queries__query__key="saturn"
    )
    assert quality.value is not None
    assert 0 < quality.value < 1


def test_stored_clusterings_equal_the_submitted_ones(submit: Submit, owner: User) -> None:
    submission, _ = submit(owner)
    row = submission.clusterings.get(query__key="mercury")
    assert cases.clustering(row).clusters == submission_document(GOOD_ANSWER).clusterings[0].clusters
    assert json.loads(row.file.content)["format"] == "qc4-clustering/1"
    assert (row.n_clusters, row.n_memberships, row.n_pages_covered) == (3, 8, 8)


def test_report_is_stored(submit: Submit, owner: User) -> None:
    submission, _ = submit(owner, answers={"mercury": (("p1", "p2"), ("p2", "p3", "p4"))})
    assert submission.report.content["missing"] == ["saturn"]
    [query] = submission.report.content["queries"]
    wanted = {"pages": 8, "clusters": 2, "covered": 4, "overlapping": 1, "smallest": 2, "largest": 3}
    assert wanted.items() <= query.items()


def test_equal_clusterings_share_their_scores(submit: Submit, owner: User, finish: Callable[..., None]) -> None:
    first, _ = submit(owner, "One")
    second, _ = submit(owner, "Other")
    finish()
    assert first.sha256 == second.sha256
    assert Clustering.objects.values("sha256").distinct().count() == 2
    assert Evaluation.objects.count() == 2


def test_hash_covers_only_ids_labels_parents_and_members() -> None:
    answer = submission_document(GOOD_ANSWER).clusterings[0]
    same = replace(answer, query="other", algorithm="A", parameters={"k": 1}, extra={"note": 1})
    assert cases.content_sha256(same) == cases.content_sha256(answer)
    for change in ({"label": "x"}, {"id": "x"}, {"parent": "c2"}, {"pages": ("p1",)}):
        changed = replace(answer, clusters=(replace(answer.clusters[0], **change), *answer.clusters[1:]))
        assert cases.content_sha256(changed) != cases.content_sha256(answer)


def test_algorithm_names_ignore_case(submit: Submit, owner: User) -> None:
    first, _ = submit(owner, "Lingo")
    second, _ = submit(owner, "LINGO")
    assert first.algorithm == second.algorithm


@pytest.mark.parametrize("name", ["", "   ", "x" * 121])
def test_invalid_algorithm_names_are_rejected(submit: Submit, owner: User, name: str) -> None:
    with pytest.raises(InputError):
        submit(owner, name)


def test_baseline_names_are_reserved(submit: Submit, owner: User, collection: Collection) -> None:
    Algorithm.objects.create(collection=collection, name="Singletons", baseline="singletons")
    with pytest.raises(InputError, match="built-in baseline"):
        submit(owner, "singletons")
    assert not Submission.objects.exists()


def test_submission_without_gold_standard_is_not_scored(page_list_collection: Collection, owner: User) -> None:
    submission, run = hand_in(page_list_collection, submission_document(GOOD_ANSWER, "Lingo"), owner)
    assert run is None
    assert not submission.runs.exists()


def test_full_queue_rejects_a_submission(submit: Submit, owner: User, settings: object) -> None:
    settings.JOB_LIMIT_PER_USER = 1
    submit(owner)
    with pytest.raises(TooManyRuns):
        submit(owner, "Another")
    assert Submission.objects.count() == Run.objects.count() == 1
    assert not Algorithm.objects.filter(name="Another").exists()


def test_empty_clustering_is_accepted(submit: Submit, owner: User, finish: Callable[..., None]) -> None:
    submission, run = submit(owner, answers={"mercury": (), "saturn": ((), ("p1",))})
    finish(run)
    codes = [problem["code"] for problem in submission.report.content["problems"]]
    assert codes == ["empty-clustering", "empty-cluster"]
    score = Score.objects.get(evaluation__run_queries__query__key="mercury", measure="qc4")
    assert score.value == 0


def test_ten_thousand_clusters_are_accepted(submit: Submit, owner: User, finish: Callable[..., None]) -> None:
    submission, run = submit(owner, answers={"saturn": [("p1", "p2")] * 10_000})
    finish(run)
    assert submission.clusterings.get().n_clusters == 10_000
    assert Run.objects.get().state == Run.State.DONE

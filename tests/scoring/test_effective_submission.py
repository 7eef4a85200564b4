"""The effective submission of an algorithm: the latest, the best by a measure, or a pinned one, and for whom."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from annotations.gold.selectors import latest_version
from annotations.models import Challenge, Collection
from evaluation.algorithms.services import set_rule
from evaluation.collections.query_scores import scoring
from evaluation.deletion.services import delete_submission
from evaluation.models import Algorithm, Run, Submission
from evaluation.ranking.entries import Entry, entries
from evaluation.ranking.leaderboard import leaderboard
from evaluation.ranking.leading import leaders_of
from evaluation.scoring.effective import latest_ids
from evaluation.submissions.services import publish
from qc4.model.policies import Policies
from qc4.problems import InputError
from tests.samples.documents import GOOD_ANSWER, Answers
from tests.trigger_bypass import unguarded

Submit = Callable[..., tuple[Submission, Run]]
POOR: Answers = {"mercury": (("p1", "p4", "p6", "p7"), ("p2", "p5", "p8", "p3")), "saturn": (("p1", "p3"), ("p2",))}
PART: Answers = {"saturn": GOOD_ANSWER["saturn"]}


@pytest.fixture
def three(submit: Submit, owner: User, finish: Callable[..., None]) -> list[Submission]:
    """A poor submission, the good one, and the latest: good, but with only one query."""
    made = [submit(owner, answers=answers)[0] for answers in (POOR, GOOD_ANSWER, PART)]
    finish()
    return made


def entry(collection: Collection, person: User | AnonymousUser, name: str = "Lingo") -> Entry:
    found = entries(collection, person, latest_version(collection), Policies())
    return next(one for one in found if one.algorithm.name == name)


def test_latest_submission_counts_by_default(three: list[Submission], owner: User) -> None:
    assert entry(three[0].collection, owner).submission == three[2]


def test_best_submission_counts_with_worst_value_for_missing_clusterings(three: list[Submission], owner: User) -> None:
    collection, algorithm = three[0].collection, three[0].algorithm
    set_rule(algorithm, "best", "qc4_f")
    found = entry(collection, owner)
    assert found.submission == three[1]
    assert found.newer is None, "the latest is scored, but does not count"
    board = leaderboard(collection, owner)
    row = next(row for row in board.rows if row.algorithm == algorithm)
    assert (row.counts, row.to_dict()["counts"]) == ("best by QC4-F", "best by QC4-F")
    assert "For Lingo (by QC4-F), the best submission is used" in board.methods
    first = leaders_of([collection], {collection.pk: board.version}, owner)[collection.pk][0]
    assert first.value == pytest.approx(row.mean.value)
    counted = scoring(collection.queries.get(key="saturn"), owner).counting
    assert Run.objects.get(pk=next(iter(counted))).submission == three[1]


def test_tie_goes_to_the_latest_and_lower_can_be_better(
    three: list[Submission], submit: Submit, owner: User, finish: Callable[..., None]
) -> None:
    again, _ = submit(owner, answers=GOOD_ANSWER)
    finish()
    set_rule(three[0].algorithm, "best", "qc4_f")
    assert entry(three[0].collection, owner).submission == again
    set_rule(three[0].algorithm, "best", "vi")
    assert entry(three[0].collection, owner).submission == again


def test_best_submission_is_not_chosen_by_hidden_gold_standards(three: list[Submission], owner: User) -> None:
    """The choice of the best submission would reveal something about the hidden gold standards."""
    collection, algorithm = three[0].collection, three[0].algorithm
    set_rule(algorithm, "best", "qc4_f")
    Challenge.objects.create(collection=collection, hides=Challenge.Hides.ALL)
    assert entry(collection, owner).submission == three[2]
    with pytest.raises(InputError, match="would reveal something about them"):
        set_rule(algorithm, "best", "qc4_f")
    set_rule(algorithm, "pinned", pinned=three[0])
    assert entry(collection, owner).submission == three[0]


def test_latest_submission_counts_if_none_has_a_value(three: list[Submission], owner: User) -> None:
    set_rule(three[0].algorithm, "best", "silhouette")  # the collection has no vectors
    assert entry(three[0].collection, owner).submission == three[2]


def test_pinned_submission_counts_until_it_is_deleted(three: list[Submission], owner: User) -> None:
    collection, algorithm = three[0].collection, three[0].algorithm
    set_rule(algorithm, "pinned", pinned=three[0])
    assert entry(collection, owner).submission == three[0]
    delete_submission(three[0])
    algorithm.refresh_from_db()
    assert (algorithm.counts, algorithm.pinned) == ("latest", None)
    assert entry(collection, owner).submission == three[2]


def test_people_who_cannot_see_the_pinned_submission_get_the_latest_visible(
    three: list[Submission], reader: User, owner: User
) -> None:
    set_rule(three[0].algorithm, "pinned", pinned=three[1])
    publish(three[1], published=False)
    assert entry(three[0].collection, owner).submission == three[1]
    found = entry(three[0].collection, reader)
    assert (found.submission, found.rule.words) == (three[2], "latest")


def test_pinned_submission_without_scores_is_not_replaced(three: list[Submission], owner: User, submit: Submit) -> None:
    waiting, _ = submit(owner, answers=GOOD_ANSWER)
    set_rule(three[0].algorithm, "pinned", pinned=waiting)
    found = entry(three[0].collection, owner)
    assert (found.submission, found.runs) == (waiting, ())
    assert "queued" in found.waiting


def test_repeats_count_together_under_every_rule(
    three: list[Submission], submit: Submit, owner: User, finish: Callable[..., None]
) -> None:
    seeds = [submit(owner, answers=POOR)[0] for _ in range(3)]
    finish()
    for submission, mark in zip(seeds, ("a", "b", "a"), strict=True):
        with unguarded(Submission):
            Submission.objects.filter(pk=submission.pk).update(repeat=mark)
    collection, algorithm = three[0].collection, three[0].algorithm

    def counted() -> set[Submission | None]:
        return {run.submission for run in entry(collection, owner).runs}

    assert counted() == {seeds[1], seeds[2]}
    set_rule(algorithm, "best", "qc4_f")
    assert counted() == {three[1]}, "the good one before the seeds"
    seeds[0].refresh_from_db()
    set_rule(algorithm, "pinned", pinned=seeds[0])
    assert counted() == {seeds[0], seeds[1]}, "nothing replaces the pinned one"
    assert {seeds[0].pk, seeds[1].pk} <= set(latest_ids(collection))


def test_new_gold_version_scores_all_submissions_that_can_count(three: list[Submission]) -> None:
    collection, algorithm = three[0].collection, three[0].algorithm
    assert latest_ids(collection) == [three[2].pk]
    set_rule(algorithm, "pinned", pinned=three[1])
    assert set(latest_ids(collection)) == {three[1].pk, three[2].pk}
    set_rule(algorithm, "best", "qc4_f")
    assert set(latest_ids(collection)) == {one.pk for one in three}


@pytest.mark.parametrize(
    ("counts", "by", "code"),
    [
        ("first", "", "unknown-rule"),
        ("best", "", "unknown-measure"),
        ("best", "nonsense", "unknown-measure"),
        ("pinned", "", "unknown-submission"),
    ],
)
def test_invalid_rule_is_rejected(three: list[Submission], counts: str, by: str, code: str) -> None:
    with pytest.raises(InputError) as refused:
        set_rule(three[0].algorithm, counts, by)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_submission_of_another_algorithm_cannot_be_pinned(three: list[Submission], submit: Submit, owner: User) -> None:
    other, _ = submit(owner, "Other")
    with pytest.raises(InputError):
        set_rule(three[0].algorithm, "pinned", pinned=other)
    assert Algorithm.objects.get(pk=three[0].algorithm_id).counts == "latest"

"""Challenges: who can submit when and how often, and final results that never change."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from annotations.collections.removal import allow_removal
from annotations.gold.services import publish
from annotations.models import Challenge, ChallengeResults, Collection, GoldVersion, Membership, Role
from evaluation.algorithms.services import get_algorithm, merge, rename, set_rule
from evaluation.challenges import services as challenges
from evaluation.challenges.final_results import participation_sentence
from evaluation.deletion.services import delete_algorithm, delete_submission
from evaluation.gold.services import publish_and_reevaluate
from evaluation.models import Algorithm, CountedSubmission, Run, Submission
from evaluation.runs.services import cancel, enqueue_evaluation
from evaluation.scoring.columns import DEFAULT_MEASURES
from evaluation.submissions.services import publish as publish_submission
from qc4.io import write_submission
from qc4.model.gold_document import GoldDocument
from qc4.problems import InputError
from tests.samples.documents import GOOD_ANSWER, Answers, corrected_saturn, submission_document
from tests.samples.submissions import hand_in
from tests.trigger_bypass import unguarded

Submit = Callable[..., tuple[Submission, Run | None]]
Finish = Callable[..., None]
WORSE: Answers = {"mercury": (("p1", "p4"), ("p2", "p5", "p8")), "saturn": (("p1", "p3"), ("p2",))}
HOUR = timedelta(hours=1)


def challenge_in(collection: Collection, **facts: object) -> Challenge:
    """Make an open challenge that hides ``mercury`` and has no limits, except for these settings."""
    shown = list(collection.queries.filter(key="saturn"))
    return challenges.save(collection, user=None, shown=shown, **{"hides": Challenge.Hides.SOME, **facts})


def close(collection: Collection) -> None:
    """Close the challenge as of now, one millisecond earlier for clocks with that resolution."""
    Challenge.objects.filter(collection=collection).update(closes_at=timezone.now() - timedelta(milliseconds=1))


@pytest.fixture
def submit(collection: Collection) -> Submit:
    """Submit clusterings that are scored by only a few measures."""

    def call(
        user: User, algorithm: str = "Lingo", answers: Answers = GOOD_ANSWER, *, published: bool = True
    ) -> tuple[Submission, Run | None]:
        document = submission_document(answers, algorithm)
        return hand_in(collection, document, user, published=published, measures=DEFAULT_MEASURES)

    return call


@pytest.fixture
def rival(person: Callable[[str], User], collection: Collection) -> User:
    user = person("rival")
    Membership.objects.create(collection=collection, user=user, role=Role.SUBMITTER)
    return user


def test_limits_count_deleted_but_not_rejected_submissions(
    collection: Collection, submitter: User, rival: User, submit: Submit
) -> None:
    challenge_in(collection, per_day=2)
    with pytest.raises(InputError, match="no-such-page"):
        submit(submitter, answers={"mercury": (("no-such-page",),)})
    first, _ = submit(submitter)
    submit(submitter)
    delete_submission(first)
    with pytest.raises(InputError, match=r"2 submissions by you today.*at most 2 a day"):
        submit(submitter)
    submit(rival, "Other")
    # On the next day (UTC), two more are allowed.
    with unguarded(CountedSubmission):
        CountedSubmission.objects.update(day=timezone.now().date() - timedelta(days=1))
    submit(submitter)


def test_total_limit_applies_on_later_days(collection: Collection, submitter: User, submit: Submit) -> None:
    challenge_in(collection, in_all=1, per_day=5)
    submit(submitter)
    with unguarded(CountedSubmission):
        CountedSubmission.objects.update(day=timezone.now().date() - timedelta(days=9))
    with pytest.raises(InputError, match=r"at most 1 per person. None are left"):
        submit(submitter)


def test_two_simultaneous_submissions_cannot_both_be_the_last_one(
    collection: Collection, submitter: User, submit: Submit
) -> None:
    """The database enforces the limit, whatever two concurrent requests read."""
    challenge = challenge_in(collection, in_all=1)
    admitted = [challenges.admit(collection, submitter) for _ in range(2)]
    first, _ = submit(submitter)
    assert first.counted.challenge == challenge
    with pytest.raises(IntegrityError), transaction.atomic():
        challenges.count(admitted[0], Submission.objects.create(**_copied(first)))


def _copied(row: Submission) -> dict[str, object]:
    names = ("collection", "algorithm", "created_by", "published", "origin", "parameters", "sha256")
    return {name: getattr(row, name) for name in names}


def test_organisers_have_no_limits(collection: Collection, owner: User, submit: Submit) -> None:
    challenge_in(collection, in_all=1, opens_at=timezone.now() + HOUR)
    for _ in range(2):
        submit(owner)
    assert not CountedSubmission.objects.exists()


def test_early_and_late_submissions_are_rejected_with_the_time(
    collection: Collection, submitter: User, submit: Submit
) -> None:
    opens = timezone.now() + HOUR
    challenge_in(collection, opens_at=opens, closes_at=opens + HOUR)
    with pytest.raises(InputError, match=f"before the challenge opens on {opens:%Y-%m-%d %H:%M} UTC"):
        submit(submitter)
    Challenge.objects.update(opens_at=opens - 2 * HOUR, closes_at=opens - HOUR)
    with pytest.raises(InputError, match=f"after the challenge closed on {opens - HOUR:%Y-%m-%d %H:%M} UTC"):
        submit(submitter)
    assert not Submission.objects.exists()


def test_submission_that_spans_the_close_is_rejected_completely(
    collection: Collection, submitter: User, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would use up a submission, but not take part in the results."""
    closes = timezone.now() + HOUR
    challenge_in(collection, closes_at=closes)
    clock = iter((closes - timedelta(milliseconds=1), closes))
    monkeypatch.setattr(challenges, "database_time", lambda: next(clock))
    with pytest.raises(InputError, match="after the challenge closed on"):
        submit(submitter)
    assert not Submission.objects.exists()
    assert not CountedSubmission.objects.exists()
    assert not Run.objects.exists()


def test_challenge_cannot_close_before_it_opens(collection: Collection) -> None:
    now = timezone.now()
    with pytest.raises(InputError, match="closes_at"):
        challenge_in(collection, opens_at=now, closes_at=now - HOUR)


def settled(collection: Collection) -> ChallengeResults:
    found = challenges.freeze_results_if_due(collection)
    assert found is not None
    assert found.final is not None
    return found.final


def test_final_results_never_change(
    collection: Collection,
    owner: User,
    submitter: User,
    rival: User,
    submit: Submit,
    finish: Finish,
    gold_version: GoldVersion,
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    best, _ = submit(submitter, "Best")
    submit(rival, "Worse", WORSE)
    finish()
    close(collection)
    content = settled(collection).content
    assert [(row["rank"], row["algorithm"], row["by"], row["organiser"]) for row in content["rows"]] == [
        (1, "Best", "submitter", False),
        (2, "Worse", "rival", False),
    ]
    assert (content["part"], content["queries"], content["public_queries"], content["gold_version"]) == (
        "hidden",
        1,
        1,
        1,
    )
    # Later: submissions are deleted, withdrawn, renamed and made, and another gold standard is published.
    publish_submission(best, published=False)
    delete_submission(best)
    Algorithm.objects.filter(name="Worse").update(name="Renamed")
    submit(owner, "Late")
    publish(collection=collection, documents=[corrected_saturn()], user=owner)
    finish()
    assert settled(collection).content == content
    with pytest.raises(IntegrityError), transaction.atomic():
        ChallengeResults.objects.update(content={})
    with pytest.raises(InputError, match="unchanged final results"):
        challenge_in(collection, closes_at=timezone.now() + HOUR)
    facts = {"closes_at": Challenge.objects.get().closes_at}
    assert challenge_in(collection, reveals=True, **facts).reveals, "who sees gold standards may still change"


def ranked(collection: Collection) -> list[tuple[str, int]]:
    """Return algorithm and submission of each row of the final results."""
    return [(row["algorithm"], row["submission"]) for row in settled(collection).content["rows"]]


def test_private_submission_takes_part_in_the_final_results(
    collection: Collection, submitter: User, rival: User, submit: Submit, finish: Finish
) -> None:
    """Submissions are private by default: a private leader must not be missing from the results."""
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    earlier, _ = submit(submitter, "Best", WORSE)
    best, _ = submit(submitter, "Best", published=False)
    worse, _ = submit(rival, "Worse", WORSE)
    finish()
    assert participation_sentence(best, best.created_by).startswith(
        "This submission takes part in the challenge although it is private"
    )
    assert (
        participation_sentence(earlier, earlier.created_by)
        == "Another submission of this algorithm takes part in the challenge."
    )
    assert participation_sentence(worse, worse.created_by) == "This submission takes part in the challenge."
    for stranger in (rival, AnonymousUser()):
        assert participation_sentence(earlier, stranger) == "", "it would tell of a private submission"
    close(collection)
    assert ranked(collection) == [("Best", best.pk), ("Worse", worse.pk)]
    assert settled(collection).content["rows"][0]["by"] == "submitter"
    assert participation_sentence(best, best.created_by).startswith("This submission took part in the challenge")
    assert (
        participation_sentence(earlier, earlier.created_by)
        == "Another submission of this algorithm took part in the challenge."
    )
    assert participation_sentence(earlier, rival) == "Another submission of this algorithm took part in the challenge."


def test_private_submission_made_private_again_still_takes_part(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, _ = submit(submitter)
    publish_submission(submission, published=False)
    finish()
    close(collection)
    assert ranked(collection) == [("Lingo", submission.pk)]


def test_private_submissions_by_organisers_or_from_before_do_not_take_part(
    collection: Collection, owner: User, submitter: User, submit: Submit, finish: Finish
) -> None:
    """These people were not told that the results would name them."""
    before, _ = submit(submitter, "Before", published=False)
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    trial, _ = submit(owner, "Trial", published=False)
    public, _ = submit(owner, "Public")
    finish()
    assert participation_sentence(before, before.created_by).startswith(
        "This submission does not take part in the challenge: it is private"
    )
    assert participation_sentence(trial, trial.created_by).startswith(
        "This submission does not take part in the challenge: it is private"
    )
    close(collection)
    assert ranked(collection) == [("Public", public.pk)]
    assert participation_sentence(trial, trial.created_by) == "This submission did not take part in the challenge."


def test_earlier_submission_takes_part_after_a_deletion(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    first, _ = submit(submitter, published=False)
    second, _ = submit(submitter, published=False)
    finish()
    assert participation_sentence(first, first.created_by).startswith("Another submission")
    delete_submission(second)
    assert participation_sentence(first, first.created_by).startswith("This submission takes part")
    close(collection)
    assert ranked(collection) == [("Lingo", first.pk)]


def test_earlier_submission_takes_part_after_a_failed_run(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    first, _ = submit(submitter)
    finish()
    second, run = submit(submitter)
    assert participation_sentence(second, second.created_by).startswith("This submission takes part"), (
        "its run is still going"
    )
    cancel(run, submitter)
    assert participation_sentence(second, second.created_by).startswith("Another submission")
    close(collection)
    assert ranked(collection) == [("Lingo", first.pk)]


def test_pinned_private_submission_takes_part(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    pinned, _ = submit(submitter, published=False)
    later, _ = submit(submitter, answers=WORSE)
    set_rule(pinned.algorithm, "pinned", pinned=pinned)
    finish()
    assert participation_sentence(pinned, pinned.created_by).startswith("This submission takes part")
    assert participation_sentence(later, later.created_by).startswith("Another submission")
    close(collection)
    assert ranked(collection) == [("Lingo", pinned.pk)]


def test_final_results_wait_for_the_runs_of_private_submissions(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, run = submit(submitter, published=False)
    close(collection)
    with pytest.raises(InputError, match="final results wait for 1 run"):
        delete_submission(submission)
    finish(run)
    assert ranked(collection) == [("Lingo", submission.pk)]


def test_deleting_the_latest_submission_scores_the_earlier_one(
    collection: Collection,
    submitter: User,
    owner: User,
    submit: Submit,
    finish: Finish,
) -> None:
    """A new gold version is scored only for submissions that count, so one that counts later lacks scores."""
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    first, _ = submit(submitter)
    second, _ = submit(submitter)
    publish_and_reevaluate(collection=collection, documents=[corrected_saturn()], user=owner)
    finish()
    delete_submission(second)
    finish()
    close(collection)
    (row,) = settled(collection).content["rows"]
    assert row["submission"] == first.pk
    assert row["means"]["qc4_f"]["value"] is not None


def test_effective_submission_cannot_change_before_the_results(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    """The challenge is closed, a run waits and nobody views the page: a deletion must not change the results."""
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, run = submit(submitter)
    close(collection)
    assert challenges.freeze_results_if_due(collection).final is None
    changes = (
        delete_submission,
        lambda one: publish_submission(one, published=False),
        lambda one: rename(one.algorithm, "Renamed"),
        lambda one: set_rule(one.algorithm, "pinned", pinned=one),
        lambda one: merge(one.algorithm, get_algorithm(collection, "Other")),
        lambda one: delete_algorithm(one.algorithm),
    )
    for change in changes:
        with pytest.raises(InputError, match="final results wait for 1 run"):
            change(submission)
    finish(run)
    number = submission.pk
    delete_submission(submission)
    assert [row["submission"] for row in settled(collection).content["rows"]] == [number]


def test_scoring_again_does_not_delay_results(
    collection: Collection, submitter: User, submit: Submit, finish: Finish, gold_version: GoldVersion
) -> None:
    """Otherwise the leader could keep a run waiting for ever."""
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, run = submit(submitter)
    finish(run)
    close(collection)
    enqueue_evaluation(submission=submission, gold_version=gold_version, user=submitter)
    assert [row["algorithm"] for row in settled(collection).content["rows"]] == ["Lingo"]


def test_deletion_after_the_close_freezes_results_first(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, run = submit(submitter)
    finish(run)
    close(collection)
    delete_submission(submission)
    assert [row["algorithm"] for row in settled(collection).content["rows"]] == ["Lingo"]


def test_results_wait_for_the_first_gold_version(
    page_list_collection: Collection, owner: User, gold_documents: tuple[GoldDocument, ...], finish: Finish
) -> None:
    challenges.save(page_list_collection, user=owner, hides=Challenge.Hides.ALL, closes_at=timezone.now())
    assert challenges.freeze_results_if_due(page_list_collection).final is None
    publish(collection=page_list_collection, documents=gold_documents, user=owner)
    assert settled(page_list_collection).content["rows"] == []


def test_results_use_all_queries_if_none_is_hidden(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, hides=Challenge.Hides.NOTHING, closes_at=timezone.now() + HOUR)
    submit(submitter)
    finish()
    close(collection)
    content = settled(collection).content
    assert (content["part"], content["queries"], content["rows"][0]["public"]["value"]) == ("all", 2, None)


def test_challenge_can_be_removed_only_before_submissions(
    collection: Collection, submitter: User, submit: Submit
) -> None:
    challenge_in(collection)
    challenges.remove(collection)
    assert not Challenge.objects.exists()
    challenge_in(collection)
    submission, _ = submit(submitter)
    delete_submission(submission)
    with pytest.raises(InputError, match="1 submission; expected none by participants"):
        challenges.remove(collection)


def test_deleting_a_collection_deletes_its_challenge(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submit(submitter)
    finish()
    close(collection)
    settled(collection)
    with allow_removal("a test"):
        collection.delete()
    assert not Challenge.objects.exists()


def test_results_wait_for_the_ranking_measure(collection: Collection, submitter: User, finish: Finish) -> None:
    """An earlier run with other measures is not enough."""
    challenge_in(collection)
    submission, run = hand_in(collection, submission_document(GOOD_ANSWER, "Lingo"), submitter, measures=["aq"])
    finish(run)
    version = collection.gold_versions.latest("number")
    enqueue_evaluation(submission=submission, gold_version=version, user=submitter)
    close(collection)
    assert challenges.freeze_results_if_due(collection).final is None
    finish()
    (row,) = challenges.freeze_results_if_due(collection).final.content["rows"]
    assert row["rank"] is None, "alone"
    assert row["means"]["qc4_f"]["value"] is not None


def test_rename_of_a_stale_row_starts_from_the_current_name(submitter: User, submit: Submit) -> None:
    submit(submitter, "A")
    first, second, third = (Algorithm.objects.get(name="A") for _ in range(3))
    rename(first, "B")
    rename(second, "B")
    rename(third, "C")
    assert Algorithm.objects.get().name == third.name == "C"
    assert set(first.former_names.values_list("name", flat=True)) == {"A", "B"}
    delete_algorithm(first)
    with pytest.raises(InputError, match="deleted or merged in the meantime"):
        rename(second, "D")


def test_check_reports_a_rejection_beforehand(collection: Collection, submitter: User, submit: Submit) -> None:
    client = Client()
    client.force_login(submitter, "django.contrib.auth.backends.ModelBackend")
    content = write_submission(submission_document(GOOD_ANSWER, "Lingo"))

    def checked() -> list[str]:
        address = f"/api/v1/collections/{collection.slug}/submissions/check"
        answer = client.post(address, content, content_type="application/json").json()
        assert answer["accepted"] == (not answer["problems"])
        return [problem["code"] for problem in answer["problems"]]

    def form() -> str:
        return client.get(f"/c/{collection.slug}/submit/").content.decode()

    challenge_in(collection, per_day=1)
    assert (checked(), "Check the file" in form()) == ([], True)
    submit(submitter)
    assert checked() == ["challenge-limit"]
    assert "Check the file" not in form()
    assert "You can submit again from" in form()
    close(collection)
    assert checked() == ["challenge-closed"]
    assert "The challenge closed on" in form()
    assert CountedSubmission.objects.count() == 1

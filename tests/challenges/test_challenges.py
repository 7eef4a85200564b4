"""Challenges: who may submit when and how often, and final results that stay."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import IntegrityError, transaction
from django.test import Client
from django.utils import timezone

from accounts.models import User
from annotations.collections.removal import removing
from annotations.gold.services import publish
from annotations.models import Challenge, ChallengeResults, Collection, GoldVersion, Membership, Role
from evaluation.algorithms.services import get_algorithm, merge, rename, set_rule
from evaluation.challenges import services as challenges
from evaluation.challenges.final_results import part_in_results
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
    """One that is open, hides ``mercury`` and limits nothing, but for these facts."""
    shown = list(collection.queries.filter(key="saturn"))
    return challenges.save(collection, user=None, shown=shown, **{"hides": Challenge.Hides.SOME, **facts})


def close(collection: Collection) -> None:
    """Its time is over as of now, also by a clock of milliseconds."""
    Challenge.objects.filter(collection=collection).update(closes_at=timezone.now() - timedelta(milliseconds=1))


@pytest.fixture
def submit(collection: Collection) -> Submit:
    """As everywhere, scored by few measures."""

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


def test_limits_count_what_was_deleted_and_not_what_was_refused(
    collection: Collection, submitter: User, rival: User, submit: Submit
) -> None:
    challenge_in(collection, per_day=2)
    with pytest.raises(InputError, match="no-such-page"):
        submit(submitter, answers={"mercury": (("no-such-page",),)})
    first, _ = submit(submitter)
    submit(submitter)
    delete_submission(first)
    with pytest.raises(InputError, match=r"2 submissions of yours today.*at most 2 a day"):
        submit(submitter)
    submit(rival, "Other")
    # A day of UTC later there are two more.
    with unguarded(CountedSubmission):
        CountedSubmission.objects.update(day=timezone.now().date() - timedelta(days=1))
    submit(submitter)


def test_a_limit_in_all_has_no_end(collection: Collection, submitter: User, submit: Submit) -> None:
    challenge_in(collection, in_all=1, per_day=5)
    submit(submitter)
    with unguarded(CountedSubmission):
        CountedSubmission.objects.update(day=timezone.now().date() - timedelta(days=9))
    with pytest.raises(InputError, match=r"at most 1 by one person. None are left"):
        submit(submitter)


def test_two_at_once_cannot_both_be_the_last(collection: Collection, submitter: User, submit: Submit) -> None:
    """The database holds it, whatever two requests believed."""
    challenge = challenge_in(collection, in_all=1)
    admitted = [challenges.admit(collection, submitter) for _ in range(2)]
    first, _ = submit(submitter)
    assert first.counted.challenge == challenge
    with pytest.raises(IntegrityError), transaction.atomic():
        challenges.count(admitted[0], Submission.objects.create(**_copied(first)))


def _copied(row: Submission) -> dict[str, object]:
    names = ("collection", "algorithm", "created_by", "published", "origin", "parameters", "sha256")
    return {name: getattr(row, name) for name in names}


def test_organisers_are_not_limited(collection: Collection, owner: User, submit: Submit) -> None:
    challenge_in(collection, in_all=1, opens_at=timezone.now() + HOUR)
    for _ in range(2):
        submit(owner)
    assert not CountedSubmission.objects.exists()


def test_too_early_and_too_late_say_when(collection: Collection, submitter: User, submit: Submit) -> None:
    opens = timezone.now() + HOUR
    challenge_in(collection, opens_at=opens, closes_at=opens + HOUR)
    with pytest.raises(InputError, match=f"before the challenge opens on {opens:%Y-%m-%d %H:%M} UTC"):
        submit(submitter)
    Challenge.objects.update(opens_at=opens - 2 * HOUR, closes_at=opens - HOUR)
    with pytest.raises(InputError, match=f"after the challenge closed on {opens - HOUR:%Y-%m-%d %H:%M} UTC"):
        submit(submitter)
    assert not Submission.objects.exists()


def test_what_is_made_across_the_close_is_refused_as_a_whole(
    collection: Collection, submitter: User, submit: Submit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would use up a submission and have no part in the results."""
    closes = timezone.now() + HOUR
    challenge_in(collection, closes_at=closes)
    clock = iter((closes - timedelta(milliseconds=1), closes))
    monkeypatch.setattr(challenges, "database_time", lambda: next(clock))
    with pytest.raises(InputError, match="after the challenge closed on"):
        submit(submitter)
    assert not Submission.objects.exists()
    assert not CountedSubmission.objects.exists()
    assert not Run.objects.exists()


def test_it_cannot_close_before_it_opens(collection: Collection) -> None:
    now = timezone.now()
    with pytest.raises(InputError, match="closes_at"):
        challenge_in(collection, opens_at=now, closes_at=now - HOUR)


def settled(collection: Collection) -> ChallengeResults:
    found = challenges.settle(collection)
    assert found is not None
    assert found.final is not None
    return found.final


def test_final_results_stay_whatever_happens(
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
    # Later: deleted, taken back, renamed, submitted, and another gold standard.
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
    """Algorithm and submission of each row of the final results."""
    return [(row["algorithm"], row["submission"]) for row in settled(collection).content["rows"]]


def test_private_submission_takes_part_in_the_final_results(
    collection: Collection, submitter: User, rival: User, submit: Submit, finish: Finish
) -> None:
    """ "Publish" is off by default: a private leader of the board must not vanish from the results."""
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    earlier, _ = submit(submitter, "Best", WORSE)
    best, _ = submit(submitter, "Best", published=False)
    worse, _ = submit(rival, "Worse", WORSE)
    finish()
    assert part_in_results(best, best.created_by).startswith(
        "This submission takes part in the challenge although it is private"
    )
    assert (
        part_in_results(earlier, earlier.created_by)
        == "Another submission of this algorithm takes part in the challenge."
    )
    assert part_in_results(worse, worse.created_by) == "This submission takes part in the challenge."
    for stranger in (rival, AnonymousUser()):
        assert part_in_results(earlier, stranger) == "", "it would tell of a private submission"
    close(collection)
    assert ranked(collection) == [("Best", best.pk), ("Worse", worse.pk)]
    assert settled(collection).content["rows"][0]["by"] == "submitter"
    assert part_in_results(best, best.created_by).startswith("This submission took part in the challenge")
    assert (
        part_in_results(earlier, earlier.created_by)
        == "Another submission of this algorithm took part in the challenge."
    )
    assert part_in_results(earlier, rival) == "Another submission of this algorithm took part in the challenge."


def test_private_submission_made_private_again_still_takes_part(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, _ = submit(submitter)
    publish_submission(submission, published=False)
    finish()
    close(collection)
    assert ranked(collection) == [("Lingo", submission.pk)]


def test_private_submissions_of_organisers_and_from_before_the_challenge_take_no_part(
    collection: Collection, owner: User, submitter: User, submit: Submit, finish: Finish
) -> None:
    """Nobody told these people that the results would name them."""
    before, _ = submit(submitter, "Before", published=False)
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    trial, _ = submit(owner, "Trial", published=False)
    public, _ = submit(owner, "Public")
    finish()
    assert part_in_results(before, before.created_by).startswith(
        "This submission does not take part in the challenge: it is private"
    )
    assert part_in_results(trial, trial.created_by).startswith(
        "This submission does not take part in the challenge: it is private"
    )
    close(collection)
    assert ranked(collection) == [("Public", public.pk)]
    assert part_in_results(trial, trial.created_by) == "This submission did not take part in the challenge."


def test_deleted_submission_leaves_the_challenge_and_an_earlier_one_takes_part(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    first, _ = submit(submitter, published=False)
    second, _ = submit(submitter, published=False)
    finish()
    assert part_in_results(first, first.created_by).startswith("Another submission")
    delete_submission(second)
    assert part_in_results(first, first.created_by).startswith("This submission takes part")
    close(collection)
    assert ranked(collection) == [("Lingo", first.pk)]


def test_submission_whose_run_failed_leaves_the_earlier_one_in_the_challenge(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    first, _ = submit(submitter)
    finish()
    second, run = submit(submitter)
    assert part_in_results(second, second.created_by).startswith("This submission takes part"), "its run is still going"
    cancel(run, submitter)
    assert part_in_results(second, second.created_by).startswith("Another submission")
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
    assert part_in_results(pinned, pinned.created_by).startswith("This submission takes part")
    assert part_in_results(later, later.created_by).startswith("Another submission")
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


def test_deletion_of_the_latest_has_the_earlier_submission_scored(
    collection: Collection,
    submitter: User,
    owner: User,
    submit: Submit,
    finish: Finish,
) -> None:
    """A new gold version is scored for what counts; what counts again after a deletion needs its scores, too."""
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


def test_what_counts_cannot_change_before_results_are_there(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    """It has closed, a run waits and nobody looks: deleting must not change what comes out."""
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, run = submit(submitter)
    close(collection)
    assert challenges.settle(collection).final is None
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


def test_scoring_again_does_not_hold_results_up(
    collection: Collection, submitter: User, submit: Submit, finish: Finish, gold_version: GoldVersion
) -> None:
    """Whoever leads could otherwise keep a run of theirs waiting for ever."""
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, run = submit(submitter)
    finish(run)
    close(collection)
    enqueue_evaluation(submission=submission, gold_version=gold_version, user=submitter)
    assert [row["algorithm"] for row in settled(collection).content["rows"]] == ["Lingo"]


def test_a_deletion_after_the_close_freezes_first(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submission, run = submit(submitter)
    finish(run)
    close(collection)
    delete_submission(submission)
    assert [row["algorithm"] for row in settled(collection).content["rows"]] == ["Lingo"]


def test_without_gold_results_wait_for_the_first_version(
    page_list_collection: Collection, owner: User, gold_documents: tuple[GoldDocument, ...], finish: Finish
) -> None:
    challenges.save(page_list_collection, user=owner, hides=Challenge.Hides.ALL, closes_at=timezone.now())
    assert challenges.settle(page_list_collection).final is None
    publish(collection=page_list_collection, documents=gold_documents, user=owner)
    assert settled(page_list_collection).content["rows"] == []


def test_results_without_a_hidden_part_are_over_all_queries(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, hides=Challenge.Hides.NOTHING, closes_at=timezone.now() + HOUR)
    submit(submitter)
    finish()
    close(collection)
    content = settled(collection).content
    assert (content["part"], content["queries"], content["rows"][0]["public"]["value"]) == ("all", 2, None)


def test_a_challenge_goes_only_while_nobody_has_submitted(
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


def test_a_collection_goes_with_its_challenge(
    collection: Collection, submitter: User, submit: Submit, finish: Finish
) -> None:
    challenge_in(collection, closes_at=timezone.now() + HOUR)
    submit(submitter)
    finish()
    close(collection)
    settled(collection)
    with removing("a test"):
        collection.delete()
    assert not Challenge.objects.exists()


def test_results_wait_for_the_measure_that_ranks(collection: Collection, submitter: User, finish: Finish) -> None:
    """An earlier run by other measures does not do."""
    challenge_in(collection)
    submission, run = hand_in(collection, submission_document(GOOD_ANSWER, "Lingo"), submitter, measures=["aq"])
    finish(run)
    version = collection.gold_versions.latest("number")
    enqueue_evaluation(submission=submission, gold_version=version, user=submitter)
    close(collection)
    assert challenges.settle(collection).final is None
    finish()
    (row,) = challenges.settle(collection).final.content["rows"]
    assert row["rank"] is None, "alone"
    assert row["means"]["qc4_f"]["value"] is not None


def test_a_stale_row_is_renamed_from_what_it_is_called_now(submitter: User, submit: Submit) -> None:
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


def test_a_check_says_beforehand_that_none_is_let_in(collection: Collection, submitter: User, submit: Submit) -> None:
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

"""A new gold version is scored for all effective submissions, and only changes are computed."""

from __future__ import annotations

from collections.abc import Callable

from accounts.models import User
from annotations.models import Collection
from evaluation.gold.services import publish_and_reevaluate
from evaluation.models import Evaluation, Run, Submission
from tests.samples.documents import GOOD_ANSWER, corrected_saturn, mercury, saturn, submission_document
from tests.samples.submissions import hand_in

Submit = Callable[..., tuple[Submission, Run]]
Finish = Callable[..., None]


def test_only_changed_queries_are_scored_again(
    scored: Submission, collection: Collection, owner: User, finish: Finish
) -> None:
    version, queued = publish_and_reevaluate(collection=collection, documents=[corrected_saturn()], user=owner)
    finish()
    assert [run.submission for run in queued] == [scored]
    assert Evaluation.objects.count() == 3, "mercury once, saturn against two golds"
    assert version.runs.get().state == Run.State.DONE


def test_latest_public_and_private_submissions_are_both_scored(
    collection: Collection, owner: User, submit: Submit
) -> None:
    submit(owner)
    latest, _ = submit(owner, answers={"saturn": (("p1",),)})
    private, _ = submit(owner, answers={"saturn": (("p2",),)}, published=False)
    other, _ = submit(owner, "STC")
    _, queued = publish_and_reevaluate(collection=collection, documents=[corrected_saturn()], user=owner)
    assert [run.submission for run in queued] == [latest, private, other]


def test_publishing_unchanged_gold_queues_nothing(scored: Submission, collection: Collection, owner: User) -> None:
    version, queued = publish_and_reevaluate(collection=collection, documents=[saturn()], user=owner)
    assert (version.number, queued) == (1, [])


def test_earlier_submissions_are_scored_when_gold_is_published(
    page_list_collection: Collection, owner: User, finish: Finish
) -> None:
    submission, _ = hand_in(page_list_collection, submission_document(GOOD_ANSWER, "Lingo"), owner)
    publish_and_reevaluate(collection=page_list_collection, documents=[mercury(), saturn()], user=owner)
    finish()
    assert submission.runs.get().queries.count() == 2

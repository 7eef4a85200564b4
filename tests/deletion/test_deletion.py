"""Deletion leaves nothing behind, and does not affect other data."""

from __future__ import annotations

import io
from collections.abc import Callable

from accounts.models import User
from annotations.models import Collection, Gold, Page
from evaluation.deletion.services import delete_collection, delete_submission
from evaluation.models import Algorithm, Clustering, Evaluation, Run, RunQuery, Score, Submission, Upload
from evaluation.uploads import services as uploads

Submit = Callable[..., tuple[Submission, Run]]


def test_deleting_a_collection_deletes_everything_in_it(
    scored: Submission, collection: Collection, public_collection: Collection
) -> None:
    delete_collection(collection)
    assert list(Collection.objects.all()) == [public_collection]
    assert Page.objects.count() == 12
    assert Gold.objects.count() == 2
    for model in (Submission, Clustering, Algorithm, Run, RunQuery, Evaluation, Score):
        assert not model.objects.exists(), model


def test_deleting_a_submission_deletes_its_scores_and_algorithm(scored: Submission) -> None:
    delete_submission(scored)
    for model in (Submission, Algorithm, Run, Evaluation, Score):
        assert not model.objects.exists(), model


def test_shared_scores_are_not_deleted(
    scored: Submission, owner: User, submit: Submit, finish: Callable[..., None]
) -> None:
    other, run = submit(owner, "Copycat")
    finish(run)
    before = Score.objects.count()
    delete_submission(scored)
    assert Score.objects.count() == before
    assert list(Algorithm.objects.values_list("name", flat=True)) == ["Copycat"]
    delete_submission(other)
    assert not Score.objects.exists()


def test_algorithm_with_other_submissions_is_not_deleted(scored: Submission, owner: User, submit: Submit) -> None:
    submit(owner, answers={"saturn": (("p1",),)})
    delete_submission(scored)
    assert Algorithm.objects.get().name == "Lingo"


def test_deleting_a_submission_deletes_its_uploaded_file(
    scored: Submission, owner: User, django_capture_on_commit_callbacks: object
) -> None:
    upload = uploads.store(io.BytesIO(b"as submitted"), "a.jsonl", owner)
    path = uploads.path_of(upload)
    Submission.objects.filter(pk=scored.pk).update(upload=upload)
    with django_capture_on_commit_callbacks(execute=True):
        delete_submission(scored)
    assert not Upload.objects.exists()
    assert not path.exists()

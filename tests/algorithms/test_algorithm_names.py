"""Names of different people's algorithms in a collection look different, without revealing invisible algorithms."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from accounts.models import User
from annotations.collections.services import create_collection
from annotations.models import Collection
from evaluation.algorithms.services import name_problems, rename
from evaluation.models import Algorithm, Run, Submission
from qc4.io import write_submission
from qc4.problems import InputError
from tests.samples.documents import GOOD_ANSWER, submission_document

Submit = Callable[..., tuple[Submission, Run | None]]
TWIN = "L\u0456ngo"
"""A name with a Cyrillic letter for its i."""


def test_similar_name_is_reported_to_people_who_see_its_algorithm(submit: Submit, owner: User, submitter: User) -> None:
    submit(owner, "Lingo")
    with pytest.raises(InputError, match="which looks like 'Lingo'"):
        submit(submitter, TWIN)
    assert Algorithm.objects.count() == 1


def test_similar_name_is_not_revealed_to_others(submit: Submit, owner: User, submitter: User) -> None:
    hidden, _ = submit(owner, "Lingo", published=False)
    said = set()
    for name in ("Lingo", TWIN):
        (problem,) = name_problems(hidden.collection, name, submitter)
        said.add((problem.found.replace(name, "it"), problem.expected, problem.fix))
    assert said == {("'it', a name that is not free in this collection", "its own name", "Choose another name.")}


def test_your_own_names_can_look_alike(submit: Submit, submitter: User) -> None:
    submit(submitter, "k-1")
    submit(submitter, "k-l")
    assert Algorithm.objects.count() == 2


def test_renaming_to_a_similar_name_is_rejected(submit: Submit, owner: User, submitter: User) -> None:
    submit(owner, "Lingo")
    mine, _ = submit(submitter, "Other")
    with pytest.raises(InputError, match="another algorithm's name"):
        rename(mine.algorithm, TWIN)
    rename(mine.algorithm, "Third")
    with pytest.raises(InputError, match="looks like 'Third'"):
        submit(owner, "Th\u0456rd")


@pytest.mark.parametrize("name", ["a\u202eb", "two\nlines", "a\u200bb"])
def test_names_cannot_contain_invisible_characters(name: str, submit: Submit, submitter: User, owner: User) -> None:
    with pytest.raises(InputError, match="invisible character"):
        submit(submitter, name)
    with pytest.raises(InputError, match="invisible character"):
        create_collection(name=name, user=owner)


@pytest.mark.parametrize("name", ["Lingo", "LINGO", TWIN, "Lingo."])
def test_check_reveals_nothing_about_invisible_algorithms(
    submit: Submit, owner: User, submitter: User, collection: Collection, name: str
) -> None:
    """The check gives the same answer whether or not a private algorithm has this name."""
    client = Client()
    client.force_login(submitter, "django.contrib.auth.backends.ModelBackend")
    content = write_submission(submission_document(GOOD_ANSWER, name))

    def checked() -> tuple[object, bool]:
        address = f"/api/v1/collections/{collection.slug}/submissions/check"
        answer = client.post(address, content, content_type="application/json").json()
        form = {"file": SimpleUploadedFile("a.json", content), "algorithm": name}
        return answer, "The file is valid" in client.post(f"/c/{collection.slug}/submit/", form).content.decode()

    without = checked()
    submit(owner, "Lingo", published=False)
    assert checked() == without
    with pytest.raises(InputError, match="not free in this collection"):
        submit(submitter, name)
    Submission.objects.update(published=True)
    answer, is_sound = checked()
    assert (answer["accepted"], is_sound) == (False, False)

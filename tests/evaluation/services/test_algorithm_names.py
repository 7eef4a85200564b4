"""A leaderboard row is one person's: nobody takes it over by submitting under the same name."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from accounts.models import User
from annotations.models import Collection, Membership, Role
from evaluation.services.checking import check
from qc4.formats import write_submission
from qc4.problems import InputError
from tests.handing_in import hand_in
from tests.samples import GOOD_ANSWER, submission_document


@pytest.fixture
def other(person: Callable[[str], User], collection: Collection) -> User:
    user = person("other")
    Membership.objects.create(collection=collection, user=user, role=Role.SUBMITTER)
    return user


def submit(collection: Collection, user: User | None, name: str) -> None:
    document = submission_document(GOOD_ANSWER, name)
    hand_in(collection, document, user)


def test_a_name_belongs_to_who_submitted_first(collection: Collection, submitter: User, other: User) -> None:
    submit(collection, submitter, "Lingo")
    submit(collection, submitter, "Lingo")
    with pytest.raises(InputError, match="somebody else submits"):
        submit(collection, other, "LINGO")
    assert collection.submissions.count() == 2


def test_the_checker_says_so_before_anything_is_sent(collection: Collection, submitter: User, other: User) -> None:
    submit(collection, submitter, "Lingo")
    source = write_submission(submission_document(GOOD_ANSWER, "lingo"))
    assert check(collection, source, user=submitter).document is not None
    report = check(collection, source, user=other)
    assert report.document is None
    assert [problem.code for problem in report.errors] == ["algorithm-taken"]


def test_owners_of_the_collection_and_commands_may(collection: Collection, submitter: User, owner: User) -> None:
    submit(collection, submitter, "Lingo")
    submit(collection, owner, "Lingo")
    submit(collection, None, "Lingo")
    assert collection.submissions.count() == 3


def test_the_checker_refuses_the_name_of_a_baseline(collection: Collection, submitter: User) -> None:
    collection.algorithms.create(name="Singletons", baseline="singletons")
    report = check(collection, write_submission(submission_document(GOOD_ANSWER, "singletons")), user=submitter)
    assert [problem.code for problem in report.errors] == ["algorithm-taken"]

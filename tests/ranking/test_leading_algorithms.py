"""The stored leaders of a leaderboard match the leaderboard, for everyone and after every change."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.person import Person
from annotations.gold.selectors import latest_versions
from annotations.models import Challenge, Collection, Membership, Role
from evaluation.deletion.services import delete_submission
from evaluation.models import Algorithm
from evaluation.ranking.leaderboard import leaderboard
from evaluation.ranking.leading import Leader, leaders_of
from evaluation.scoring.options import BoardOptions
from tests.samples.boards import add_run, board_of
from work.models import StoredAnswer

pytestmark = pytest.mark.django_db

TABLE: dict[str, list[float | str | None]] = {
    "A": [0.9, 0.8, 0.7, 0.9],
    "B": [0.8, 0.9, 0.6, 0.8],
    "C": [0.2, 0.1, 0.3, 1.0],
    "Gold=gold": [1.0, 1.0, 1.0, 1.0],
}


def leaders(collection: Collection, person: Person) -> tuple[Leader, ...]:
    versions = latest_versions([collection])
    return leaders_of([collection], versions, person).get(collection.pk, ())


def of_board(collection: Collection, person: Person) -> tuple[Leader, ...]:
    """Return the leaders of the leaderboard itself, without stored results."""
    rows = leaderboard(collection, person, BoardOptions(measures=("qc4_f",))).compared
    first = [(row.algorithm, row.mean) for row in rows[:2] if row.mean is not None]
    return tuple(
        Leader(algorithm.pk, algorithm.name, mean.value or 0.0, mean.counted, mean.total) for algorithm, mean in first
    )


def named(collection: Collection, name: str) -> Algorithm:
    return Algorithm.objects.get(collection=collection, name=name)


def another(collection: Collection) -> None:
    add_run(collection, "D", [0.95, 0.95, 0.95, 0.95])


def again(collection: Collection) -> None:
    add_run(collection, "A", [0.1, 0.1, 0.1, 0.1])


def again_with_a_mark(collection: Collection) -> None:
    add_run(collection, "A#seed 1", [0.1, 0.2, 0.3, 0.4])


def best(collection: Collection) -> None:
    """Let the algorithm's best submission count, which is not the latest."""
    add_run(collection, "A", [0.95, 0.95, 0.95, 0.95])
    again(collection)
    Algorithm.objects.filter(pk=named(collection, "A").pk).update(counts="best", counts_by="qc4_f")


def pinned(collection: Collection) -> None:
    run = add_run(collection, "A", [0.5, 0.5, 0.5, 0.5])
    again(collection)
    Algorithm.objects.filter(pk=named(collection, "A").pk).update(counts="pinned", pinned=run.submission)


def renamed(collection: Collection) -> None:
    Algorithm.objects.filter(pk=named(collection, "A").pk).update(name="Z")


def private(collection: Collection) -> None:
    named(collection, "A").submissions.update(published=False)


def deleted(collection: Collection) -> None:
    delete_submission(named(collection, "A").submissions.get())


def hiding(collection: Collection) -> None:
    """Hide gold standards from everyone except organisers."""
    challenge = Challenge.objects.create(collection=collection, hides=Challenge.Hides.SOME, measure="qc4_f")
    challenge.shown.set(collection.queries.filter(key="q4"))


def without_a_board(collection: Collection) -> None:
    Challenge.objects.create(collection=collection, hides=Challenge.Hides.NOTHING, board_hidden=True)


def new_version(collection: Collection) -> None:
    """Publish the same gold standards again, with only one of three algorithms scored so far."""
    earlier = collection.gold_versions.get()
    version = collection.gold_versions.create(number=2, sha256="cd" * 32)
    for entry in earlier.entries.all():
        version.entries.create(query=entry.query, gold=entry.gold)
    add_run(collection, "C", [0.2, 0.1, 0.3, 1.0])


CHANGES: list[Callable[[Collection], None]] = [
    another, again, again_with_a_mark, best, pinned, renamed, private, deleted, hiding, without_a_board, new_version,
]  # fmt: skip


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_stored_leaders_match_the_leaderboard_after_every_change(change: Callable[[Collection], None]) -> None:
    collection = board_of(TABLE)
    owner = User.objects.create(username="owner", look="owner")
    Membership.objects.create(collection=collection, user=owner, role=Role.OWNER)
    people: list[Person] = [AnonymousUser(), owner]
    before = [leaders(collection, person) for person in people]
    assert [one.name for one in before[0]] == ["A", "B"]
    change(collection)
    for person in people:
        expected = of_board(collection, person)
        assert leaders(collection, person) == expected, "computed"
        assert leaders(collection, person) == expected, "stored"
    assert [leaders(collection, person) for person in people] != before, "the change has an effect"


def test_stored_leaders_are_returned_without_reading_scores() -> None:
    collection = board_of(TABLE)
    first = leaders(collection, AnonymousUser())
    with CaptureQueriesContext(connection) as asked:
        assert leaders(collection, AnonymousUser()) == first
    assert not any("evaluation_runcolumn" in query["sql"] for query in asked)
    StoredAnswer.objects.all().delete()
    with CaptureQueriesContext(connection) as asked:
        assert leaders(collection, AnonymousUser()) == first
    assert any("evaluation_runcolumn" in query["sql"] for query in asked)


def test_there_is_no_leader_if_nothing_is_compared() -> None:
    collection = board_of({"Gold=gold": [1.0, 1.0]})
    assert (leaders(collection, AnonymousUser()), leaders(collection, AnonymousUser())) == ((), ())

"""Two people at once: numbers have no gaps, and names are used once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from threading import Barrier
from typing import Any

import pytest

from accounts.models import User
from annotations.collections.services import create_collection
from annotations.gold.services import publish
from annotations.models import Collection
from evaluation.algorithms import services as algorithms
from evaluation.algorithms.services import get_algorithm
from evaluation.models import Algorithm
from qc4.model.gold_document import Topic
from qc4.problems import InputError
from tests.concurrency import at_once
from tests.samples.documents import saturn
from tests.waiting import PATIENCE

pytestmark = pytest.mark.django_db(transaction=True)


def test_versions_are_numbered_without_gaps(collection: Collection, owner: User) -> None:
    def split_at(place: int) -> Callable[[], Any]:
        ids = tuple(page.id for page in saturn().pages)
        topics = (Topic("a", "A", pages=ids[:place]), Topic("b", "B", pages=ids[place:]))
        document = replace(saturn(), topics=topics)
        return lambda: publish(collection=collection, documents=[document], user=owner)

    versions = at_once(split_at(1), split_at(3))
    assert sorted(version.number for version in versions) == [2, 3]


def test_algorithm_is_created_once(collection: Collection) -> None:
    first, second = at_once(lambda: get_algorithm(collection, "Lingo"), lambda: get_algorithm(collection, "LINGO"))
    assert first == second == Algorithm.objects.get()


def test_one_of_two_simultaneous_renames_is_rejected(collection: Collection, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = get_algorithm(collection, "A"), get_algorithm(collection, "B")
    real, both_looked = algorithms.find_algorithm, Barrier(2)

    def find(where: Collection, name: str) -> Algorithm | None:
        found = real(where, name)
        both_looked.wait(PATIENCE)
        return found

    monkeypatch.setattr(algorithms, "find_algorithm", find)
    answers = at_once(*(partial(refusal_of, partial(algorithms.rename, one, "Lingo")) for one in (first, second)))
    assert sorted(answers) == ["", "algorithm-taken"]
    assert {one.name for one in (first, second)} == set(Algorithm.objects.values_list("name", flat=True))


def refusal_of(call: Callable[[], None]) -> str:
    """Return why a call was rejected; empty if it was not."""
    try:
        call()
    except InputError as error:
        return error.problems[0].code
    return ""


def test_slug_is_assigned_once(owner: User, outsider: User) -> None:
    """A later request that already sees the other collection is told to choose another name."""

    def create(user: User) -> str:
        try:
            return create_collection(name="Birds", user=user, public=True).slug
        except InputError as error:
            return error.problems[0].code

    made = at_once(partial(create, owner), partial(create, outsider))
    assert sorted(made) in (["birds", "birds-2"], ["birds", "name-taken"])

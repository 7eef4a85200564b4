"""Queries that are put together once for each person."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from accounts.person import Person, prepared

built: list[tuple[int | None, str, str, int]] = []


@prepared
def people(person: Person, first: str, second: str = "b", *, most: int = 1) -> QuerySet[Any, Any]:
    built.append((person.pk, first, second, most))
    return User.objects.filter(username__in=[first, second])


@pytest.fixture(autouse=True)
def forget() -> None:
    built.clear()


def test_named_arguments_are_bound_by_name() -> None:
    """They were bound in the order of the call."""
    someone = User(pk=901)
    people(someone, second="y", first="x")
    people(someone, most=2, second="y", first="x")
    assert built == [(901, "x", "y", 1), (901, "x", "y", 2)]


def test_the_same_arguments_are_one_query_however_they_are_given() -> None:
    someone = User(pk=902)
    for _ in range(2):
        people(someone, "x", "y")
        people(someone, "x", second="y")
        people(someone, second="y", first="x")
    assert built == [(902, "x", "y", 1)]


def test_people_have_queries_of_their_own() -> None:
    people(User(pk=903), "x")
    people(AnonymousUser(), "x")
    assert [pk for pk, *_ in built] == [903, None]


def test_unknown_and_missing_arguments_are_refused() -> None:
    for wrong in ({"third": "x"}, {"second": "y"}):
        with pytest.raises(TypeError):
            people(User(pk=904), **wrong)

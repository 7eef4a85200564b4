"""Queries that depend on nothing but who asks, put together once for each person.

Many questions hold the same few: which collections somebody sees, which gold standards are hidden from them. Django
takes longer to put these together than the database to answer.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from inspect import signature
from typing import Concatenate, ParamSpec, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.db.models import Model, QuerySet

from accounts.models import User
from accounts.person import Person

PEOPLE = 256
"""How many people's queries are kept, of each kind."""

Given = ParamSpec("Given")
Row = TypeVar("Row", bound=Model)
Asked = Callable[Concatenate[Person, Given], QuerySet[Row]]


def prepared(build: Asked[Given, Row]) -> Asked[Given, Row]:
    """`build` is told who asks by number alone, and whether anybody does; rows are found when the query is asked."""

    takes = signature(build)

    @lru_cache(PEOPLE)
    def kept(pk: int | None, given: tuple[Hashable, ...], named: tuple[tuple[str, Hashable], ...]) -> QuerySet[Row]:
        who: Person = AnonymousUser() if pk is None else User(pk=pk)
        return build(who, *given, **dict(named))  # type: ignore[arg-type]  # `asked` holds them to `Given`

    @wraps(build)
    def asked(person: Person, /, *given: Given.args, **named: Given.kwargs) -> QuerySet[Row]:
        if not named:
            return kept(person.pk, given, ()).all()
        bound = takes.bind(person, *given, **named)
        return kept(person.pk, bound.args[1:], tuple(sorted(bound.kwargs.items()))).all()

    return asked

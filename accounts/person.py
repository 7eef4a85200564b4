"""The person who sends a request, and queries that depend on nothing but that person."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from functools import lru_cache, wraps
from inspect import signature
from typing import Concatenate, ParamSpec, TypeAlias, TypeVar

from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from rest_framework.request import Request

from accounts.models import User

Person: TypeAlias = User | AnonymousUser
"""Anybody: ``request.user``."""


def person(request: HttpRequest | Request) -> User:
    """Who is signed in, where only they get to.

    Raises:
        PermissionDenied: nobody is.
    """
    if not isinstance(request.user, User):
        raise PermissionDenied("Sign in first.")
    return request.user


ADMINISTER = "accounts.administer"
"""The permission that `manage.py administrator` gives."""


def administers(person: Person) -> bool:
    """True if this person operates the site and may therefore use its administration."""
    return person.is_active and person.has_perm(ADMINISTER)


# --- Queries that are built once for each person ----------------------------------------------------------------------
# Many queries contain the same few: which collections a person sees, which gold standards are hidden from them. Django
# takes longer to build these than the database takes to answer.

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

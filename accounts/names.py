"""Whose name it is: names are shown as they were written, and found however they are."""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Value
from django.db.models.functions import Lower

from accounts.models import User


def find_user(name: str) -> User | None:
    """The account of that name, by the same rule that keeps names apart (the constraint of `User`)."""
    return User.objects.alias(lowered=Lower("username")).filter(lowered=Lower(Value(name))).first()


def by_name(names: Iterable[str], among: Iterable[User]) -> dict[str, User]:
    """Each of the names that one of these people has, however it is written, and who that is."""
    people = {user.get_username(): user for user in among}
    found = {}
    for name in names:
        user = people.get(name) or find_user(name)
        if user is not None and user.get_username() in people:
            found[name] = user
    return found

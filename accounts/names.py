"""Whose name it is: names are shown as they were written, and found however they are."""

from __future__ import annotations

from collections.abc import Iterable

from django.core.exceptions import ValidationError
from django.db.models import Value
from django.db.models.functions import Lower

from accounts.models import NAME_TAKEN, RetiredName, User
from common.confusables import account_look, first_invisible


def find_user(name: str) -> User | None:
    """The account of that name, by the same rule that keeps names apart (the constraint of `User`)."""
    return User.objects.alias(lowered=Lower("username")).filter(lowered=Lower(Value(name))).first()


def check_new(name: str) -> None:
    """That a new account may be called so: every character is seen, and no account has this name, or one that looks
    like it, or had it.

    Which account it is is not said: the name as such is told by nothing but trying it.

    Raises:
        ValidationError: it may not.
    """
    if found := first_invisible(name):
        raise ValidationError(f"The name holds a character that nobody sees ({found}). Type it anew.")
    if find_user(name) is not None:
        raise ValidationError(NAME_TAKEN)
    if User.objects.filter(look=account_look(name)).exists():
        raise ValidationError(
            "There is an account whose name looks like this one. Choose one that is easier to tell apart."
        )
    if RetiredName.of(name).exists():
        raise ValidationError("There was an account of this name; nobody gets it again.")


def by_name(names: Iterable[str], among: Iterable[User]) -> dict[str, User]:
    """Each of the names that one of these people has, however it is written, and who that is."""
    people = {user.get_username(): user for user in among}
    found = {}
    for name in names:
        user = people.get(name) or find_user(name)
        if user is not None and user.get_username() in people:
            found[name] = user
    return found

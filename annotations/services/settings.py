"""Change what a collection is called and who reads it."""

from __future__ import annotations

from accounts.models import User
from annotations.models import Collection
from annotations.services.collections import name_problems
from qc4.problems import InputError


def change_settings(
    collection: Collection, *, name: str, description: str, visibility: str, user: User | None = None
) -> None:
    """Keep a new name, description and visibility. The slug stays, so that addresses stay.

    Raises:
        InputError: another collection this person can see has the name.
    """
    if name.strip().casefold() != collection.name.casefold() and (problems := name_problems(name, user)):
        raise InputError(problems)
    collection.name, collection.description, collection.visibility = name.strip(), description, visibility
    collection.save(update_fields=["name", "description", "visibility"])

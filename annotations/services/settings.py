"""Change what a collection is called and who reads it and submits to it."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from annotations.models import Collection
from annotations.services.collections import name_problems
from annotations.services.participation import set_participation
from qc4.problems import InputError


def change_settings(
    collection: Collection,
    *,
    name: str,
    description: str,
    visibility: str,
    participation: str = "",
    user: User | None = None,
) -> None:
    """Keep a new name, description and visibility, and who may submit. The slug stays, so that addresses stay.

    Args:
        participation: "" for what it was: a page from before the setting does not change it.

    Raises:
        InputError: another collection this person can see has the name.
    """
    if name.strip().casefold() != collection.name.casefold() and (problems := name_problems(name, user)):
        raise InputError(problems)
    collection.name, collection.description, collection.visibility = name.strip(), description, visibility
    with transaction.atomic():
        set_participation(collection, participation or collection.participation, user)
        collection.save(update_fields=["name", "description", "visibility", "participation"])

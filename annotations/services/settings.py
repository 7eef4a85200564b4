"""Change what a collection is called, what is said of it, and who reads it and submits to it."""

from __future__ import annotations

from collections.abc import Mapping

from django.db import transaction

from accounts.models import User
from annotations.models import Collection, DraftTime
from annotations.services.collections import clean_face, face_problems, name_problems
from annotations.services.participation import set_participation
from common.lookalikes import normalised_name
from qc4.problems import InputError, Problem


@transaction.atomic
def change_settings(
    collection: Collection,
    *,
    name: str,
    description: str,
    visibility: str,
    participation: str = "",
    timing: str = "",
    user: User | None = None,
    face: Mapping[str, str] | None = None,
) -> None:
    """Keep a new name, description and visibility, and who may submit. The slug stays, so that addresses stay.

    Args:
        participation, timing: "" for what it was: a page from before the setting does not change it.
        face: what else is said of it, by the names of ``Collection.FACE``; what is not named stays.

    Raises:
        InputError: another collection this person can see has the name; what is said is wrong (`face_problems`); it is
            to be public, and who runs the site has hidden it.
    """
    # As it is now, and stays until this is stored: it may be hidden while somebody changes its settings.
    hidden_for = Collection.objects.select_for_update().values_list("hidden_for", flat=True).get(pk=collection.pk)
    problems = face_problems(face or {})
    if normalised_name(name).casefold() != collection.name.casefold():
        problems += name_problems(name, user)
    if visibility == Collection.Visibility.PUBLIC and hidden_for:
        fix = "Write to who runs the site."
        problems.append(Problem("hidden", "visibility", f"hidden: {hidden_for}", "private", fix))
    if problems:
        raise InputError(problems)
    collection.name, collection.description, collection.visibility = normalised_name(name), description, visibility
    collection.timing = timing or collection.timing
    said = clean_face(face or {})
    for key, value in said.items():
        setattr(collection, key, value)
    if collection.timing == Collection.Timing.OFF:
        DraftTime.objects.filter(draft__query__collection=collection).delete()
    set_participation(collection, participation or collection.participation, user)
    collection.save(update_fields=["name", "description", "visibility", "participation", "timing", *said])

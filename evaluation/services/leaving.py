"""Deleting an account. Others' work stays whole: what refers to the person refers to a neutral name."""

from __future__ import annotations

from accounts.models import User
from accounts.services.account import forget, neutral_name
from annotations.account_deletion import leave
from annotations.collections.removal import removing
from evaluation.models import Announced, RunEvent
from evaluation.selectors.leaving import Leaving, leaving
from evaluation.services.deletion import delete_collection, delete_submissions
from qc4.problems import InputError, Problem

NO_PERSONS = frozenset({"system", "sweeper"})
"""Actors in the logs of runs that are nobody, whoever may be called so."""


def delete_account(user: User) -> None:
    """Delete what is this person's alone, take them out of everything else, and their name out of what stays.

    Submissions and private collections go first: what can refuse does so before anything else is done.

    Raises:
        InputError: a collection with other people has no other owner; a worker is at work on an unpublished
            submission; a challenge of one has closed and is still being scored.
    """
    seen = leaving(user)
    refuse(seen)
    delete_submissions(seen.unpublished)
    for collection in seen.deleted:
        delete_collection(collection, first=lambda: refuse(leaving(user)))
    with removing("an account is deleted"):
        person = User.objects.select_for_update().get(pk=user.pk)
        # Somebody may have come in meanwhile.
        refuse(leaving(person))
        _in_logs(person.get_username(), neutral_name(person))
        Announced.objects.filter(user=person).delete()
        leave(person, neutral_name(person))
        forget(person)


def refuse(seen: Leaving) -> None:
    """Raises what `delete_account` does, where it cannot be done now."""
    problems = [
        Problem(
            "last-owner",
            collection.slug,
            "a collection of yours with other people",
            "another owner",
            "Make somebody else an owner on its page of people, or delete it.",
        )
        for collection in seen.to_hand_over
    ]
    problems += [Problem("at-work", "submission", why, "none at work", "Cancel the run, or wait.") for why in seen.held]
    if problems:
        raise InputError(problems)


def _in_logs(name: str, neutral: str) -> None:
    """Logs of runs never change, but for this: entries are made anew in which nothing but the name is another."""
    if name in NO_PERSONS:
        return
    told = list(RunEvent.objects.filter(actor=name))
    RunEvent.objects.filter(pk__in=[event.pk for event in told]).delete()
    for event in told:
        event.actor = neutral
        event.why = event.why.replace(f"Cancelled by {name}.", f"Cancelled by {neutral}.")
    RunEvent.objects.bulk_create(told, batch_size=500)

"""Names of algorithms: one person's name on a leaderboard is not taken over by another's submission."""

from __future__ import annotations

from django.db import IntegrityError, transaction

from accounts.models import User
from annotations.access import May, capabilities
from annotations.models import Collection
from evaluation.models import Algorithm
from qc4.problems import InputError, Problem
from qc4.problems.wording import quoted


def name_problems(collection: Collection, name: str, user: User | None, baseline: str = "") -> list[Problem]:
    """Why this person may not submit under this name: it is a baseline's, or somebody else's.

    The collection's owners may use every name but the baselines', and so may commands without a user. Upper and
    lower case are the same.
    """
    found = collection.algorithms.filter(name__iexact=name).first()
    if found is None or (found.baseline == baseline and (baseline or _may_use(found, user))):
        return []
    if found.baseline:
        whose = "a built-in baseline"
    else:
        whose = "another algorithm" if baseline else "an algorithm that somebody else submits"
    fix = "Choose another name."
    return [Problem("algorithm-taken", "algorithm", f"{quoted(name)}, the name of {whose}", "its own name", fix)]


def get_algorithm(
    collection: Collection, name: str, user: User | None = None, baseline: str = "", settings: str = ""
) -> Algorithm:
    """The collection's algorithm of that name, made if there is none.

    Raises:
        InputError: the name is not this person's to use (`name_problems`).
    """
    if problems := name_problems(collection, name, user, baseline):
        raise InputError(problems)
    found = collection.algorithms.filter(name__iexact=name).first()
    if found is not None:
        return found
    try:
        with transaction.atomic():
            return Algorithm.objects.create(collection=collection, name=name, baseline=baseline, settings=settings)
    except IntegrityError:  # made by somebody else in this instant
        return get_algorithm(collection, name, user, baseline, settings)


def _may_use(algorithm: Algorithm, user: User | None) -> bool:
    if user is None or May.MANAGE in capabilities(user, algorithm.collection):
        return True
    submitters = set(algorithm.submissions.values_list("created_by", flat=True))
    submitters |= set(algorithm.streamsubmissions.values_list("created_by", flat=True))
    return not submitters or user.pk in submitters

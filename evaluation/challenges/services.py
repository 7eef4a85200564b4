"""Set up challenges, admit submissions, and compute final results."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotations.access import capabilities
from annotations.challenges.access import ORGANISER_RIGHTS, challenge_of
from annotations.collections.removal import allow_removal
from annotations.models import Challenge, ChallengeResults, Collection, Query
from common.database import write_unless_locked
from evaluation.challenges.final_results import compute_results, count_unfinished_runs, final_gold_version
from evaluation.challenges.selectors import format_time, start_of_next_day
from evaluation.limits import MAX_PER_PERSON
from evaluation.models import CountedSubmission, StreamSubmission, Submission
from qc4.problems import InputError, Problem
from qc4.scoring.scoring import FROM_FILES, computable_measures
from qc4.wording import counted
from work.clock import database_time


@dataclass(frozen=True, slots=True)
class Admission:
    """An admitted submission, and its number among those of the user."""

    challenge: Challenge
    user: User
    day: date
    of_day: int
    of_all: int


def admit(collection: Collection, user: User | None) -> Admission | None:
    """Admit or reject a submission; call this in the transaction that makes it, and then `count`.

    The challenge stays locked until then, so that of two simultaneous submissions only one can be the last allowed one.
    There are no limits for organisers of the challenge, and for the site itself.

    Returns:
        None if nothing is counted.

    Raises:
        InputError: the challenge has not opened or has closed, or the user has no submissions left.
    """
    challenge = Challenge.objects.select_for_update().filter(collection=collection).first()
    if challenge is None or user is None or capabilities(user, collection) & ORGANISER_RIGHTS:
        return None
    now = database_time()
    if problems := _time_problems(challenge, now) or _limit_problems(challenge, user, now):
        raise InputError(problems)
    made = _submissions_of(challenge, user)
    return Admission(challenge, user, now.date(), made.filter(day=now.date()).count() + 1, made.count() + 1)


def rejection_problems(collection: Collection, user: User | None) -> list[Problem]:
    """Return why a submission of this user would be rejected now; nothing is locked or counted."""
    challenge = challenge_of(collection)
    if challenge is None or user is None or capabilities(user, collection) & ORGANISER_RIGHTS:
        return []
    now = database_time()
    return _time_problems(challenge, now) or _limit_problems(challenge, user, now)


def _submissions_of(challenge: Challenge, user: User) -> QuerySet[CountedSubmission]:
    return CountedSubmission.objects.filter(challenge=challenge, user=user)


def _limit_problems(challenge: Challenge, user: User, now: datetime) -> list[Problem]:
    name, made = challenge.collection.name, _submissions_of(challenge, user)
    of_all, of_day = made.count(), made.filter(day=now.date()).count()
    if challenge.in_all is not None and of_all >= challenge.in_all:
        found, expected = f"{counted(of_all, 'submission')} by you", f"at most {challenge.in_all} per person"
        return [Problem("challenge-limit", name, found, expected, "None are left; deleted ones count too.")]
    if challenge.per_day is not None and of_day >= challenge.per_day:
        found = f"{counted(of_day, 'submission')} by you today"
        expected = f"at most {challenge.per_day} a day per person"
        fix = f"You can submit again from {format_time(start_of_next_day(now))}; deleted submissions count too."
        return [Problem("challenge-limit", name, found, expected, fix)]
    return []


def count(admitted: Admission | None, submission: Submission | StreamSubmission) -> None:
    """Count an admitted submission of either kind.

    Raises:
        InputError: the challenge has closed in the meantime. Final results use the time of the submission, which is
            later than that of its admission: without this check it could count and not take part.
    """
    if admitted is None:
        return
    if problems := _time_problems(admitted.challenge, database_time()):
        raise InputError(problems)
    CountedSubmission.objects.create(
        challenge=admitted.challenge,
        user=admitted.user,
        submission=submission if isinstance(submission, Submission) else None,
        day=admitted.day,
        of_day=admitted.of_day,
        of_all=admitted.of_all,
    )


def freeze_results_if_due(collection: Collection, *, waits: bool = True) -> Challenge | None:
    """Compute and freeze the results of a closed challenge, as soon as everything that counts is scored.

    Call this to show a challenge, or before changing something that counts: no worker does it.

    Args:
        waits: False for callers that only read: if the database is busy, a later call freezes the results.

    Returns:
        The challenge, with its results if there are any; None if the collection is not a challenge.
    """
    found = challenge_of(collection)
    if found is None or found.final is not None or not found.has_closed_by(database_time()):
        return found
    version = final_gold_version(found)
    if version is None or count_unfinished_runs(found, version):
        return found
    if waits:
        _freeze(found)
    else:
        write_unless_locked(lambda: _freeze(found), "the final results of a challenge")
    return challenge_of(collection)


def _freeze(found: Challenge) -> None:
    """Check everything again under the lock, because another request may have been faster; then freeze."""
    with transaction.atomic():
        challenge = Challenge.objects.select_for_update().select_related("collection").get(pk=found.pk)
        now = database_time()
        version = final_gold_version(challenge) if challenge.has_closed_by(now) else None
        settled = ChallengeResults.objects.filter(challenge=challenge).exists()
        if version is not None and not settled and not count_unfinished_runs(challenge, version):
            content = compute_results(challenge, version, now)
            ChallengeResults.objects.create(challenge=challenge, content=content, settled_at=now)


def freeze_results_before_change(collection: Collection) -> None:
    """Freeze the results before something that counts in them is changed.

    Raises:
        InputError: the challenge has closed, and there are no results yet.
    """
    challenge = freeze_results_if_due(collection)
    if challenge is None or challenge.final is not None or not challenge.has_closed_by(database_time()):
        return
    version = final_gold_version(challenge)
    waits = (
        "for a gold standard" if version is None else f"for {counted(count_unfinished_runs(challenge, version), 'run')}"
    )
    raise InputError(
        [
            Problem(
                "challenge-not-final",
                collection.name,
                f"a closed challenge whose final results wait {waits}",
                "no change of what counts until then",
                "Try again when the final results are there.",
            )
        ]
    )


def save(collection: Collection, *, user: User | None, shown: Iterable[Query] = (), **facts: Any) -> Challenge:
    """Make a collection a challenge, or change its settings.

    Args:
        shown: the queries whose gold standard is shown, if some are hidden.
        facts: other fields of `Challenge`.

    Raises:
        InputError: it would close before it opens; it has final results, and something other than what is revealed
            would change; it has closed, and has no results yet.
    """
    _check(facts)
    opens, closes = facts.get("opens_at"), facts.get("closes_at")
    if opens and closes and closes <= opens:
        raise InputError(
            [Problem("closes-first", "closes_at", format_time(closes), f"a time after {format_time(opens)}")]
        )
    with transaction.atomic():
        Collection.objects.select_for_update().get(pk=collection.pk)
        freeze_results_before_change(collection)
        found = challenge_of(collection)
        if found is not None and found.final is not None:
            _require_unchanged_results(found, {query.pk for query in shown}, facts)
        challenge = found or Challenge(collection=collection, created_by=user)
        for name, value in facts.items():
            setattr(challenge, name, value)
        challenge.save()
        challenge.shown.set(shown)
    return challenge


def remove(collection: Collection) -> None:
    """Make a challenge an ordinary collection again. Everyone who can read it then sees every gold standard.

    Raises:
        InputError: somebody has submitted to it.
    """
    with transaction.atomic():
        challenge = Challenge.objects.select_for_update().filter(collection=collection).first()
        if challenge is None:
            return
        made = challenge.counted.count()
        if made:
            fix = "Let it close, and reveal its gold standards if you like."
            raise InputError(
                [Problem("challenge-begun", collection.name, counted(made, "submission"), "none by participants", fix)]
            )
        with allow_removal("a challenge nobody submitted to ends"):
            challenge.delete()


def _check(facts: dict[str, Any]) -> None:
    problems = [
        Problem("out-of-range", name, str(facts[name]), f"a number from 1 to {MAX_PER_PERSON:,}")
        for name in ("per_day", "in_all")
        if facts.get(name) is not None and not 1 <= facts[name] <= MAX_PER_PERSON
    ]
    measure = facts.get("measure")
    if measure is not None and measure not in {one.key for one in computable_measures(FROM_FILES)}:
        problems.append(
            Problem("unknown-measure", "measure", repr(measure), "the key of a measure", listing="measures")
        )
    if problems:
        raise InputError(problems)


def _time_problems(challenge: Challenge, now: datetime) -> list[Problem]:
    name = challenge.collection.name
    if challenge.has_closed_by(now) and challenge.closes_at is not None:
        found = f"a submission after the challenge closed on {format_time(challenge.closes_at)}"
        return [Problem("challenge-closed", name, found, "a submission before the close")]
    if challenge.opens_at is not None and challenge.opens_at > now:
        found = f"a submission before the challenge opens on {format_time(challenge.opens_at)}"
        return [Problem("challenge-not-open", name, found, "a submission after the opening")]
    return []


def _require_unchanged_results(challenge: Challenge, shown: set[int], facts: dict[str, Any]) -> None:
    """Raise InputError if final results would change; whether everyone sees the gold standards can still change."""
    others = {
        name for name, value in facts.items() if name not in CHANGEABLE_WHEN_FINAL and getattr(challenge, name) != value
    }
    if others or shown != set(challenge.shown.values_list("pk", flat=True)):
        changed = ", ".join(sorted(others)) or "shown"
        expected = "unchanged final results; only whether gold standards are revealed can change"
        raise InputError([Problem("challenge-final", challenge.collection.name, f"a change of {changed}", expected)])


CHANGEABLE_WHEN_FINAL = frozenset({"reveals", "streams_shown"})
"""What an owner can change after the final results."""

"""Name, describe and merge algorithms, and choose their effective submission."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q

from accounts.models import User
from annotations.access import May, capabilities
from annotations.challenges.access import collections_hiding_gold
from annotations.limits import BIBTEX_CHARS, DESCRIPTION_CHARS, LINE_CHARS, URL_CHARS
from annotations.models import Collection
from common.confusables import look, normalised_name, unseen_problems
from common.web_urls import is_web_address
from evaluation.access import may_change_algorithm, visible_algorithms
from evaluation.challenges import services as challenges
from evaluation.limits import ALGORITHM_CHARS, AUTHORS_CHARS
from evaluation.models import Algorithm, FormerName, Submission
from evaluation.scoring import services as scoring
from qc4.bibliography import bibtex_error
from qc4.measures.registry import REGISTRY
from qc4.problems import InputError, Problem
from qc4.text import comparison_key, name_key
from qc4.wording import quoted
from work.answers import delete_answers, source_name

MAX_LENGTHS = {
    "description": DESCRIPTION_CHARS, "authors": AUTHORS_CHARS, "code_url": URL_CHARS, "paper_url": URL_CHARS,
    "bibtex": BIBTEX_CHARS, "model": LINE_CHARS, "model_size": LINE_CHARS, "hardware": LINE_CHARS,
}  # fmt: skip
"""Lengths of descriptive fields."""


_ANOTHER = "Choose another name."


# --- Names ------------------------------------------------------------------------------------------------------------


def find_algorithm(collection: Collection, name: str) -> Algorithm | None:
    """Return the algorithm with this current or former name, ignoring case and Unicode form."""
    name = normalised_name(comparison_key(name))
    found = collection.algorithms.filter(name__iexact=name).first()
    if found is None:
        former = collection.former_names.select_related("algorithm").filter(name__iexact=name).first()
        found = former.algorithm if former else None
    return found


def visible_name_problems(collection: Collection, name: str, user: User | None) -> list[Problem]:
    """Return the problems of `name_problems` that come from visible algorithms, for a check before submitting.

    A check costs nothing and leaves no trace, so it must not reveal whether somebody uses a name privately. Only a
    submission reveals that, and it remains if the name is free.
    """
    found = find_algorithm(collection, name) or lookalike(collection, name, user)
    is_told = found is None or bool(found.baseline) or _sees(user, found)
    return name_problems(collection, name, user) if is_told else []


def name_problems(collection: Collection, name: str, user: User | None, baseline: str = "") -> list[Problem]:
    """Return why this person cannot submit under this name: it belongs to a baseline or another person, or looks so.

    The collection's owners can use every name except those of baselines, and so can commands without a user. Names that
    the person may not see are not mentioned.
    """
    found = find_algorithm(collection, name)
    if found is None:
        twin = lookalike(collection, name, user)
        return [] if twin is None else [_lookalike_problem(name, twin, user)]
    if found.baseline == baseline and (baseline or _may_use(found, user)):
        return []
    if not found.baseline and not _sees(user, found):
        return [_unavailable_problem(name)]
    if found.baseline:
        whose = "a built-in baseline"
    else:
        whose = "another algorithm" if baseline else "an algorithm that somebody else submits"
    return [Problem("algorithm-taken", "algorithm", f"{quoted(name)}, the name of {whose}", "its own name", _ANOTHER)]


def lookalike(collection: Collection, name: str, user: User | None) -> Algorithm | None:
    """Return a baseline, or another person's algorithm, with a current or former name that looks like this one."""
    likes = Q(look=look(name)) | Q(former_names__look=look(name))
    others = ~Q(baseline="") | (~Q(created_by=user) if user else Q(created_by__isnull=False))
    return collection.algorithms.filter(likes, others).distinct().first()


def _sees(user: User | None, algorithm: Algorithm) -> bool:
    return user is None or visible_algorithms(user, algorithm.collection).filter(pk=algorithm.pk).exists()


def _lookalike_problem(name: str, twin: Algorithm, user: User | None) -> Problem:
    if not _sees(user, twin):
        return _unavailable_problem(name)
    found = f"{quoted(name)}, which looks like {quoted(twin.name)}"
    return Problem("algorithm-taken", "algorithm", found, "a name that looks different", _ANOTHER)


def _unavailable_problem(name: str) -> Problem:
    """Return a problem that reveals as little as possible about an algorithm that the person may not see."""
    found = f"{quoted(name)}, a name that is not free in this collection"
    return Problem("algorithm-taken", "algorithm", found, "its own name", _ANOTHER)


def get_algorithm(
    collection: Collection, name: str, user: User | None = None, baseline: str = "", settings: str = ""
) -> Algorithm:
    """Return the collection's algorithm with this name, creating it if necessary.

    Raises:
        InputError: this person cannot use the name (`name_problems`).
    """
    name = normalised_name(name)
    if problems := name_problems(collection, name, user, baseline):
        raise InputError(problems)
    found = find_algorithm(collection, name)
    if found is not None:
        return found
    maker = None if baseline else user
    try:
        with transaction.atomic():
            return Algorithm.objects.create(
                collection=collection, name=name, created_by=maker, baseline=baseline, settings=settings
            )
    except IntegrityError:  # created by another request at this moment
        return get_algorithm(collection, name, user, baseline, settings)


def _may_use(algorithm: Algorithm, user: User | None) -> bool:
    if user is None or May.MANAGE in capabilities(user, algorithm.collection):
        return True
    submitters = set(algorithm.submissions.values_list("created_by", flat=True))
    submitters |= set(algorithm.streamsubmissions.values_list("created_by", flat=True))
    return not submitters or user.pk in submitters


def rename(algorithm: Algorithm, name: str) -> None:
    """Rename an algorithm. The old name and URLs keep working.

    Raises:
        InputError: the name is empty, too long, or that of another algorithm; or as `set_rule` for a closed challenge.
    """
    name = normalised_name(name)
    if name == algorithm.name:
        return
    challenges.freeze_results_before_change(algorithm.collection)
    problems = []
    if not name:
        problems.append(Problem("no-name", "name", "no name", "a name for the algorithm"))
    if len(name) > ALGORITHM_CHARS:
        problems.append(Problem("long-name", "name", f"{len(name):,} characters", f"at most {ALGORITHM_CHARS}"))
    problems += unseen_problems("name", name)
    other = find_algorithm(algorithm.collection, name) or lookalike(algorithm.collection, name, algorithm.created_by)
    if other is not None and other.pk != algorithm.pk:
        problems.append(_taken(name))
    if problems:
        raise InputError(problems)
    try:
        with transaction.atomic():
            _give_name(algorithm, name)
    except IntegrityError:  # another request took the name at this moment
        raise InputError([_taken(name)]) from None
    algorithm.name = name


def _give_name(algorithm: Algorithm, name: str) -> None:
    """Set the name and record the current one as a former name: another person may have renamed it meanwhile."""
    now = Algorithm.objects.select_for_update().filter(pk=algorithm.pk).values_list("name", flat=True).first()
    if now is None:
        found = f"{quoted(algorithm.name)}, which was deleted or merged in the meantime"
        raise InputError([Problem("algorithm-gone", "algorithm", found, "an algorithm", "Reload the leaderboard.")])
    if now == name:
        return
    algorithm.former_names.filter(name__iexact=name).delete()
    if name_key(name) != name_key(now):
        FormerName.objects.create(collection=algorithm.collection, algorithm=algorithm, name=now)
    Algorithm.objects.filter(pk=algorithm.pk).update(name=name, look=look(name))


def _taken(name: str) -> Problem:
    fix = "Choose another name, or merge the two algorithms."
    return Problem("algorithm-taken", "name", f"{quoted(name)}, another algorithm's name", "its own", fix)


# --- Descriptions -----------------------------------------------------------------------------------------------------


def description_problems(about: Mapping[str, Any]) -> list[Problem]:
    """Return all problems with a description (names as in ``Algorithm.ABOUT``)."""
    problems = []
    for name, most in MAX_LENGTHS.items():
        length = len(about.get(name) or "")
        if length > most:
            problems.append(Problem("long-text", name, f"{length:,} characters", f"at most {most:,}"))
    for name in ("code_url", "paper_url"):
        text = about.get(name) or ""
        if text and not is_web_address(text):
            problems.append(Problem("bad-address", name, quoted(text[:80]), "a URL that starts with https://"))
    if (text := about.get("bibtex") or "").strip() and (fault := bibtex_error(text)):
        problems.append(Problem("bad-bibtex", "bibtex", fault, "BibTeX"))
    for name in ("seconds_per_query", "cost_per_1000"):
        value = about.get(name)
        if value is not None and not (isfinite(value) and value >= 0):
            problems.append(Problem("bad-number", name, repr(value), "a number, 0 or more"))
    return problems


def describe(algorithm: Algorithm, about: Mapping[str, Any]) -> None:
    """Store an algorithm's description; fields that ``about`` does not contain are unchanged.

    Raises:
        InputError: all problems of the description (`about_problems`).
    """
    if problems := description_problems(about):
        raise InputError(problems)
    for name, value in about.items():
        if name not in Algorithm.ABOUT:
            raise ValueError(f"algorithms have no descriptive field {name}")
        setattr(algorithm, name, value.strip().replace("\r\n", "\n") if isinstance(value, str) else value)
    algorithm.save(update_fields=list(about))


def describe_with_submission(algorithm: Algorithm, about: Mapping[str, Any], user: User | None) -> None:
    """Store a description that was sent with a submission; empty fields are unchanged.

    Raises:
        InputError: as `describe`; or this person may not describe the algorithm.
    """
    said = {name: value for name, value in about.items() if value not in (None, "")}
    if not said:
        return
    if user is not None and not may_change_algorithm(user, algorithm):
        expected = "nothing: only the algorithm's creator and the owners of the collection can describe it"
        raise InputError([Problem("algorithm-not-yours", name, "a description", expected) for name in said])
    describe(algorithm, said)


def change(algorithm: Algorithm, about: Mapping[str, Any], name: str) -> None:
    """Rename and describe an algorithm, both or neither.

    Raises:
        InputError: as `rename` and `describe`.
    """
    with transaction.atomic():
        rename(algorithm, name)
        describe(algorithm, about)


# --- The effective submission -----------------------------------------------------------------------------------------


def set_rule(algorithm: Algorithm, counts: str, by: str = "", pinned: Submission | None = None) -> None:
    """Set the rule for the algorithm's effective submission, see `evaluation.scoring.effective`.

    Raises:
        InputError: the rule or measure is unknown or missing; the submission belongs to another algorithm; "best" is
            chosen while a challenge hides gold standards; the challenge has closed and is still being scored.
    """
    challenges.freeze_results_before_change(algorithm.collection)
    problems, by = [], REGISTRY.key_of(by)
    if counts == Algorithm.Counts.BEST and collections_hiding_gold().filter(pk=algorithm.collection_id).exists():
        found = "the best submission in a challenge that hides gold standards, which would reveal something about them"
        problems.append(Problem("best-of-hidden", "counts", found, "the latest, or a pinned one"))
    if counts not in Algorithm.Counts.values:
        expected = f"one of {', '.join(Algorithm.Counts.values)}"
        problems.append(Problem("unknown-rule", "counts", quoted(counts), expected))
    if counts == Algorithm.Counts.BEST and by not in {measure.key for measure in REGISTRY.all()}:
        problems.append(Problem("unknown-measure", "counts_by", quoted(by) if by else "no measure", "a measure's key"))
    is_its_own = pinned is not None and pinned.algorithm_id == algorithm.pk and pinned.sweep_id is None
    if counts == Algorithm.Counts.PINNED and not is_its_own:
        found = f"submission {pinned.pk}" if pinned else "no submission"
        problems.append(Problem("unknown-submission", "pinned", found, f"a submission of {algorithm.name}"))
    if problems:
        raise InputError(problems)
    algorithm.counts = counts
    algorithm.counts_by = by if counts == Algorithm.Counts.BEST else ""
    algorithm.pinned = pinned if counts == Algorithm.Counts.PINNED else None
    with transaction.atomic():
        algorithm.save(update_fields=["counts", "counts_by", "pinned"])
        scoring.score_effective_submissions([algorithm], algorithm.collection)


def rule_words(algorithm: Algorithm) -> str:
    """Return the effective submission in words: "the best submission by QC4-F"."""
    if algorithm.counts == Algorithm.Counts.BEST:
        return f"the best submission by {REGISTRY.get(algorithm.counts_by).title}"
    if algorithm.pinned_id is not None:
        return f"submission #{algorithm.pinned_id}"
    return "the latest submission"


# --- Merging ----------------------------------------------------------------------------------------------------------


def merge(gone: Algorithm, into: Algorithm) -> None:
    """Merge two algorithms: the submissions of ``gone`` become those of ``into``, which keeps its name, rule and pin.

    The description of ``gone`` fills empty fields of ``into``; its names and its URL lead to ``into``.

    Raises:
        InputError: the two are the same, in different collections, or one is a baseline; or as `set_rule` for a closed
            challenge.
    """
    challenges.freeze_results_before_change(into.collection)
    with transaction.atomic():
        rows = Algorithm.objects.select_for_update().order_by("pk").filter(pk__in=(gone.pk, into.pk))
        both = {one.pk: one for one in rows}
        if len(both) < 2 or gone.collection_id != into.collection_id or gone.baseline or into.baseline:
            expected = "another algorithm of this collection that is not a baseline"
            raise InputError([Problem("not-mergeable", "into", quoted(into.name), expected)])
        gone, into = both[gone.pk], both[into.pk]
        moved = [*gone.submissions.only("pk"), *gone.streamsubmissions.only("pk")]
        delete_answers(f"collection {gone.collection_id}", map(source_name, moved))
        gone.submissions.update(algorithm=into)
        gone.streamsubmissions.update(algorithm=into)
        filled = {name: getattr(gone, name) for name in Algorithm.ABOUT if getattr(into, name) in ("", None)}
        describe(into, filled)
        gone.former_names.update(algorithm=into)
        name, former = gone.name, gone.pk
        gone.delete()
        FormerName.objects.create(collection=into.collection, algorithm=into, name=name, former_id=former)
        scoring.score_effective_submissions([into], into.collection)

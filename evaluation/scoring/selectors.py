"""Which submissions are scored or waiting, with which options, and which scores are based on older vectors."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection as Some
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from django.db.models import Max, Q, QuerySet

from accounts.person import Person
from annotations.collections.vectors import latest_vectors
from annotations.gold.selectors import latest_version
from annotations.models import Collection, GoldVersion, VectorSet
from evaluation.access import visible_submissions
from evaluation.baselines.catalogue import MADE_FROM_GOLD
from evaluation.limits import POLICY_SETS
from evaluation.models import Run, RunQuery, Submission
from evaluation.runs.scheduling import UNFINISHED
from evaluation.scoring.cells import NO_VECTORS
from evaluation.scoring.effective import DEFAULT, latest_ids, latest_submissions
from qc4.model.policies import Policies
from qc4.problems import InputError, Problem

RequestedMeasures = dict[tuple[int, Policies], frozenset[str]]
"""(submission id, scoring options) -> the measures by which it is scored, or will be."""


def requested_measures(
    version: GoldVersion, submissions: Iterable[Submission] | QuerySet[Submission]
) -> RequestedMeasures:
    """Return the finished and unfinished evaluations against a version. One database query."""
    runs = _evaluations().filter(gold_version=version, submission__in=submissions)
    found: dict[tuple[int, Policies], frozenset[str]] = defaultdict(frozenset)
    for submission, policies, measures in runs.values_list("submission_id", "policies", "measures"):
        found[submission or 0, Policies.parse(policies)] |= frozenset(measures)
    return found


def scorable(version: GoldVersion) -> QuerySet[Submission]:
    """Return the latest submissions that can be scored against a gold version.

    Baselines made from another gold version are omitted, unless they are already scored against this one because it
    would have made the same clusterings.
    """
    return latest_submissions(version.collection).filter(_can_be_scored_against(version))


class UnscoredCounts(NamedTuple):
    """Numbers of visible submissions without scores: nobody has started scoring, or they wait or are being scored."""

    unscored: int
    waiting: int


def count_unscored(
    collection: Collection, version: GoldVersion | None, policies: Policies, person: Person, others: Sequence[str] = ()
) -> UnscoredCounts:
    """Return how many of a collection's (already checked) latest submissions lack scores with these scoring options.

    Args:
        others: keys of measures that are computed only on request: a submission without these lacks scores.
    """
    if version is None:
        return UnscoredCounts(0, 0)
    asked = _evaluations().filter(gold_version=version, policies=policies.to_dict()).order_by()
    states = asked.values_list("submission_id", "state")
    waiting = {pk for pk, state in states if state in UNFINISHED}
    scored = states.filter(measures__has_keys=list(others)) if others else states
    left = set(latest_ids(collection)).difference(pk for pk, _ in scored)
    if not left and not waiting:
        return UnscoredCounts(0, 0)
    visible = visible_submissions(person, collection)
    unscored = visible.filter(_can_be_scored_against(version), pk__in=left).count() if left else 0
    return UnscoredCounts(unscored, visible.filter(pk__in=waiting).count() if waiting else 0)


def count_being_scored(version: GoldVersion | None, policies: Policies, visible: QuerySet[Submission]) -> int:
    """Return how many of these submissions wait for scores with these scoring options, or are being scored."""
    if version is None:
        return 0
    runs = _evaluations().filter(state__in=UNFINISHED, gold_version=version, policies=policies.to_dict())
    waiting = set(runs.values_list("submission_id", flat=True))
    return visible.filter(pk__in=waiting).count() if waiting else 0


def policies_for(version: GoldVersion | None, algorithms: Some[int]) -> dict[int, tuple[Policies, ...]]:
    """Return algorithm id -> the scoring options with which its new submissions or gold versions are always scored.

    The default comes first. Then, latest first, come the options with which the version's leaderboard or the algorithm
    has been scored, so that leaderboards with these options stay complete. At most `POLICY_SETS` follow the default.
    One database query.

    Args:
        version: None for a future version.
    """
    on_board = Q(gold_version=version, gold_version__isnull=False, submission__published=True)
    runs = _evaluations().filter(on_board | Q(submission__algorithm__in=algorithms), submission__sweep=None)
    groups = runs.values_list("submission__algorithm", "gold_version", "submission__published", "policies")
    board: dict[Policies, int] = {}
    own: dict[int, dict[Policies, int]] = {pk: {} for pk in algorithms}
    for algorithm, number, published, given, run in groups.annotate(Max("pk")).order_by():
        policies = Policies.parse(given)
        places = [own[algorithm]] if algorithm in own else []
        places += [board] if version is not None and number == version.pk and published else []
        for place in places:
            place[policies] = max(run, place.get(policies, 0))
    return {pk: _bounded({**of_one, **board}) for pk, of_one in own.items()}


def policies_of(submission: Submission) -> tuple[Policies, ...]:
    """Return the scoring options with which a submission has been scored, the default first, then the latest."""
    runs = Run.objects.filter(kind=Run.Kind.EVALUATION, state=Run.State.DONE, submission=submission)
    last = {Policies.parse(given): pk for pk, given in runs.order_by("pk").values_list("pk", "policies")}
    return tuple(sorted(last, key=lambda policies: (policies != DEFAULT, -last[policies])))


def chosen_version(collection: Collection, number: int | None) -> GoldVersion:
    """Return the gold version with this number, by default the latest.

    Raises:
        InputError: there is no such version.
    """
    found = latest_version(collection) if number is None else collection.gold_versions.filter(number=number).first()
    if found is None:
        known = ", ".join(map(str, collection.gold_versions.values_list("number", flat=True)))
        sought = "no published gold standard" if number is None else str(number)
        raise InputError([Problem("unknown-gold-version", "gold", sought, f"one of: {known or 'none yet'}")])
    return found


def _can_be_scored_against(version: GoldVersion) -> Q:
    """Filter for submissions that can be scored against the version, see `scorable`."""
    from_gold = Q(algorithm__baseline__in=MADE_FROM_GOLD)
    asked = _evaluations().filter(gold_version=version).values("submission")
    return ~from_gold | Q(parameters__gold_version=version.number) | Q(pk__in=asked)


def _evaluations() -> QuerySet[Run]:
    """Return evaluations that are finished or will be: failed and cancelled ones do not count."""
    return Run.objects.filter(kind=Run.Kind.EVALUATION).exclude(state__in=[Run.State.FAILED, Run.State.CANCELLED])


def _bounded(last: dict[Policies, int]) -> tuple[Policies, ...]:
    others = sorted((policies for policies in last if policies != DEFAULT), key=lambda policies: -last[policies])
    return (DEFAULT, *others[:POLICY_SETS])


# --- The vectors of a collection, and scores that are based on older ones ---


@dataclass(frozen=True, slots=True)
class VectorSource:
    """The latest vectors of some queries, from one source."""

    words: str
    queries: int
    latest: VectorSet


def vector_sources(collection: Collection) -> tuple[VectorSource, ...]:
    """Return the latest vectors of the queries, grouped by source, largest group first."""
    groups: dict[str, list[VectorSet]] = {}
    for row in latest_vectors(collection).values():
        groups.setdefault(_source_words(row), []).append(row)
    found = [VectorSource(words, len(rows), max(rows, key=lambda row: row.pk)) for words, rows in groups.items()]
    return tuple(sorted(found, key=lambda held: -held.queries))


def has_scores_on_vectors(collection: Collection) -> bool:
    """True if a run of the collection scored on vectors, so that leaderboards can show internal measures."""
    rows = RunQuery.objects.filter(run__collection=collection)
    return rows.exclude(evaluation__vectors_sha256__in=["", NO_VECTORS]).exists()


def on_older_vectors(runs: Iterable[Run], latest: Mapping[int, VectorSet]) -> frozenset[int]:
    """Return the runs that scored a query on other vectors than its latest."""
    rows = RunQuery.objects.filter(run__in=runs).exclude(evaluation__vectors_sha256="")
    return frozenset(
        run
        for run, query, sha256 in rows.values_list("run_id", "query_id", "evaluation__vectors_sha256")
        if query in latest and latest[query].sha256 != sha256
    )


def _source_words(row: VectorSet) -> str:
    if row.origin == VectorSet.Origin.TEXT:
        return f"from page text, seed {row.parameters.get('seed')}"
    return f"from {str(row.parameters.get('file', 'a file')).split('/', 1)[0]}"

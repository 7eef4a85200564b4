"""Entries of a leaderboard: the algorithms of a collection, each with its effective evaluations."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.person import Person
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_submissions
from evaluation.baselines.catalogue import REFERENCES
from evaluation.models import Algorithm, Run, Submission
from evaluation.scoring.effective import (
    LATEST,
    EffectiveRule,
    effective_runs,
    finished,
    last_by_key,
    rules_of_loaded,
)
from qc4.measures.registry import REGISTRY
from qc4.model.policies import Policies

SYSTEM_WORD = "algorithm"
"""The site's word for the systems of `qc4.stats`, also in their sentences."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An algorithm on a leaderboard.

    Attributes:
        submission: the effective one by the algorithm's rule; else the latest that is scored, or the latest at all.
        runs: its evaluations against the version with these scoring options, one for each repeat, that of the latest
            submission last; empty if nothing is scored.
        newer: a later submission that is not scored yet.
        waiting: why there is no run.
        rule: the rule that chose the submission.
    """

    algorithm: Algorithm
    submission: Submission
    runs: tuple[Run, ...] = ()
    newer: Submission | None = None
    waiting: str = ""
    rule: EffectiveRule = LATEST

    @property
    def run(self) -> Run | None:
        """The latest of its evaluations."""
        return self.runs[-1] if self.runs else None

    @property
    def submitted_by(self) -> str | None:
        """The effective submission's owner, by user name; None for the site itself."""
        user = self.submission.created_by
        return None if user is None else user.get_username()

    @property
    def is_gold(self) -> bool:
        """True for the gold standard itself, with which no algorithm is compared."""
        return self.algorithm.baseline == "gold"

    @property
    def is_reference(self) -> bool:
        """True for reference clusterings, including the gold standard, which are not ranked."""
        return self.algorithm.baseline in REFERENCES


class OfEntry:
    """Base of classes with an `entry`."""

    __slots__ = ()
    entry: Entry

    @property
    def algorithm(self) -> Algorithm:
        return self.entry.algorithm

    @property
    def submission(self) -> Submission:
        return self.entry.submission

    @property
    def is_gold(self) -> bool:
        return self.entry.is_gold

    @property
    def is_reference(self) -> bool:
        return self.entry.is_reference


def rule_sentences(found: Iterable[Entry]) -> str:
    """Return sentences for papers that name the algorithms whose latest submission is not effective; may be empty."""
    shown = sorted((entry for entry in found if not entry.rule.is_latest), key=lambda entry: entry.algorithm.name)
    best = [f"{entry.algorithm.name} (by {REGISTRY.get(entry.rule.by).title})" for entry in shown if entry.rule.by]
    pinned = [entry.algorithm.name for entry in shown if entry.rule.pinned is not None]
    of_best = f" For {', '.join(best)}, the best submission is used, chosen on these queries." if best else ""
    return of_best + (f" For {', '.join(pinned)}, a pinned submission is used." if pinned else "")


def entries(
    collection: Collection,
    person: Person | None,
    version: GoldVersion | None,
    policies: Policies,
    *,
    submissions: QuerySet[Submission] | None = None,
) -> tuple[Entry, ...]:
    """Return the entries of a collection (already checked), in the order in which their algorithms were created.

    Args:
        person: the person who views them; None for the site itself, which must pass ``submissions``.
        submissions: the submissions to consider; by default those that the person may see.
    """
    if submissions is None:
        submissions = Submission.objects.none() if person is None else visible_submissions(person, collection)
    rows = {one.pk: one for one in _light(submissions)}
    latest = last_by_key(rows.values(), lambda submission: submission.algorithm_id)
    rules = rules_of_loaded(tuple(rows.values()))
    scored = list(_finished(collection, rows, version, policies)) if version else []
    runs, known = effective_runs(scored, rules), {run.submission_id for run in scored}
    latest |= {pk: rows[rule.pinned] for pk, rule in rules.items() if rule.pinned in rows}
    reasons = waiting_reasons([one for algorithm, one in latest.items() if algorithm not in runs], version, policies)
    return tuple(_entry(latest[pk], runs.get(pk, ()), reasons, rules.get(pk, LATEST), known) for pk in sorted(latest))


def _light(submissions: QuerySet[Submission]) -> QuerySet[Submission]:
    """Fetch only the fields that leaderboards need; there may be hundreds of rows."""
    shown = ("pk", "collection_id", "algorithm", "published", "repeat", "sweep_id", "created_by", "created_at")
    of_algorithm = (f"algorithm__{name}" for name in ("name", "baseline", "counts", "counts_by", "pinned"))
    rows = submissions.select_related("algorithm", "created_by").order_by("pk")
    return rows.only(*shown, *of_algorithm, "created_by__username")


def _finished(
    collection: Collection, rows: Mapping[int, Submission], version: GoldVersion, policies: Policies
) -> Iterator[Run]:
    """Yield the finished evaluations of these submissions against a version, with the effective ones last.

    The visible submissions are known already: filtering by them again would cost more than the few rows skipped here.
    """
    ordinary = Submission.objects.filter(collection=collection, sweep=None)
    done = finished(ordinary, policies).filter(gold_version=version).select_related(None)
    for run in done.only("kind", "state", "collection_id", "submission_id", "gold_version_id", "deepest"):
        submission = rows.get(run.submission_id or 0)
        if submission is not None:
            run.submission, run.gold_version = submission, version
            yield run


def _entry(
    latest: Submission, runs: tuple[Run, ...], reasons: dict[int, str], rule: EffectiveRule, scored: Some[int | None]
) -> Entry:
    """Return the entry of an algorithm; ``scored``: submissions that have scores, effective or not."""
    submission = runs[-1].submission if runs else None
    if submission is None:
        return Entry(latest.algorithm, latest, waiting=reasons[latest.pk], rule=rule)
    newer = latest if latest.pk != submission.pk and latest.pk not in scored else None
    return Entry(latest.algorithm, submission, runs, newer, rule=rule)


def waiting_reasons(
    submissions: Sequence[Submission], version: GoldVersion | None, policies: Policies
) -> dict[int, str]:
    """Return submission id -> why it has no scores against this version."""
    if version is None:
        return {submission.pk: "this collection has no published gold standard yet" for submission in submissions}
    rows = Run.objects.filter(gold_version=version, submission__in=submissions).order_by("pk") if submissions else ()
    states = {run.submission_id: run.state for run in rows if Policies.parse(run.policies) == policies}
    under = "" if policies == Policies() else " under these policies"
    return {
        submission.pk: f"its run is {states[submission.pk]}"
        if submission.pk in states
        else f"not scored against {version}{under}"
        for submission in submissions
    }

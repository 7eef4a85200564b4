"""Have submissions scored, with chosen scoring options or with all that their leaderboard uses, never twice."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction

from accounts.models import User
from annotations.gold.selectors import latest_version
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_submissions
from evaluation.models import Algorithm, Run, Submission
from evaluation.runs import services as runs
from evaluation.runs.scheduling import admit
from evaluation.scoring.selectors import RequestedMeasures, policies_for, requested_measures, scorable
from qc4.measures.registry import MOST_OTHERS, REGISTRY
from qc4.model.policies import Policies
from qc4.records import Record


@dataclass(frozen=True, slots=True)
class Scoring(Record):
    """The result of a request to score.

    Attributes:
        queued: the runs that were queued for it.
        already: number of submissions that had such scores, or were waiting for them.
    """

    KEYS = "policies gold_version=version.number runs already"

    policies: Policies
    version: GoldVersion
    queued: tuple[Run, ...]
    already: int

    @property
    def runs(self) -> tuple[int, ...]:
        return tuple(run.pk for run in self.queued)

    @property
    def words(self) -> str:
        """The result in a sentence."""
        if not self.queued:
            return f"Everything is already scored against {self.version} under these policies, or is being scored."
        count = f"{len(self.queued)} submission{' is' if len(self.queued) == 1 else 's are'}"
        return f"{count} being scored against {self.version} under these policies. The scores will appear here."


def score_latest(
    version: GoldVersion,
    policies: Policies,
    *,
    user: User | None,
    everybody: bool = False,
    measures: Sequence[str] | None = None,
) -> Scoring:
    """Queue the evaluation of the latest submissions against a gold version, except those that have it already.

    Args:
        user: owner of the runs; only submissions that they see are scored.
        everybody: score all submissions, for people who run the site.
        measures: keys; None for all that apply. Runs also include the measures of earlier runs, because leaderboards
            show the last run.

    Raises:
        InputError: a measure is unknown.
        TooManyRuns: the limit on unfinished runs is reached.
    """
    submissions = scorable(version)
    if not everybody:
        seen = visible_submissions(user, version.collection) if user else Submission.objects.none()
        submissions = submissions.filter(pk__in=seen.values("pk"))
    return _score(list(submissions), version, policies, user, measures, queue="bulk")


def score_submission(
    submission: Submission,
    version: GoldVersion,
    policies: Policies,
    *,
    user: User | None,
    measures: Sequence[str] | None = None,
) -> Scoring:
    """Queue the evaluation of one submission, as `score_latest`."""
    return _score([submission], version, policies, user, measures, queue="interactive")


def score_under_all(
    submissions: Iterable[Submission],
    version: GoldVersion,
    *,
    user: User | None,
    measures: Sequence[str] | None = None,
    queue: str = "bulk",
    limited: bool = False,
    also: Policies | None = None,
) -> list[Run]:
    """Queue the evaluations that follow from a new submission, or a new gold version.

    Each submission is scored with the default options, and with those of its leaderboard (`policies_for`). The latter
    come last and have low priority.

    Args:
        limited: whether the limits on unfinished runs apply to those with the default options.
        also: further scoring options that a person chose, scored as soon as the default ones.

    Raises:
        InputError: a measure is unknown.
        TooManyRuns: as `runs.enqueue`.
    """
    submissions = list(submissions)
    sets = policies_for(version, {submission.algorithm_id for submission in submissions})
    if also is not None:
        sets = {pk: tuple(dict.fromkeys((of_one[0], also, *of_one))) for pk, of_one in sets.items()}
    asked = requested_measures(version, submissions)
    wanted = [
        (number, submission, policies)
        for submission in submissions
        for number, policies in enumerate(sets[submission.algorithm_id])
        if (submission.pk, policies) not in asked
    ]
    return [
        runs.enqueue_evaluation(
            submission=submission,
            gold_version=version,
            user=user,
            measures=measures,
            policies=policies,
            queue=queue if not number or policies == also else "bulk",
            limited=limited and not number,
        )
        for number, submission, policies in sorted(wanted, key=lambda one: one[0] > 0)
    ]


def score_effective_submissions(algorithms: Iterable[Algorithm], collection: Collection) -> list[Run]:
    """Queue evaluations against the latest gold version for newly effective submissions of these algorithms.

    When the version was published, only effective submissions were scored. If one is deleted, made private or
    unpinned, another submission replaces it, and needs scores for the leaderboard and a challenge's final results.
    """
    version = latest_version(collection)
    if version is None:
        return []
    return score_under_all(scorable(version).filter(algorithm__in=list(algorithms)), version, user=None)


def _score(
    submissions: Sequence[Submission],
    version: GoldVersion,
    policies: Policies,
    user: User | None,
    measures: Sequence[str] | None,
    queue: str,
) -> Scoring:
    chosen = runs.computable_in(version.collection_id) if measures is None else REGISTRY.select(measures)
    keys = [measure.key for measure in chosen]
    with transaction.atomic():
        # Locked, so that a second click waits here and then finds what the first one queued.
        GoldVersion.objects.select_for_update().get(pk=version.pk)
        asked = requested_measures(version, submissions)
        missing = [one for one in submissions if not asked.get((one.pk, policies), frozenset()).issuperset(keys)]
        if missing:
            admit(user, queue)
        queued = [
            runs.enqueue_evaluation(
                submission=submission,
                gold_version=version,
                user=user,
                measures=_with_earlier(keys, asked, submission, policies),
                policies=policies,
                queue=queue,
                limited=False,
            )
            for submission in missing
        ]
    return Scoring(policies, version, tuple(queued), len(submissions) - len(missing))


def _with_earlier(
    keys: Sequence[str], asked: RequestedMeasures, submission: Submission, policies: Policies
) -> list[str]:
    """Return these measures and those of earlier runs that still exist: leaderboards show only the last run.

    Measures outside the catalogue are limited to the last ones that were requested.
    """
    wanted = {*keys, *asked.get((submission.pk, policies), frozenset())}
    others = [key for key in (*keys, *sorted(wanted.difference(keys))) if not REGISTRY.is_listed(key)]
    known = [key for key in others if REGISTRY.knows(key)]
    return [*(measure.key for measure in REGISTRY.all() if measure.key in wanted), *known[:MOST_OTHERS]]

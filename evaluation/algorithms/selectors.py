"""The page of an algorithm: its submissions, the same algorithm in other collections, and the effects of a merge."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import QueryDict

from accounts.person import Person
from annotations.access import visible_collections
from annotations.gold.selectors import latest_version, latest_versions
from annotations.models import Collection, GoldVersion
from evaluation.access import visible_algorithms, visible_stream_submissions, visible_submissions
from evaluation.charts.marks import Mark, marks
from evaluation.models import Algorithm, Run, StreamSubmission, Submission
from evaluation.ranking.entries import waiting_reasons
from evaluation.ranking.leaderboard import DEFAULT_RANKING
from evaluation.ranking.own_means import SubmissionMean, submission_means
from evaluation.scoring.columns import BoardColumn, columns
from evaluation.scoring.effective import (
    DEFAULT,
    LATEST,
    EffectiveRule,
    effective_runs,
    finished,
    last_by_key,
    rules_of,
)
from evaluation.scoring.scores import stored_and_visible
from evaluation.scoring.tables import read, table

PER_PAGE = 50
MOST_ELSEWHERE = 50
"""Other collections in the list."""


@dataclass(frozen=True, slots=True)
class SubmissionRow:
    """One submission in the list.

    Attributes:
        run: its last evaluation against the latest gold version with the default scoring options.
        mean: by the default ranking measure of leaderboards.
        waiting: why there is no run.
        counts: whether it is effective, alone or with other repeats.
        is_pinned: whether it is pinned.
    """

    submission: Submission
    run: Run | None
    mean: SubmissionMean | None
    waiting: str
    counts: bool
    is_pinned: bool


@dataclass(frozen=True, slots=True)
class SameAlgorithm:
    """The same algorithm in another collection.

    Attributes:
        mean: of its effective submission, by the default ranking measure; None if nothing is scored.
        repeats: number of submissions that count together.
    """

    algorithm: Algorithm
    mark: Mark
    version: GoldVersion | None
    mean: SubmissionMean | None
    repeats: int
    rule: EffectiveRule


@dataclass(frozen=True, slots=True)
class AlgorithmPage:
    """The content of an algorithm's page for one person.

    Attributes:
        rule: the rule that chooses the effective submission for this person.
        by: the measure of the means.
        page: a page of its submissions, latest first; ``lines`` has more about each.
        elsewhere: the same algorithm in other collections that they see.
    """

    algorithm: Algorithm
    version: GoldVersion | None
    rule: EffectiveRule
    by: BoardColumn
    page: Page[Submission]
    lines: tuple[SubmissionRow, ...]
    of_streams: tuple[StreamSubmission, ...]
    elsewhere: tuple[SameAlgorithm, ...]


def algorithm_page(algorithm: Algorithm, person: Person, given: QueryDict) -> AlgorithmPage:
    """Return the content of an algorithm's page (already checked); a constant number of database queries."""
    collection = algorithm.collection
    version, by = latest_version(collection), columns((DEFAULT_RANKING,), "", 1)[0]
    seen = visible_submissions(person, collection).filter(algorithm=algorithm)
    rule = rules_of(seen).get(algorithm.pk, LATEST)
    submissions = seen.select_related("algorithm", "created_by").order_by("-pk")
    page = Paginator(submissions, PER_PAGE).get_page(given.get("page"))
    streams = visible_stream_submissions(person, *collection.streams.all()).filter(algorithm=algorithm)
    return AlgorithmPage(
        algorithm=algorithm,
        version=version,
        rule=rule,
        by=by,
        page=page,
        lines=_lines(algorithm, list(page), seen, version, rule, by, person),
        of_streams=tuple(streams.select_related("stream", "created_by").order_by("-pk")[:PER_PAGE]),
        elsewhere=_elsewhere(algorithm, person, by),
    )


def same_in_other_collections(algorithm: Algorithm, person: Person) -> QuerySet[Algorithm]:
    """Return the same algorithm in other collections that this person sees.

    It has the same name and creator, or is the same baseline with the same parameters.
    """
    others = visible_algorithms(person, *visible_collections(person)).exclude(collection=algorithm.collection_id)
    if algorithm.baseline:
        return others.filter(baseline=algorithm.baseline, settings=algorithm.settings)
    same = Q(name__iexact=algorithm.name, created_by=algorithm.created_by_id)
    return others.filter(same, baseline="") if algorithm.created_by_id is not None else others.none()


def _lines(
    algorithm: Algorithm,
    submissions: Sequence[Submission],
    seen: QuerySet[Submission],
    version: GoldVersion | None,
    rule: EffectiveRule,
    by: BoardColumn,
    person: Person,
) -> tuple[SubmissionRow, ...]:
    if version is None:
        reasons = waiting_reasons(submissions, None, DEFAULT)
        return tuple(SubmissionRow(one, None, None, reasons[one.pk], False, False) for one in submissions)
    done = list(finished(seen).filter(gold_version=version))
    counted = {run.submission_id for run in effective_runs(done, {algorithm.pk: rule}).get(algorithm.pk, ())}
    last = last_by_key(done, lambda run: run.submission_id)
    shown = [last[one.pk] for one in submissions if one.pk in last]
    every, told = (one[version.pk] for one in stored_and_visible([version], person))
    means = submission_means(table(by, [(run,) for run in shown], read(shown, [by]), every, told)) if shown else []
    mean_of = {run.pk: mean for run, mean in zip(shown, means, strict=True)}
    reasons = waiting_reasons([one for one in submissions if one.pk not in last], version, DEFAULT)
    return tuple(
        SubmissionRow(
            one,
            run := last.get(one.pk),
            mean_of.get(run.pk) if run else None,
            reasons.get(one.pk, ""),
            one.pk in counted,
            one.pk == rule.pinned,
        )
        for one in submissions
    )


def _elsewhere(algorithm: Algorithm, person: Person, by: BoardColumn) -> tuple[SameAlgorithm, ...]:
    others = list(
        same_in_other_collections(algorithm, person).select_related("collection").order_by("collection__name", "pk")
    )
    others = others[:MOST_ELSEWHERE]
    collections: list[Collection] = [one.collection for one in others]
    versions, named = latest_versions(collections), marks(*collections)
    seen = visible_submissions(person, *collections).filter(algorithm__in=others)
    rules = rules_of(seen)
    runs = effective_runs(finished(seen).filter(gold_version__in=versions.values()), rules)
    stored = read([run for of_one in runs.values() for run in of_one], [by])
    every, told = stored_and_visible(versions.values(), person)
    found = []
    for one in others:
        version, counted = versions.get(one.collection_id), runs.get(one.pk, ())
        mean = None
        if version is not None and counted:
            mean = submission_means(table(by, [counted], stored, every[version.pk], told[version.pk]))[0]
        rule = rules.get(one.pk, LATEST)
        found.append(SameAlgorithm(one, named[one.pk], version, mean, len(counted), rule))
    return tuple(found)


# --- The effects of merging one algorithm into another, shown before it is done ---


@dataclass(frozen=True, slots=True)
class MergePreview:
    """The effects of merging an algorithm into another one.

    Attributes:
        submissions, stream_submissions: numbers of submissions that move.
        counts: the submission that would be the latest.
        repeats: repeats that both have; the later submission of each counts.
        filled: descriptive fields that only the merged algorithm has, and the other one gets.
        lost: descriptive fields that both have; those of the merged one are lost.
    """

    submissions: int
    stream_submissions: int
    counts: Submission | None
    repeats: tuple[str, ...]
    filled: tuple[str, ...]
    lost: tuple[str, ...]


def merge_preview(gone: Algorithm, into: Algorithm) -> MergePreview:
    """Return what `evaluation.algorithms.services.merge` would do now."""
    ordinary = Submission.objects.filter(algorithm__in=(gone, into), sweep=None).exclude(repeat="")
    marks = [set(ordinary.filter(algorithm=one).values_list("repeat", flat=True)) for one in (gone, into)]
    said = [name for name in Algorithm.ABOUT if getattr(gone, name) not in ("", None)]
    empty = {name for name in said if getattr(into, name) in ("", None)}
    words = {name: name.replace("_url", "").replace("_", " ").replace("bibtex", "BibTeX") for name in said}
    return MergePreview(
        submissions=gone.submissions.count(),
        stream_submissions=gone.streamsubmissions.count(),
        counts=Submission.objects.filter(algorithm__in=(gone, into), sweep=None).order_by("-pk").first(),
        repeats=tuple(sorted(marks[0] & marks[1])),
        filled=tuple(words[name] for name in said if name in empty),
        lost=tuple(words[name] for name in said if name not in empty and getattr(gone, name) != getattr(into, name)),
    )

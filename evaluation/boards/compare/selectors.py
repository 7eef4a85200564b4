"""Comparison of a few algorithms: one object for the page, its files and the API."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from accounts.person import Person
from annotations.models import Collection
from evaluation.boards.compare.comparison import (
    AlgorithmComparison,
    ComparedAlgorithm,
    ComparisonOptions,
    NotCompared,
)
from evaluation.boards.compare.pairs import check_pair, compare_pair, find_where_better
from evaluation.limits import COMPARED_ALGORITHMS, COMPARED_BY_DEFAULT
from evaluation.models import Algorithm
from evaluation.ranking.entries import Entry
from evaluation.ranking.f_of_means import OF, PARTS, find_f_of_means
from evaluation.ranking.leaderboard import Selection, current_ids, select
from evaluation.ranking.means import best_first
from evaluation.ranking.standings import ColumnScores
from evaluation.ranking.tested import (
    ColumnKey,
    ComparisonRequest,
    OfTestedSelection,
    TestedSelection,
    column_at,
    resolve_inputs,
)
from evaluation.scoring.columns import columns
from qc4.stats import Comparison, FOfMeans
from work.answers import Answer, Pending

CHEAP_PAIRS = 10_000
"""Algorithms squared x queries that can be compared in a tenth of a second."""


@dataclass(frozen=True, slots=True)
class ComparisonInputs(OfTestedSelection):
    """Request for a comparison by one column.

    Attributes:
        shown: names of the algorithms to show, among all that are tested together.
        is_pair: whether two algorithms are tested alone.
    """

    tested: TestedSelection
    column: ColumnKey
    shown: tuple[str, ...]
    is_pair: bool


def _compute(asked: ComparisonInputs) -> Comparison:
    (found,) = resolve_inputs([asked.tested])
    column = column_at(asked.column)
    scores = ColumnScores(found.question, found.tables([column])[column])
    pair = asked.shown if asked.is_pair and len(asked.shown) == 2 else None
    return scores.comparison(pair).showing(set(asked.shown))


COMPARISON = Answer(
    "comparison", ComparisonInputs, Comparison, _compute, cost=lambda asked: asked.tested.pairs, cheap=CHEAP_PAIRS
)


def compare_algorithms(collection: Collection, person: Person, asked: ComparisonOptions) -> AlgorithmComparison:
    """Return the requested comparison in a collection (already checked), as this person sees it.

    Without ids, the best algorithms of the leaderboard are compared, without reference clusterings. If there are too
    many ids, the best of them are compared. Stored results are reused.

    Raises:
        InputError: as `select`; if an algorithm of the pair is not compared.
        Pending: a part is still being computed; the other parts are its `meanwhile`.
    """
    found = select(collection, person, asked.choice)
    asked = replace(asked, choice=found.choice, **_follow_merges(collection, asked, found.algorithms))
    tested = found.tested
    if tested.question is None or not found.scored:
        return _empty(asked, found, _waiting(found))
    column = ColumnScores(tested.question, tested.tables([found.sort])[found.sort])
    found, left_off = _limit_algorithms(found, column)
    others = (*_waiting(found), *_not_compared(column, found))
    names = {entry.algorithm.name for entry in found.scored if entry.algorithm.pk not in {one.id for one in others}}
    if not names:
        return _empty(asked, found, others)
    check_pair(asked.pair, [entry.algorithm.pk for entry in found.scored if entry.algorithm.name in names])
    try:
        comparison = _comparison(tested.question, column, found, names)
    except Pending as pending:
        raise pending.showing(replace(_empty(asked, found, others), left_off=left_off, pending=True)) from None
    by_name = {entry.algorithm.name: entry for entry in column.entries}
    algorithms = tuple(_compared_algorithm(by_name[system.system]) for system in comparison.systems)
    pair = compare_pair(asked, column, comparison, algorithms)
    answer = AlgorithmComparison(asked, found, algorithms, others, left_off, comparison, pair, scores=column.tested)
    try:
        where = None if pair is None else find_where_better(tested.question, column, pair)
        f = _f_of_means(found) if found.sort.key == OF else None
    except Pending as pending:
        raise pending.showing(replace(answer, is_partial=True)) from None
    return replace(answer, pair=pair and replace(pair, where=where), f_of_means=f)


def _follow_merges(
    collection: Collection, asked: ComparisonOptions, algorithms: Mapping[int, Algorithm]
) -> dict[str, Any]:
    """Replace ids of merged algorithms in the pair and the row by their current ids."""
    row = () if asked.row is None else current_ids(collection, (asked.row,), algorithms)
    return {"pair": current_ids(collection, asked.pair, algorithms), "row": row[0] if row else None}


def _f_of_means(found: Selection) -> FOfMeans | None:
    """Return the F of the means for all algorithms that are tested together by QC4-F."""
    choice, tested = found.choice, found.tested
    if tested.question is None:
        return None
    parts = columns((*PARTS, OF), choice.level, len(found.levels) - 1, choice.policies, choice.depth)
    return find_f_of_means(tested.question, parts)


def _empty(asked: ComparisonOptions, found: Selection, others: tuple[NotCompared, ...]) -> AlgorithmComparison:
    return AlgorithmComparison(asked, found, (), others, 0, None, None)


def _limit_algorithms(found: Selection, column: ColumnScores) -> tuple[Selection, int]:
    """Limit the selection to the algorithms shown; return it with the number of requested algorithms left off."""
    ids, baseline = found.choice.algorithms, found.choice.baseline
    most = COMPARED_ALGORITHMS if ids else COMPARED_BY_DEFAULT
    if ids and len(found.entries) <= most:
        return found, 0
    means = column.plain().means
    who = (entry for entry in found.scored if means[entry.algorithm.pk].compared)
    ranked = best_first(who, means, found.sort.measure.better)
    first = [entry for entry in found.scored if entry.algorithm.pk == baseline]
    kept = {entry.algorithm.pk for entry in [*first, *(one for one in ranked if one not in first)][:most]}
    entries = tuple(entry for entry in found.entries if entry.algorithm.pk in kept)
    narrowed = replace(found, entries=entries, whole=found.tested if found.choice.family == "all" else None)
    return narrowed, max(0, len(found.entries) - len(entries)) if ids else 0


def _waiting(found: Selection) -> tuple[NotCompared, ...]:
    return tuple(
        NotCompared(entry.algorithm.pk, entry.algorithm.name, entry.waiting)
        for entry in found.entries
        if entry.run is None
    )


def _not_compared(column: ColumnScores, found: Selection) -> tuple[NotCompared, ...]:
    """Return the algorithms that are shown but not compared, without the one that all are compared with."""
    shown, yardstick = {entry.algorithm.pk for entry in found.scored}, column.yardstick
    return tuple(
        NotCompared(entry.algorithm.pk, entry.algorithm.name, reason)
        for row, entry in enumerate(column.entries)
        if entry.algorithm.pk in shown and row != yardstick and (reason := column.reason(row))
    )


def _compared_algorithm(entry: Entry) -> ComparedAlgorithm:
    algorithm = entry.algorithm
    return ComparedAlgorithm(
        algorithm.pk,
        algorithm.name,
        algorithm.baseline,
        entry.submission.pk,
        entry.rule.words,
        entry.submitted_by,
        entry.submission.created_at,
    )


def _comparison(question: ComparisonRequest, column: ColumnScores, found: Selection, names: Some[str]) -> Comparison:
    """Return the comparison that shows the named algorithms, among all that are tested together."""
    is_pair = found.choice.family == "pair"
    place = column.table.column.place
    return COMPARISON.get(ComparisonInputs(question.tested, place, tuple(sorted(names)), is_pair))

"""A few algorithms compared with each other: what the page, its files and the API say, all from one object."""

from __future__ import annotations

from collections.abc import Collection as Some
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from accounts.capacity import slow_work
from accounts.person import Person
from annotations.models import Collection
from evaluation.limits import COMPARED_ALGORITHMS, COMPARED_UNASKED
from evaluation.models import Algorithm
from evaluation.selectors.choice import effort
from evaluation.selectors.column_means import best_first
from evaluation.selectors.column_scores import ColumnScores
from evaluation.selectors.columns import columns
from evaluation.selectors.compared import Asked, Compared, Contender, NotCompared
from evaluation.selectors.entries import Entry
from evaluation.selectors.f_of_means import OF, PARTS, find_f_of_means
from evaluation.selectors.former import led_on
from evaluation.selectors.keys import Keep, Question, contents
from evaluation.selectors.leaderboard import Selection, select
from evaluation.selectors.pair_looks import check_pair, pair_look
from evaluation.selectors.stored_comparisons import (
    comparison_key,
    pack_comparison,
    unpack_comparison,
)
from qc4.comparison import Comparison, FOfMeans

QUICK_PAIRS = 60_000
"""Up to so many algorithms squared x queries they are compared at once: within about a second."""


def compared(
    collection: Collection, person: Person, asked: Asked, *, keep: Keep = lambda rows: None, wait: bool = True
) -> Compared:
    """What an address asks for in a collection (already checked), as this person sees it.

    Without ids the best algorithms of the board are compared, references aside; of more than can be compared,
    the best. What was worked out once is read.

    Args:
        keep: stores what had to be worked out, `evaluation.services.standings.keep`.
        wait: False leaves out what would take long, and says so (``pending``, ``where``).

    Raises:
        InputError: as `select`; a pair that is not among those that are compared.
    """
    found = select(collection, person, asked.choice)
    asked = replace(asked, choice=found.choice, **_led_on(collection, asked, found.algorithms))
    tested = found.tested
    if tested.question is None or not found.scored:
        return _nothing(asked, found, _waiting(found))
    column = ColumnScores(tested.question, tested.tables([found.sort])[found.sort])
    found, left_off = _narrowed(found, column)
    others = (*_waiting(found), *_aside(column, found))
    names = {entry.algorithm.name for entry in found.scored if entry.algorithm.pk not in {one.id for one in others}}
    if not names:
        return _nothing(asked, found, others)
    check_pair(asked.pair, [entry.algorithm.pk for entry in found.scored if entry.algorithm.name in names])
    comparison = _comparison(tested.question, column, found, names, keep, wait=wait)
    if comparison is None:
        return replace(_nothing(asked, found, others), left_off=left_off, pending=True)
    by_name = {entry.algorithm.name: entry for entry in column.entries}
    algorithms = tuple(_contender(by_name[system.system]) for system in comparison.systems)
    pair = pair_look(asked, tested.question, column, comparison, algorithms, keep, wait=wait)
    f = _f_of_means(found, keep) if found.sort.key == OF else None
    return Compared(asked, found, algorithms, others, left_off, comparison, pair, scores=column.tested, f_of_means=f)


def _led_on(collection: Collection, asked: Asked, algorithms: Mapping[int, Algorithm]) -> dict[str, Any]:
    """The pair and the row by the ids that algorithms have after they were merged."""
    row = () if asked.row is None else led_on(collection, (asked.row,), algorithms)
    return {"pair": led_on(collection, asked.pair, algorithms), "row": row[0] if row else None}


def _f_of_means(found: Selection, keep: Keep) -> FOfMeans | None:
    """Of the algorithms that are tested together by QC4-F."""
    choice, tested = found.choice, found.tested
    if tested.question is None:
        return None
    parts = columns((*PARTS, OF), choice.level, len(found.levels) - 1, choice.policies, choice.depth)
    return find_f_of_means(tested.question, parts, tested.tables, keep)


def _nothing(asked: Asked, found: Selection, others: tuple[NotCompared, ...]) -> Compared:
    return Compared(asked, found, (), others, 0, None, None)


def _narrowed(found: Selection, column: ColumnScores) -> tuple[Selection, int]:
    """No more algorithms than are shown, and how many that were asked for are left off."""
    ids, baseline = found.choice.algorithms, found.choice.baseline
    most = COMPARED_ALGORITHMS if ids else COMPARED_UNASKED
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


def _aside(column: ColumnScores, found: Selection) -> tuple[NotCompared, ...]:
    """Those that are shown and not compared; a reference that is the baseline is compared with."""
    shown, yardstick = {entry.algorithm.pk for entry in found.scored}, column.yardstick
    return tuple(
        NotCompared(entry.algorithm.pk, entry.algorithm.name, reason)
        for row, entry in enumerate(column.entries)
        if entry.algorithm.pk in shown and row != yardstick and (reason := column.reason(row))
    )


def _contender(entry: Entry) -> Contender:
    algorithm = entry.algorithm
    return Contender(
        algorithm.pk,
        algorithm.name,
        algorithm.baseline,
        entry.submission.pk,
        entry.rule.words,
        entry.submitted_by,
        entry.submission.created_at,
    )


def _comparison(
    question: Question, column: ColumnScores, found: Selection, names: Some[str], keep: Keep, *, wait: bool
) -> Comparison | None:
    """As it is stored, or worked out; None where that would take long.

    Args:
        names: of the algorithms that are shown, among all that are tested together.
    """
    is_pair = found.choice.family == "pair"
    key = comparison_key(question, column.table.column, sorted(names), is_pair)
    content = contents([key]).get(key)
    if content is not None:
        return unpack_comparison(content)
    slow = column.known.n_systems**2 * column.known.n_queries * effort(question.method) > QUICK_PAIRS
    if slow and not wait:
        return None
    pair = cast("tuple[str, str]", tuple(sorted(names))) if is_pair and len(names) == 2 else None
    with slow_work("a comparison", when=slow):
        shown = column.comparison(pair).showing(names)
    keep({key: pack_comparison(shown)})
    return shown

"""A few algorithms compared with each other: what the page, its files and the API say, all from one object."""

from __future__ import annotations

from dataclasses import replace

from accounts.capacity import slow_work
from accounts.person import Person
from annotations.models import Collection
from evaluation.limits import COMPARED_ALGORITHMS, COMPARED_UNASKED
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
from evaluation.selectors.tables import Table
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
    asked = replace(asked, choice=found.choice, pair=led_on(collection, asked.pair, found.algorithms))
    whole = found.question
    if whole is None or not whole.entries:
        return _nothing(asked, found, ())
    table = found.tables([found.sort])[found.sort]
    # References take part only where somebody asks for them by name.
    found, table, left_off = _narrowed(found, ColumnScores(whole, table, by_name=bool(asked.choice.algorithms)))
    question = found.question
    if question is None or not question.entries:
        return _nothing(asked, found, _waiting(found))
    column = ColumnScores(question, table, by_name=True)
    others = (*_waiting(found), *_aside(column))
    if column.scores is None:
        return _nothing(asked, found, others)
    check_pair(asked.pair, [entry.algorithm.pk for row, entry in enumerate(column.entries) if not column.reason(row)])
    comparison = _comparison(question, column, keep, wait=wait)
    if comparison is None:
        return replace(_nothing(asked, found, others), left_off=left_off, pending=True)
    by_name = {entry.algorithm.name: entry for entry in column.entries}
    algorithms = tuple(_contender(by_name[system.system]) for system in comparison.systems)
    pair = pair_look(asked, question, column, comparison, algorithms, keep, wait=wait)
    f = _f_of_means(found, question, keep) if found.sort.key == OF else None
    return Compared(asked, found, algorithms, others, left_off, comparison, pair, scores=column.known, f_of_means=f)


def _f_of_means(found: Selection, question: Question, keep: Keep) -> FOfMeans | None:
    """Of the algorithms that are compared by QC4-F."""
    choice = found.choice
    parts = columns((*PARTS, OF), choice.level, len(found.levels) - 1, choice.policies, choice.depth)
    return find_f_of_means(question, parts, found.tables, keep, by_name=True)


def _nothing(asked: Asked, found: Selection, others: tuple[NotCompared, ...]) -> Compared:
    return Compared(asked, found, (), others, 0, None, None)


def _narrowed(found: Selection, column: ColumnScores) -> tuple[Selection, Table, int]:
    """No more algorithms than are compared, with their rows, and how many that were asked for are left off."""
    ids, baseline = found.choice.algorithms, found.choice.baseline
    most = COMPARED_ALGORITHMS if ids else COMPARED_UNASKED
    if ids and len(found.entries) <= most:
        return found, column.table, 0
    means = column.plain().means
    who = (entry for entry in column.entries if means[entry.algorithm.pk].compared)
    ranked = best_first(who, means, found.sort.measure.better)
    first = [entry for entry in column.entries if entry.algorithm.pk == baseline]
    kept = {entry.algorithm.pk for entry in [*first, *(one for one in ranked if one not in first)][:most]}
    rows = [row for row, entry in enumerate(column.entries) if entry.algorithm.pk in kept]
    narrowed = replace(found, entries=tuple(column.entries[row] for row in rows))
    return narrowed, column.table.part(rows), max(0, len(found.entries) - len(rows)) if ids else 0


def _waiting(found: Selection) -> tuple[NotCompared, ...]:
    return tuple(
        NotCompared(entry.algorithm.pk, entry.algorithm.name, entry.waiting)
        for entry in found.entries
        if entry.run is None
    )


def _aside(column: ColumnScores) -> tuple[NotCompared, ...]:
    return tuple(
        NotCompared(entry.algorithm.pk, entry.algorithm.name, reason)
        for row, entry in enumerate(column.entries)
        if (reason := column.reason(row))
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


def _comparison(question: Question, column: ColumnScores, keep: Keep, *, wait: bool) -> Comparison | None:
    """As it is stored, or worked out; None where that would take long."""
    key = comparison_key(question, column.table.column)
    content = contents([key]).get(key)
    if content is not None:
        return unpack_comparison(content)
    slow = column.known.n_systems**2 * column.known.n_queries * effort(question.method) > QUICK_PAIRS
    if slow and not wait:
        return None
    with slow_work("a comparison", when=slow):
        found = column.comparison()
    keep({key: pack_comparison(found)})
    return found

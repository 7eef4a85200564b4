"""Two algorithms of a comparison, query by query, and where one of them is better."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import nan

import numpy as np

from accounts.capacity import slow_work
from evaluation.selectors.choice import effort
from evaluation.selectors.column_scores import ColumnScores
from evaluation.selectors.compared import Asked, Contender, PairLook, QueryDifference
from evaluation.selectors.keys import Keep, Question, contents
from evaluation.selectors.query_facts import query_facts
from evaluation.selectors.stored_comparisons import pack_where, unpack_where, where_key
from qc4.comparison import Comparison, WhereBetter, pair_sentence, where_better
from qc4.problems import InputError, Problem

QUICK_QUERIES = 100
"""Up to so many queries it is worked out at once: within about a second."""


def pair_look(
    asked: Asked,
    question: Question,
    column: ColumnScores,
    comparison: Comparison,
    algorithms: Sequence[Contender],
    keep: Keep,
    *,
    wait: bool,
) -> PairLook | None:
    """Two of those that are compared; None where there is but one."""
    if len(algorithms) < 2:
        return None
    a, b = _chosen_pair(asked, comparison, algorithms)
    rows = [_row(column, one) for one in (a, b)]
    differences = _differences(column, *rows)
    named = {frozenset((pair.a, pair.b)): pair for pair in comparison.pairs}
    pair = named.get(frozenset((a.name, b.name)))
    sentence = "" if pair is None else pair_sentence(comparison, pair)
    where = _where(question, column, (a, b), rows, keep, wait=wait)
    return PairLook(a, b, sentence, differences, where)


def check_pair(pair: Sequence[int], known: Collection[int]) -> None:
    """Raise InputError unless both algorithms of a pair, if one is chosen, are among those that are compared."""
    unknown = [pk for pk in pair if pk not in known]
    if unknown:
        expected = f"the id of an algorithm that is compared: {', '.join(map(str, known))}"
        raise InputError([Problem("unknown-algorithm", "pair", str(pk), expected) for pk in unknown])


def _chosen_pair(asked: Asked, comparison: Comparison, algorithms: Sequence[Contender]) -> tuple[Contender, Contender]:
    if not asked.pair:
        last = next((one for one in algorithms if one.name == comparison.baseline), algorithms[1])
        return next(one for one in algorithms if one is not last), last
    by_id = {one.id: one for one in algorithms}
    return by_id[asked.pair[0]], by_id[asked.pair[1]]


def _row(column: ColumnScores, one: Contender) -> int:
    return next(row for row, entry in enumerate(column.entries) if entry.algorithm.pk == one.id)


def _differences(column: ColumnScores, a: int, b: int) -> tuple[QueryDifference, ...]:
    sign = column.known.sign
    found = []
    for place, query in enumerate(column.table.queries):
        one, other = (_number(column.values[row, place]) for row in (a, b))
        a_missing, b_missing = (bool(column.missing[row, place]) for row in (a, b))
        difference, reason = None, ""
        if column.queries[place] and one is not None and other is not None:
            difference = sign * (one - other)
        else:
            reason = _why_not(column, place, (a, b))
        found.append(QueryDifference(query.key, query.text, one, other, difference, a_missing, b_missing, reason))
    return tuple(found)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _why_not(column: ColumnScores, place: int, rows: Sequence[int]) -> str:
    """Why a query is not compared: what one of the two lacks there, or another algorithm."""
    for row in (*rows, *np.flatnonzero(column.rows).tolist()):
        if not column.has[row, place]:
            return f"{column.entries[row].algorithm.name}: {column.table.cell(row, place).reason}"
    return "no algorithm has a value"


def _where(
    question: Question,
    column: ColumnScores,
    pair: tuple[Contender, Contender],
    rows: Sequence[int],
    keep: Keep,
    *,
    wait: bool,
) -> WhereBetter | None:
    """Where one of two is better; None for one query, and where it would take long."""
    queries = [query for query, is_in in zip(column.table.queries, column.queries, strict=True) if is_in]
    if len(queries) < 2:
        return None
    known = query_facts(question.version, queries, keep, wait=wait)
    if known is None:
        return None
    facts_key, facts = known
    key = where_key(question, column.table.column, [one.id for one in pair], facts_key)
    content = contents([key]).get(key)
    if content is not None:
        return unpack_where(content)
    method = question.method
    slow = len(queries) * effort(method) > QUICK_QUERIES
    if slow and not wait:
        return None
    with slow_work("where one algorithm is better", when=slow):
        found = where_better(
            column.values[np.ix_(np.array(rows), column.queries)],
            {name: [nan if value is None else value for value in values] for name, values in facts.items()},
            [one.name for one in pair],
            column.query_names,
            better=column.table.column.measure.better,
            alpha=method.alpha,
            draws=method.draws,
            seed=method.seed,
        )
    keep({key: pack_where(found)})
    return found

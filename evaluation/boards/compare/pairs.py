"""Two algorithms of a comparison query by query, and the kinds of queries on which one of them is better."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np
from django.db.models import Sum

from annotations.models import GoldVersion, GoldVersionEntry
from evaluation.boards.compare.comparison import (
    ComparedAlgorithm,
    ComparisonOptions,
    PairComparison,
    QueryDifference,
)
from evaluation.ranking.standings import ColumnScores
from evaluation.ranking.tested import (
    ColumnKey,
    ComparisonRequest,
    OfTestedSelection,
    TestedSelection,
    column_at,
    relative_effort,
    resolve_inputs,
)
from evaluation.scoring.cases import gold_standard
from evaluation.scoring.scores import ScoredQuery
from qc4.model.hierarchy import Hierarchy
from qc4.problems import InputError, Problem
from qc4.stats import Comparison, WhereBetter, pair_sentence, where_better
from work.answers import Answer

# --- Properties of queries, computed from their gold standards ---

FACTS = ("mean topic size", "levels", "share of pages in several topics", "number of topics")
"""Names of the values that `facts_of` returns, in its order."""


def facts_of(hierarchy: Hierarchy) -> list[float | None]:
    """Return the `FACTS` of a gold standard without its outlier topic.

    A value is None if it is undefined because there are no topics or no pages. A page is in several topics if it
    belongs to two or more topics of one level.
    """
    if not hierarchy.n_topics:
        return [None, float(hierarchy.n_levels), None, 0.0]
    several = np.zeros(hierarchy.n_pages, dtype=bool)
    for level in hierarchy.levels:
        several |= hierarchy.pages[hierarchy.topics_on(level)].sum(axis=0) > 1
    return [
        float(hierarchy.sizes.mean()),
        float(hierarchy.n_levels),
        float(several.mean()) if several.size else None,
        float(hierarchy.n_topics),
    ]


def query_facts(version: GoldVersion, queries: Sequence[ScoredQuery]) -> dict[str, list[float | None]]:
    """Return the value of each fact for each of these queries of a gold version, with one database query."""
    rows = GoldVersionEntry.objects.filter(version=version, query__in=[query.pk for query in queries])
    golds = {row.query_id: row.gold for row in rows.select_related("gold__file")}
    known = {pk: facts_of(gold_standard(gold).hierarchy) for pk, gold in golds.items()}
    return {name: [known[query.pk][at] for query in queries] for at, name in enumerate(FACTS)}


PAGES_PER_QUERY = 250
"""Pages of gold standards that are read in the time that one query takes."""
CHEAP_QUERIES = 40
"""Queries whose groups are computed in a tenth of a second, including reading their gold standards."""


@dataclass(frozen=True, slots=True)
class WhereBetterInputs(OfTestedSelection):
    """Request for the differences of two algorithms (by id), grouped by facts of the queries.

    Attributes:
        pages: number of pages in the gold standards that are read.
    """

    tested: TestedSelection
    column: ColumnKey
    pair: tuple[int, int]
    pages: int


def _compute(asked: WhereBetterInputs) -> WhereBetter:
    (found,) = resolve_inputs([asked.tested])
    at = column_at(asked.column)
    column = ColumnScores(found.question, found.tables([at])[at])
    queries = [query for query, is_in in zip(column.table.queries, column.queries, strict=True) if is_in]
    facts = query_facts(found.question.version, queries)
    rows = [_row(column, pk) for pk in asked.pair]
    method = asked.tested.method
    return where_better(
        column.values[np.ix_(np.array(rows), column.queries)],
        {name: [nan if value is None else value for value in values] for name, values in facts.items()},
        [column.entries[row].algorithm.name for row in rows],
        column.query_names,
        better=column.table.column.measure.better,
        alpha=method.alpha,
        draws=method.draws,
        seed=method.seed,
    )


WHERE_BETTER = Answer(
    "where-better",
    WhereBetterInputs,
    WhereBetter,
    _compute,
    cost=lambda asked: len(asked.tested.queries) * relative_effort(asked.tested.method) + asked.pages / PAGES_PER_QUERY,
    cheap=CHEAP_QUERIES,
)


def compare_pair(
    asked: ComparisonOptions, column: ColumnScores, comparison: Comparison, algorithms: Sequence[ComparedAlgorithm]
) -> PairComparison | None:
    """Return two of the compared algorithms query by query; None if there is only one."""
    if len(algorithms) < 2:
        return None
    a, b = _chosen_pair(asked, comparison, algorithms)
    differences = _differences(column, *(_row(column, one.id) for one in (a, b)))
    named = {frozenset((pair.a, pair.b)): pair for pair in comparison.pairs}
    pair = named.get(frozenset((a.name, b.name)))
    sentence = "" if pair is None else pair_sentence(comparison, pair)
    return PairComparison(a, b, sentence, differences)


def find_where_better(question: ComparisonRequest, column: ColumnScores, pair: PairComparison) -> WhereBetter | None:
    """Return the differences of a pair, grouped by facts of the queries; None for one query.

    Raises:
        Pending: the groups are still being computed.
    """
    if column.queries.sum() < 2:
        return None
    entries = question.version.entries.filter(query__in=question.queries)
    pages = entries.aggregate(pages=Sum("gold__n_pages"))["pages"] or 0
    return WHERE_BETTER.get(
        WhereBetterInputs(question.tested, column.table.column.place, (pair.a.id, pair.b.id), pages)
    )


def check_pair(pair: Sequence[int], known: Collection[int]) -> None:
    """Raise InputError if a chosen pair names an algorithm that is not compared."""
    unknown = [pk for pk in pair if pk not in known]
    if unknown:
        expected = f"the id of an algorithm that is compared: {', '.join(map(str, known))}"
        raise InputError([Problem("unknown-algorithm", "pair", str(pk), expected) for pk in unknown])


def _chosen_pair(
    asked: ComparisonOptions, comparison: Comparison, algorithms: Sequence[ComparedAlgorithm]
) -> tuple[ComparedAlgorithm, ComparedAlgorithm]:
    if not asked.pair:
        last = next((one for one in algorithms if one.name == comparison.baseline), algorithms[1])
        return next(one for one in algorithms if one is not last), last
    by_id = {one.id: one for one in algorithms}
    return by_id[asked.pair[0]], by_id[asked.pair[1]]


def _row(column: ColumnScores, algorithm: int) -> int:
    return next(row for row, entry in enumerate(column.entries) if entry.algorithm.pk == algorithm)


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
            reason = _reason_not_compared(column, place, (a, b))
        found.append(QueryDifference(query.key, query.text, one, other, difference, a_missing, b_missing, reason))
    return tuple(found)


def _number(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _reason_not_compared(column: ColumnScores, place: int, rows: Sequence[int]) -> str:
    """Return why a query is not compared: one of the two, or another algorithm, has no value there."""
    for row in (*rows, *np.flatnonzero(column.rows).tolist()):
        if not column.has[row, place]:
            return f"{column.entries[row].algorithm.name}: {column.table.cell(row, place).reason}"
    return "no algorithm has a value"

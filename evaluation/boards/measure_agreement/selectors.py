"""Agreement of measures: whether they rank a collection's algorithms alike, and where they contradict each other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from accounts.person import Person
from annotations.models import Collection
from evaluation.limits import MEASURED_ALGORITHMS, MEASURES_AT_ONCE
from evaluation.models import Algorithm
from evaluation.ranking.entries import SYSTEM_WORD, Entry
from evaluation.ranking.leaderboard import Selection, select
from evaluation.ranking.means import best_first
from evaluation.ranking.standings import CELL, compared, count_scores, is_never_ranked, means_without_tests
from evaluation.ranking.tested import (
    ColumnKey,
    ComparisonRequest,
    OfTestedSelection,
    TestedSelection,
    column_at,
    relative_effort,
    resolve_inputs,
)
from evaluation.ranking.wording import source_words
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.scores import names_in_files
from evaluation.scoring.tables import Table
from qc4.problems import InputError, Problem
from qc4.records import Record
from qc4.stats import (
    MIN_COVERAGE,
    Contradiction,
    MeasureComparison,
    compare_measures,
    measures_methods_sentence,
    measures_sentence,
)
from qc4.wording import counted as number_of
from work.answers import Answer, Pending
from work.records import RECORDS

CHEAP_PAIRS = 40_000
"""Algorithms squared x queries whose tests by one measure take a tenth of a second."""
DRAWS_COST, SQUARED_DRAWS_COST, TUKEY_COST = 80, 1, 30_000
"""Further cost of each measure: resampling per query, per query squared, and the table of Tukey's test."""
DEFAULT_MEASURES = ("quality", "coverage", "qc4_f", "aq", "wq", "ac", "wc", "ari", "bcubed_f", "nmi_sqrt", "omega")
"""The paper's own measures and one of each kind that papers report, except those that would exclude many queries."""


@dataclass(frozen=True, slots=True)
class Excluded(Record):
    """A measure, an algorithm or some queries that are excluded from the comparison, and why."""

    name: str
    why: str


@dataclass(frozen=True, slots=True)
class ContradictedPair(Record):
    """Two algorithms, the measures by which a is significantly better, and those by which b is."""

    a: str
    b: str
    by_a: tuple[str, ...]
    by_b: tuple[str, ...]


@dataclass(frozen=True)
class MeasuresCompared(Record):
    """Measures compared on the same algorithms and the same queries.

    Attributes:
        columns: the compared measures, each on its level.
        algorithms: name -> algorithm, of all algorithms with scores.
        result: the comparison; None if fewer than two measures or algorithms remain, or while it is being computed.
        measures_left_out, algorithms_left_out: excluded measures and algorithms, and why.
        left_out_by_default: default measures that would exclude many queries, and how many.
        queries_left_out: measures that lack the value of an algorithm on some queries, and on how many.
        pending: whether the comparison is still being computed.
        note: why there is no result; empty otherwise.
    """

    KEYS = (
        "collection=selection.collection.slug gold_version=selection.version?.number "
        "missing=selection.choice.missing policies=selection.choice.policies measures=columns measures_left_out "
        "left_out_by_default algorithms_left_out queries_left_out note narrowed|null sentence methods "
        "contradicted result"
    )

    selection: Selection
    columns: tuple[BoardColumn, ...]
    algorithms: Mapping[str, Algorithm]
    measures_left_out: tuple[Excluded, ...]
    algorithms_left_out: tuple[Excluded, ...]
    result: MeasureComparison | None
    queries_left_out: tuple[Excluded, ...] = ()
    left_out_by_default: tuple[Excluded, ...] = ()
    pending: bool = False
    note: str = ""

    @cached_property
    def titles(self) -> dict[str, str]:
        """Key of a measure -> its title."""
        return {column.key: column.measure.title for column in self.columns}

    @property
    def sentence(self) -> str:
        """Which measures agree most and least; empty if nothing is compared."""
        return "" if self.result is None else measures_sentence(self.result, self.titles, SYSTEM_WORD)

    @property
    def narrowed(self) -> str:
        """How many queries are compared and which measures exclude the others; empty if all are compared."""
        if self.result is None or self.result.queries == len(self.selection.queries):
            return ""
        total = number_of(len(self.selection.queries), "query", "queries")
        blame = ", ".join(one.name for one in self.queries_left_out)
        return (
            f"Based on {self.result.queries:,} of {total}. On the others, an algorithm has no value by "
            f"{blame or 'one of the measures'}. Without these measures, more queries can be used."
        )

    @property
    def methods(self) -> str:
        """Description of the method, for a paper; empty if nothing is compared."""
        if self.result is None:
            return ""
        return f"{measures_methods_sentence(self.result, SYSTEM_WORD)} {source_words(self.selection)}."

    @cached_property
    def contradicted(self) -> tuple[ContradictedPair, ...]:
        """The pairs of algorithms that differ significantly in opposite directions by two measures, each pair once."""
        found: dict[tuple[str, str], tuple[set[str], set[str]]] = {}
        for of in self.result.agreements if self.result else ():
            for pair in of.contradictions:
                turned = (pair.b, pair.a) in found
                by_a, by_b = found.setdefault((pair.b, pair.a) if turned else (pair.a, pair.b), (set(), set()))
                (by_b if turned else by_a).add(of.one)
                (by_a if turned else by_b).add(of.other)
        keys = [column.key for column in self.columns]
        return tuple(
            ContradictedPair(a, b, *(tuple(key for key in keys if key in by) for by in sides))
            for (a, b), sides in found.items()
        )


@dataclass(frozen=True, slots=True)
class MeasuresInputs(OfTestedSelection):
    """Request for a comparison of measures.

    Attributes:
        columns: the requested measures.
        sort: the column that ranks the leaderboard.
        chosen: whether the user named the measures; if not, measures that would exclude many queries may be removed.
    """

    tested: TestedSelection
    columns: tuple[ColumnKey, ...]
    sort: ColumnKey
    chosen: bool


@dataclass(frozen=True, slots=True)
class MeasuresResult:
    """Stored part of a `MeasuresCompared`; the rest follows from the user's options.

    Attributes:
        kept: the columns without those removed by default.
        compared: the kept columns for which two or more algorithms have values.
    """

    kept: tuple[ColumnKey, ...]
    compared: tuple[ColumnKey, ...]
    measures_left_out: tuple[Excluded, ...] = ()
    algorithms_left_out: tuple[Excluded, ...] = ()
    queries_left_out: tuple[Excluded, ...] = ()
    left_out_by_default: tuple[Excluded, ...] = ()
    result: MeasureComparison | None = None
    note: str = ""


def _compute(asked: MeasuresInputs) -> MeasuresResult:
    (resolved_rows,) = resolve_inputs([asked.tested])
    question, queries = resolved_rows.question, resolved_rows.seen
    tables, sort = resolved_rows.tables([column_at(place) for place in asked.columns]), column_at(asked.sort)
    rows, more = _rows(question, tables[sort], sort)
    known = {column: count_scores(question, table).values[rows] for column, table in tables.items()}
    entries = [question.entries[row] for row in rows]
    by_default = () if asked.chosen else measures_to_remove(entries, known, sort)
    known = {column: values for column, values in known.items() if column not in dict(by_default)}
    columns, empty = _columns(known)
    found = MeasuresResult(
        tuple(column.place for column in known), tuple(column.place for column in columns), empty, more
    )
    if len(columns) < 2:
        return replace(found, note="fewer than two of these measures have values")
    has = np.logical_and.reduce([~np.isnan(known[column]) for column in columns])
    kept, at = compared(has, [False] * len(entries))
    found = replace(found, algorithms_left_out=(*_excluded_algorithms(entries, kept, columns, known), *more))
    if kept.sum() < 2 or not at.any():
        return replace(found, note="fewer than two algorithms have values under all of these measures")
    names = names_in_files(queries)
    result = compare_measures(
        {column.key: known[column][np.ix_(kept, at)] for column in columns},
        [entry.algorithm.name for entry, is_in in zip(entries, kept, strict=True) if is_in],
        [names[query.key] for query, is_in in zip(queries, at, strict=True) if is_in],
        better={column.key: column.measure.better for column in columns},
        **{name: getattr(question.method, name) for name in ("alpha", "draws", "seed", "procedure")},
    )
    return replace(
        found,
        result=result,
        queries_left_out=_queries_excluded(len(queries), [(column, known[column][kept]) for column in columns]),
        left_out_by_default=_excluded_by_default(by_default, len(queries)),
    )


def _cost(asked: MeasuresInputs) -> float:
    n_systems, n_queries = min(len(asked.tested.algorithms), MEASURED_ALGORITHMS), len(asked.tested.queries)
    drawn = (
        n_queries * (n_systems**2 + DRAWS_COST + SQUARED_DRAWS_COST * n_queries) * relative_effort(asked.tested.method)
    )
    tukey = TUKEY_COST if asked.tested.method.procedure == "tukey" else 0
    return len(asked.columns) * (CELL * asked.tested.cells + drawn + tukey)


# Stored as short lists, because there may be tens of thousands of contradictions.
RECORDS.register_unstructure_hook(Contradiction, lambda one: [one.a, one.b])
RECORDS.register_structure_hook(Contradiction, lambda content, _: Contradiction(*content))
MEASURES = Answer("measures", MeasuresInputs, MeasuresResult, _compute, cost=_cost, cheap=CHEAP_PAIRS)


def compare_chosen_measures(collection: Collection, person: Person, choice: BoardOptions) -> MeasuresCompared:
    """Compare the chosen measures in a collection (already checked), as this person sees it.

    By default, the measures are those of `DEFAULT_MEASURES` that have values on many queries. The compared algorithms
    have a value under every measure on most queries, and the compared queries are those where all of these have one.
    This is the rule of the leaderboard (`column_scores.compared`), applied to all measures together.

    Raises:
        InputError: as `select`; if there are too many measures or algorithms to compare at once.
        Pending: the comparison is still being computed; the chosen options are its `meanwhile`.
    """
    of = select(collection, person, choice if choice.measures else replace(choice, measures=DEFAULT_MEASURES))
    _check_size(of)
    question = of.question
    if question is None or not question.entries:
        return MeasuresCompared(of, (), {}, (), (), None, note="no algorithm has scores yet")
    places = {column.place: column for column in of.columns}
    try:
        found = MEASURES.get(MeasuresInputs(question.tested, tuple(places), of.sort.place, bool(choice.measures)))
    except Pending as pending:
        raise pending.showing(MeasuresCompared(of, (), {}, (), (), None, pending=True)) from None
    return MeasuresCompared(
        replace(of, columns=tuple(places[place] for place in found.kept)),
        tuple(places[place] for place in found.compared),
        {entry.algorithm.name: entry.algorithm for entry in question.entries},
        found.measures_left_out,
        found.algorithms_left_out,
        found.result,
        found.queries_left_out,
        found.left_out_by_default,
        note=found.note,
    )


def _excluded_by_default(measures: Iterable[tuple[BoardColumn, int]], n_queries: int) -> tuple[Excluded, ...]:
    return tuple(
        Excluded(column.measure.title, f"would exclude {size} of {n_queries} queries") for column, size in measures
    )


def measures_to_remove(
    entries: Sequence[Entry], known: Mapping[BoardColumn, Any], sort: BoardColumn
) -> tuple[tuple[BoardColumn, int], ...]:
    """Return the measures to remove so that more queries are compared, in order, with the queries each would exclude.

    A measure is removed if it would exclude more queries than a comparison may lack. A query counts as excluded if
    every compared algorithm has a value there by some measure, but not all have one by this measure. At least two
    measures remain, and so does the one that ranks the leaderboard.
    """
    left, gone = list(known), []
    while len(left) > 2:
        has = {column: ~np.isnan(known[column]) for column in left}
        rows = compared(np.logical_and.reduce(list(has.values())), [False] * len(entries))[0]
        some = np.logical_or.reduce(list(has.values()))
        rows = rows if rows.any() else some.any(axis=1)
        asked = some[rows].all(axis=0)
        sizes = {column: int((asked & ~has[column][rows].all(axis=0)).sum()) for column in left if column != sort}
        worst = max(sizes, key=lambda column: sizes[column])
        if sizes[worst] <= (1 - MIN_COVERAGE) * asked.sum():
            break
        left.remove(worst)
        gone.append((worst, sizes[worst]))
    return tuple(gone)


def _check_size(found: Selection) -> None:
    sizes = (
        ("measures", len(found.columns), MEASURES_AT_ONCE),
        ("algorithms", len(found.choice.algorithms), MEASURED_ALGORITHMS),
    )
    problems = [
        Problem("too-many", name, f"{size} {name}", f"at most {most} at once", f"Choose fewer {name}.")
        for name, size, most in sizes
        if size > most
    ]
    if problems:
        raise InputError(problems)


def _rows(question: ComparisonRequest, table: Table, sort: BoardColumn) -> tuple[list[int], tuple[Excluded, ...]]:
    """Return the rows of the algorithms to compare (if there are too many, the best), and the excluded algorithms."""
    everybody = [row for row, entry in enumerate(question.entries) if not is_never_ranked(entry)]
    if len(everybody) <= MEASURED_ALGORITHMS:
        return everybody, ()
    means = means_without_tests(question, {sort: table})[sort].means
    ranked = best_first([question.entries[row] for row in everybody], means, sort.measure.better)
    ordered = [question.entries.index(entry) for entry in ranked]
    why = f"only the best {MEASURED_ALGORITHMS} by {sort.measure.title} are compared"
    rest = (Excluded(question.entries[row].algorithm.name, why) for row in ordered[MEASURED_ALGORITHMS:])
    return sorted(ordered[:MEASURED_ALGORITHMS]), tuple(rest)


def _columns(known: Mapping[BoardColumn, Any]) -> tuple[tuple[BoardColumn, ...], tuple[Excluded, ...]]:
    """Return the measures for which two or more algorithms have values, and the excluded ones."""
    sizes = {column: int((~np.isnan(values)).any(axis=1).sum()) for column, values in known.items()}
    empty = [
        Excluded(column.measure.title, f"{'only one' if size else 'no'} algorithm has values")
        for column, size in sizes.items()
        if size < 2
    ]
    return tuple(column for column, size in sizes.items() if size >= 2), tuple(empty)


def _excluded_algorithms(
    entries: Sequence[Entry], kept: Any, columns: Sequence[BoardColumn], known: Mapping[BoardColumn, Any]
) -> tuple[Excluded, ...]:
    """Return the algorithms that lack values, and of which measures."""
    found = []
    for row, entry in enumerate(entries):
        if kept[row]:
            continue
        lacking = {column.measure.title: int(np.isnan(known[column][row]).sum()) for column in columns}
        words = [f"{title} on {gaps}" for title, gaps in lacking.items() if gaps]
        found.append(Excluded(entry.algorithm.name, f"no value by {', '.join(words)} of the queries"))
    return tuple(found)


def _queries_excluded(total: int, known: Sequence[tuple[BoardColumn, Any]]) -> tuple[Excluded, ...]:
    """Return the measures that exclude queries, with the largest number first."""
    gaps = [(column.measure.title, int(np.isnan(values).any(axis=0).sum())) for column, values in known]
    gaps.sort(key=lambda one: -one[1])
    return tuple(Excluded(title, f"{size} of {total} queries are excluded") for title, size in gaps if size)

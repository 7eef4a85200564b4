"""Means, tests of pairs and ranks of a column, after the rule for missing cells was applied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from types import MappingProxyType
from typing import Any

import numpy as np

from evaluation.ranking.entries import SYSTEM_WORD, Entry
from evaluation.ranking.means import (
    PLACES,
    BaselineComparison,
    ColumnStanding,
    Mean,
    Means,
    against_baseline,
    pack_standing,
    unpack_standing,
)
from evaluation.ranking.tested import (
    ColumnKey,
    ComparisonRequest,
    OfTestedSelection,
    TestedSelection,
    column_at,
    resolve_inputs,
    vars_of,
)
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.scores import State, names_in_files
from evaluation.scoring.tables import Table
from qc4.arrays import BoolArray, FloatArray
from qc4.stats import (
    MIN_COVERAGE,
    Comparison,
    Method,
    Scores,
    SystemResult,
    compare,
    leader_sentence,
    means,
    methods_sentence,
    read_scores,
)
from qc4.stats.scores import Missing
from qc4.wording import mean_words
from work.answers import Answer, Pending
from work.records import RECORDS

REFERENCE_NOTE = "a reference clustering, shown for scale and not ranked"
GOLD_NOTE = "the gold standard itself, shown for scale and not ranked"
ONLY_REFERENCES = "only reference clusterings have values here, which are not ranked"


@dataclass(frozen=True, eq=False, slots=True)
class CountedScores:
    """A column's values as they count.

    Attributes:
        values: (algorithms, queries) with the rule for missing cells applied; NaN for no value.
        rows: (algorithms,) which algorithms are compared.
        queries: (queries,) where all compared algorithms have a value.
        standing: their means, without tests.
    """

    values: FloatArray
    rows: BoolArray
    queries: BoolArray
    standing: ColumnStanding


def count_scores(question: ComparisonRequest, table: Table) -> CountedScores:
    """Return the values of a table as they count; its rows are the question's entries that have a run."""
    found = ColumnScores(question, table)
    return CountedScores(found.values, found.rows, found.queries, found.plain())


class ColumnScores:
    """One column's table with the rule for missing cells applied, and the algorithms and queries that are compared.

    Attributes:
        entries: the rows of the table, which have a run.
        missing: (rows, queries) where there is no clustering.
        values: (rows, queries) as they count; NaN for no value.
        aside: (rows,) reference clusterings, including the gold standard, which are never compared.
        rows: (rows,) which are compared.
        queries: (queries,) on which they are compared.
        scores: the scores of the compared rows; None if there are none.
    """

    def __init__(self, question: ComparisonRequest, table: Table) -> None:
        self.question, self.table = question, table
        self.entries = [entry for entry in question.entries if entry.run]
        self.missing: BoolArray = table.in_state(State.MISSING)
        self.values, self.runs = filled(table, question.missing)
        self.has = ~np.isnan(self.values)
        self.aside = [is_never_ranked(entry) for entry in self.entries]
        rows, queries = compared(self.has, self.aside)
        self.rows, self.queries = rows, queries
        self.scores = self._scores(rows) if rows.any() and queries.any() else None

    def _scores(self, rows: BoolArray) -> Scores:
        table = self.table
        return read_scores(
            self.values[np.ix_(rows, self.queries)],
            [entry.algorithm.name for entry, is_in in zip(self.entries, rows, strict=True) if is_in],
            self.query_names,
            better=table.column.measure.better,
        )

    @property
    def tested(self) -> Scores:
        """The scores of all systems that are tested together, including a reference if it is the baseline."""
        row = self.yardstick
        return self.known if row is None else self._scores(self.rows | (np.arange(len(self.rows)) == row))

    @property
    def query_names(self) -> list[str]:
        """The names in files of the queries on which algorithms are compared.

        Random draws depend on the order of these names, so `qc4 compare` gets equal results from a file of the scores.
        """
        names = names_in_files(self.table.queries)
        return [names[query.key] for query, is_in in zip(self.table.queries, self.queries, strict=True) if is_in]

    @property
    def known(self) -> Scores:
        if self.scores is None:
            raise ValueError("nothing is compared in this column")
        return self.scores

    @property
    def yardstick(self) -> int | None:
        """The row of a reference that is the baseline; None unless it has values on all compared queries."""
        for row, entry in enumerate(self.entries):
            if entry.algorithm.pk == self.question.baseline and self.aside[row] and not entry.is_gold:
                return row if self.has[row][self.queries].all() else None
        return None

    def comparison(self, pair: tuple[str, str] | None = None) -> Comparison:
        """Compare the algorithms: every pair, each with the baseline, or one pair.

        A reference can be the baseline, and then takes part. A baseline that cannot be compared is ignored.

        Args:
            pair: the names of two algorithms, compared on the queries on which all are compared.
        """
        named = {entry.algorithm.pk: entry.algorithm.name for entry in self.entries}
        baseline = None if pair else named.get(self.question.baseline or 0)
        found = compare_scores(self.known if pair else self.tested, self.question.method, baseline, pair)
        names_of = names_in_files(self.table.queries)
        left_out = tuple(
            names_of[query.key] for query, is_in in zip(self.table.queries, self.queries, strict=True) if not is_in
        )
        counted = self.missing[np.ix_(self.rows, self.queries)]
        return replace(found, missing=self.question.missing, filled=int(counted.sum()), left_out=left_out)

    def reason(self, row: int) -> str:
        """Return why an entry is not compared; empty if it is."""
        if self.rows[row]:
            return ""
        mean, n = self._alone(row), int(self.has[row].sum())
        if self.aside[row]:
            known = mean_words(mean.value, mean.counted, mean.total)
            what = GOLD_NOTE if self.entries[row].is_gold else REFERENCE_NOTE
            return f"{what}; mean {known}" if mean.value is not None else what
        if mean.value is None:
            return mean.reason
        undefined = [gap.reason for gap in self.table.gaps[row].values() if gap.state is State.UNDEFINED]
        why = f": {undefined[0]}" if undefined else ""
        total = int(queries_with_values(self.has, self.aside).sum())
        return f"values on {n} of {total} queries, fewer than {MIN_COVERAGE:.0%}{why}"

    def ranked(self) -> ColumnStanding:
        """Return the means, and the tests of one family of pairs: all pairs, or those with the baseline."""
        found = self.comparison()
        against = {}
        if found.baseline is not None:
            turned = {pair.b if pair.a == found.baseline else pair.a: pair for pair in found.pairs}
            against = {name: against_baseline(pair, found.baseline) for name, pair in turned.items()}
        plain = self.plain(found.systems if found.family == "all" else (), against)
        return replace(
            plain,
            ranks=self.known.n_systems > 1 and not found.note,
            note=found.note,
            sentence=leader_sentence(found, SYSTEM_WORD),
            methods=methods_sentence(found, called=SYSTEM_WORD),
            family=found.family,
            family_size=found.family_size,
            critical_value=found.critical_value,
            any_difference_p=found.any_difference_p,
        )

    def plain(
        self, systems: Sequence[SystemResult] = (), against: Mapping[str, BaselineComparison] = MappingProxyType({})
    ) -> ColumnStanding:
        """Return the means without tests, ranked by value.

        Args:
            systems: results of the comparison of all pairs, if any.
            against: name -> comparison with the baseline.
        """
        if self.scores is None:
            return self.uncompared()
        by_name, several = {system.system: system for system in systems}, self.known.n_systems > 1
        means_of = {one.system: one for one in means([self.known], None)[0]}
        found = {}
        for row, entry in enumerate(self.entries):
            name, mean = entry.algorithm.name, self._alone(row)
            if self.rows[row]:
                own = means_of[name]
                mean = replace(
                    mean, value=own.mean, counted=self.known.n_queries, compared=True,
                    rank=own.rank if several else None, against=against.get(name),
                )  # fmt: skip
                if name in by_name and several:
                    mean = replace(mean, **{fact: getattr(by_name[name], fact) for fact in PLACES})
            found[entry.algorithm.pk] = mean
        return ColumnStanding(Means.of(found), self.known.n_queries, ranks=False)

    def uncompared(self) -> ColumnStanding:
        only_references = not queries_with_values(self.has, self.aside).any() and self.has.any()
        note = ONLY_REFERENCES if only_references else "no queries on which all these algorithms have values"
        found = {entry.algorithm.pk: self._alone(row) for row, entry in enumerate(self.entries)}
        return ColumnStanding(Means.of(found), 0, ranks=False, note=note)

    def _alone(self, row: int) -> Mean:
        """Return an algorithm's mean: over the compared queries if it has values on all of them, else over its own."""
        has, states = self.has[row], [gap.state for gap in self.table.gaps[row].values()]
        counted = self.queries if self.queries.any() and has[self.queries].all() else has
        values = self.values[row][counted]
        return Mean(
            value=fsum(values.tolist()) / values.size if values.size else None,
            counted=int(values.size),
            scored=len(self.table.queries) - len(states),
            total=len(self.table.queries),
            missing=states.count(State.MISSING),
            reason="" if values.size else self._reason(row),
            **self._spread(row, counted),
            beside=self.aside[row] and bool(values.size) and bool(has[self.queries].all()),
            flattened=len(self.table.flattened[row]),
            cut=len(self.table.cuts[row]),
        )

    def _spread(self, row: int, counted: BoolArray) -> dict[str, Any]:
        """Return the spread of an algorithm's runs, over the same queries as their mean."""
        if row not in self.runs:
            return {}
        found: dict[str, Any] = {"runs": len(self.runs[row])}
        if counted.any():
            each = [fsum(values.tolist()) / values.size for values in self.runs[row][:, counted]]
            found |= {"runs_low": min(each), "runs_high": max(each), "runs_deviation": float(np.std(each, ddof=1))}
        return found

    def _reason(self, row: int) -> str:
        """Return why there is no mean."""
        states = [gap.state for gap in self.table.gaps[row].values()]
        total = len(self.table.queries) - states.count(State.NO_LEVEL)
        undefined = [gap.reason for gap in self.table.gaps[row].values() if gap.state is State.UNDEFINED]
        if not total:
            return "no query has this level"
        if undefined:
            return f"undefined on {len(undefined)} of {total} queries: {undefined[0]}"
        return "no query has a score"


def compare_scores(
    scores: Scores, method: Method, baseline: str | None, pair: tuple[str, str] | None = None
) -> Comparison:
    """Compare a table without missing values; a baseline that is not in it is ignored."""
    return compare(
        scores.sign * scores.values,
        scores.systems,
        scores.queries,
        better="higher" if scores.sign > 0 else "lower",
        baseline=baseline if baseline in scores.systems else None,
        pair=pair,
        **vars_of(method),
    )


def filled(table: Table, missing: Missing) -> tuple[FloatArray, dict[int, FloatArray]]:
    """Return (algorithms, queries) values as they count, NaN for no value; and row -> (runs, queries) of its runs.

    For several runs, the rule for missing cells is applied to each run before taking their mean.
    """
    worst = table.column.worst if missing == "worst" else None
    values: FloatArray = table.values.copy()
    if worst is not None:
        values[table.in_state(State.MISSING)] = worst
    runs: dict[int, FloatArray] = {}
    for row, repeats in table.repeats.items():
        runs[row] = repeats.values if worst is None else np.where(repeats.missing, worst, repeats.values)
        values[row] = runs[row].mean(axis=0)
    return values, runs


def compared(has: BoolArray, aside: Sequence[bool]) -> tuple[BoolArray, BoolArray]:
    """Return which algorithms are compared, and on which queries: those on which all of them have a value.

    Args:
        has: (algorithms, queries) where there is a value.
        aside: which algorithms are never compared; queries on which only these have a value are ignored.
    """
    some = queries_with_values(has, aside)
    rows = (has.sum(axis=1) >= MIN_COVERAGE * some.sum()) & has.any(axis=1) & ~np.array(aside, dtype=bool)
    return rows, has[rows].all(axis=0) if rows.any() else np.zeros_like(some)


def queries_with_values(has: BoolArray, aside: Sequence[bool]) -> BoolArray:
    """Return (queries,) on which any algorithm that can be compared has a value."""
    found: BoolArray = has[~np.array(aside, dtype=bool)].any(axis=0)
    return found


def is_never_ranked(entry: Entry) -> bool:
    """True if an entry is a reference clustering, which is shown for scale and never ranked."""
    return entry.is_reference


# --- Stored results of leaderboard columns: means, and the tests of all pairs in the ranking column ---

PAIRS = 40_000
"""Algorithms squared x queries whose tests are computed in a tenth of a second."""
CELL = 0.09
"""Cost in the same unit of reading a score and adding it to a mean: 300,000 scores take 65 ms."""


@dataclass(frozen=True, slots=True)
class BoardInputs(OfTestedSelection):
    """Inputs: columns of a leaderboard.

    Attributes:
        ranking: the column whose algorithms are tested against each other; None tests none.
    """

    tested: TestedSelection
    columns: tuple[ColumnKey, ...]
    ranking: ColumnKey | None


def _compute(asked: BoardInputs) -> tuple[ColumnStanding, ...]:
    (found,) = resolve_inputs([asked.tested])
    tables = found.tables([column_at(place) for place in asked.columns])
    said = []
    for column, table in tables.items():
        scores = ColumnScores(found.question, table)
        ranks = column.place == asked.ranking and scores.scores is not None
        said.append(scores.ranked() if ranks else scores.plain())
    return tuple(said)


def _cost(asked: BoardInputs) -> float:
    means = CELL * asked.tested.cells * len(asked.columns)
    return means + (asked.tested.pairs if asked.ranking in asked.columns else 0)


RECORDS.register_unstructure_hook(ColumnStanding, pack_standing)
RECORDS.register_structure_hook(ColumnStanding, lambda content, _: unpack_standing(content))
BOARD = Answer("board", BoardInputs, tuple[ColumnStanding, ...], _compute, cost=_cost, cheap=PAIRS)


def board_inputs(
    question: ComparisonRequest, columns: Sequence[BoardColumn], ranking: BoardColumn | None
) -> BoardInputs:
    """Return the inputs for these columns."""
    tested = question.tested
    return BoardInputs(tested, tuple(column.place for column in columns), ranking.place if ranking else None)


def standings(
    question: ComparisonRequest | None, columns: Sequence[BoardColumn], ranking: BoardColumn | None
) -> tuple[dict[BoardColumn, ColumnStanding], bool]:
    """Return column -> its means and tests, and whether the tests are still missing; empty if nothing is scored.

    Raises:
        Pending: even the means are still being computed.
    """
    if question is None or not question.entries:
        return {}, False
    asked, pending = board_inputs(question, columns, ranking), False
    try:
        found = BOARD.get(asked)
    except Pending:
        if ranking is None:
            raise
        found, pending = BOARD.get(board_inputs(question, columns, None)), True
    return dict(zip(columns, found, strict=True)), pending


def means_without_tests(
    question: ComparisonRequest, tables: Mapping[BoardColumn, Table]
) -> dict[BoardColumn, ColumnStanding]:
    """Return the means of these tables, whose rows are the question's entries that have a run."""
    return {column: ColumnScores(question, table).plain() for column, table in tables.items()}

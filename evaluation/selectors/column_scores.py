"""A column's scores as they count: the rule for missing cells applied, and who is compared on which queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import Any

import numpy as np

from evaluation.selectors.choice import MissingRule
from evaluation.selectors.column_means import Against, ColumnStanding, Mean, Means, against_baseline
from evaluation.selectors.entries import CALLED, Entry
from evaluation.selectors.keys import Question, vars_of
from evaluation.selectors.query_file_names import names_in_files
from evaluation.selectors.scores import State
from evaluation.selectors.tables import Table
from qc4.arrays import BoolArray, FloatArray
from qc4.comparison import (
    MIN_COVERAGE,
    Comparison,
    MeanResult,
    Method,
    Scores,
    SystemResult,
    compare,
    leader_sentence,
    means,
    methods_sentence,
    read_scores,
)

GOLD_ASIDE = "the gold standard itself, which no algorithm is compared with"
REFERENCE_ASIDE = "a reference, which is not ranked"
ONLY_REFERENCES = "only references have values here, which are not ranked"


@dataclass(frozen=True, eq=False, slots=True)
class Counted:
    """A column's values as they count.

    Attributes:
        values: (algorithms, queries) with the rule for missing cells applied; NaN where there is none.
        rows: which algorithms are compared.
        queries: on which queries they are: those that all of them have a value on.
        standing: their means alone, as `without_intervals`.
    """

    values: FloatArray
    rows: BoolArray
    queries: BoolArray
    standing: ColumnStanding


def counted(question: Question, table: Table) -> Counted:
    """How the cells of a table count, whose rows are the question's entries that have a run."""
    found = ColumnScores(question, table)
    return Counted(found.values, found.rows, found.queries, found.plain())


class ColumnScores:
    """One column's table with the rule for missing cells applied, and who of it is compared on which queries.

    Attributes:
        entries: the rows of the table, those with a run.
        missing: (rows, queries) where there is no clustering.
        values: (rows, queries) as they count; NaN where there is nothing that could.
        aside: (rows,) who is never compared: the gold standard itself, and references that nobody asked for by name.
        rows: (rows,) who is compared.
        queries: (queries,) on which.
        scores: of those that are compared; None where nobody is.
    """

    def __init__(self, question: Question, table: Table, *, by_name: bool = False) -> None:
        """``by_name``: the entries were asked for one by one, so that references among them are compared, too."""
        self.question, self.table = question, table
        self.entries = [entry for entry in question.entries if entry.run]
        self.missing: BoolArray = table.in_state(State.MISSING)
        self.values, self.runs = filled(table, question.missing)
        self.has = ~np.isnan(self.values)
        self.aside = [set_aside(entry, by_name=by_name) for entry in self.entries]
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
    def query_names(self) -> list[str]:
        """What files call the queries on which algorithms are compared.

        Draws depend on the order of these names, so that `qc4 compare` finds the same in a file of the scores.
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
        """The row of a reference that the others are to be compared with; it has values on all queries they have."""
        for row, entry in enumerate(self.entries):
            if entry.algorithm.pk == self.question.baseline and self.aside[row] and not entry.is_gold:
                return row if self.has[row][self.queries].all() else None
        return None

    def comparison(self, yardstick: int | None = None) -> Comparison:
        """Everything about those that are compared, and what the rule for missing cells did to them.

        Args:
            yardstick: the row of a reference that takes part.
        """
        baseline = next((one for one in self.entries if one.algorithm.pk == self.question.baseline), None)
        taken = self.known if yardstick is None else self._scores(self.rows | (np.arange(len(self.rows)) == yardstick))
        found = compare_scores(taken, self.question.method, baseline.algorithm.name if baseline else None)
        names = names_in_files(self.table.queries)
        left_out = tuple(
            names[query.key] for query, is_in in zip(self.table.queries, self.queries, strict=True) if not is_in
        )
        counted = self.missing[np.ix_(self.rows, self.queries)]
        missing = "skip" if self.question.missing == "skip" else "worst"
        return replace(found, missing=missing, filled=int(counted.sum()), left_out=left_out)

    def reason(self, row: int) -> str:
        """Why an entry is not compared; empty where it is."""
        if self.rows[row]:
            return ""
        if self.aside[row]:
            return GOLD_ASIDE if self.entries[row].is_gold else REFERENCE_ASIDE
        mean, n = self._alone(row), int(self.has[row].sum())
        if mean.value is None:
            return mean.reason
        undefined = [gap.reason for gap in self.table.gaps[row].values() if gap.state is State.UNDEFINED]
        why = f": {undefined[0]}" if undefined else ""
        return f"values on {n} of {int(asked(self.has, self.aside).sum())} queries, fewer than {MIN_COVERAGE:.0%}{why}"

    def ranked(self) -> ColumnStanding:
        """With ranks, and differences from a baseline: a reference as the baseline is compared with, and not ranked."""
        row = self.yardstick
        found = self.comparison()
        paired = found if row is None else self.comparison(row)
        systems = {system.system: system for system in found.systems}
        against = {}
        if paired.baseline is not None:
            turned = {pair.b if pair.a == paired.baseline else pair.a: pair for pair in paired.pairs}
            against = {name: against_baseline(pair, paired.baseline) for name, pair in turned.items()}
        standing = self._standing(systems, against, ranks=len(systems) > 1 and not found.note, note=found.note)
        methods = methods_sentence(paired, called=CALLED)
        if row is not None:
            methods += f" Ranks leave out {paired.baseline}, a reference."
        return replace(standing, sentence=leader_sentence(found, CALLED), methods=methods)

    def averaged(self, systems: Sequence[MeanResult]) -> ColumnStanding:
        return self._standing({system.system: system for system in systems}, {}, ranks=False)

    def plain(self) -> ColumnStanding:
        """Means alone: no intervals, and ranks as they come."""
        if self.scores is None:
            return self.uncompared()
        return self.averaged(means([self.scores], None)[0])

    def uncompared(self) -> ColumnStanding:
        only_references = not asked(self.has, self.aside).any() and self.has.any()
        note = ONLY_REFERENCES if only_references else "no queries on which all these algorithms have values"
        return self._standing({}, {}, ranks=False, note=note)

    def _standing(
        self,
        systems: Mapping[str, SystemResult | MeanResult],
        against: Mapping[str, Against],
        *,
        ranks: bool,
        note: str = "",
    ) -> ColumnStanding:
        found, several = {}, len(systems) > 1
        for row, entry in enumerate(self.entries):
            system = systems.get(entry.algorithm.name)
            mean = self._alone(row)
            if system is not None:
                mean = replace(
                    mean, value=system.mean, counted=self.known.n_queries, compared=True,
                    rank=system.rank if several else None, against=against.get(entry.algorithm.name),
                )  # fmt: skip
                if isinstance(system, MeanResult):
                    mean = replace(mean, low=system.low, high=system.high, interval=system.interval)
                elif several:
                    places = {"rank_low": system.rank_low, "rank_high": system.rank_high}
                    mean = replace(mean, with_leader=system.could_be_best, **places)
            found[entry.algorithm.pk] = mean
        return ColumnStanding(Means.of(found), self.scores.n_queries if self.scores else 0, ranks, note)

    def _alone(self, row: int) -> Mean:
        """An algorithm by itself: over the queries of the others where it has all of these, else over its own."""
        has, states = self.has[row], [gap.state for gap in self.table.gaps[row].values()]
        counted = self.queries if self.queries.any() and has[self.queries].all() else has
        values = self.values[row][counted]
        return Mean(
            value=fsum(values.tolist()) / values.size if values.size else None,
            low=None,
            high=None,
            interval="none",
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
        """How far the runs of an algorithm lie apart, over the same queries as their mean."""
        if row not in self.runs:
            return {}
        found: dict[str, Any] = {"runs": len(self.runs[row])}
        if counted.any():
            each = [fsum(values.tolist()) / values.size for values in self.runs[row][:, counted]]
            found |= {"runs_low": min(each), "runs_high": max(each), "runs_deviation": float(np.std(each, ddof=1))}
        return found

    def _reason(self, row: int) -> str:
        """Say why there is no mean."""
        states = [gap.state for gap in self.table.gaps[row].values()]
        total = len(self.table.queries) - states.count(State.NO_LEVEL)
        undefined = [gap.reason for gap in self.table.gaps[row].values() if gap.state is State.UNDEFINED]
        if not total:
            return "no query has this level"
        if undefined:
            return f"undefined on {len(undefined)} of {total} queries: {undefined[0]}"
        return "no query has a score"


def compare_scores(scores: Scores, method: Method, baseline: str | None) -> Comparison:
    """A comparison of a table that is complete already; a baseline that is not in it counts for nothing."""
    return compare(
        scores.sign * scores.values,
        scores.systems,
        scores.queries,
        better="higher" if scores.sign > 0 else "lower",
        baseline=baseline if baseline in scores.systems else None,
        **vars_of(method),
    )


def filled(table: Table, missing: MissingRule) -> tuple[FloatArray, dict[int, FloatArray]]:
    """(algorithms, queries) what counts, NaN where nothing does; and row -> (runs, queries) the same of each run.

    Of several runs the rule for missing cells holds for each; then comes the mean over them.
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
    """Which algorithms are compared, and on which queries: those that all of them have a value on.

    Args:
        has: (algorithms, queries) where there is a value.
        aside: which algorithms are never compared; the queries that only these have a value on do not count.
    """
    some = asked(has, aside)
    rows = (has.sum(axis=1) >= MIN_COVERAGE * some.sum()) & has.any(axis=1) & ~np.array(aside, dtype=bool)
    return rows, has[rows].all(axis=0) if rows.any() else np.zeros_like(some)


def asked(has: BoolArray, aside: Sequence[bool]) -> BoolArray:
    """(queries,) on which any algorithm that can be compared has a value."""
    found: BoolArray = has[~np.array(aside, dtype=bool)].any(axis=0)
    return found


def set_aside(entry: Entry, *, by_name: bool = False) -> bool:
    """Whether an entry is never compared: the gold standard itself, and references not asked for by name."""
    return entry.is_gold or (entry.is_reference and not by_name)

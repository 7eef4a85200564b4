"""Columns of a board, worked out once and kept: means with intervals, and ranks where a column ranks.

What follows from finished runs never changes, so a standing is found by what it follows from (`Question`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import fsum
from typing import TYPE_CHECKING, Any

import numpy as np

from annotations.models import GoldVersion
from evaluation.models import Standing
from evaluation.selectors.choice import MissingRule
from evaluation.selectors.columns import Column
from evaluation.selectors.entries import Entry
from evaluation.selectors.scores import State
from evaluation.selectors.tables import Table
from qc4.arrays import BoolArray, FloatArray
from qc4.comparison import (
    Comparison,
    Method,
    PairResult,
    Scores,
    SystemResult,
    compare,
    leader_sentence,
    means,
    methods_sentence,
    read_scores,
)
from qc4.comparison.intervals import no_intervals
from qc4.comparison.means import best_first, exact_means
from qc4.comparison.rows import system_results
from qc4.records import Record
from qc4.version import ENGINE_VERSION

if TYPE_CHECKING:
    from hashlib import _Hash as Hash

ENOUGH = 0.8
"""An algorithm is compared if it has a value on at least this share of the queries that any algorithm has one on."""


LAYOUT = 3
"""Of what is stored; another one is worked out anew."""

QUICK_CELLS, QUICK_PAIRS = 100_000, 400_000
"""Up to so many scores in all, and (algorithms squared x queries) where they are ranked, a page is worked out at once:
within about a second."""

Keep = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Against(Record):
    """An algorithm compared with the baseline: ``difference`` is how much better it is, negative where it is worse."""

    difference: float
    low: float | None
    high: float | None
    wins: int
    ties: int
    losses: int
    p: float | None
    p_adjusted: float | None
    verdict: str


@dataclass(frozen=True, slots=True)
class Mean(Record):
    """One measure over the queries, for one algorithm.

    Attributes:
        value: the mean, None if no query counts. Of algorithms that are compared it is over the same queries.
        low: of its interval, None where there is none.
        interval: how the interval was made.
        counted: how many queries the mean is over.
        scored: how many queries have a value of their own.
        total: how many queries have the column's level at all.
        missing: how many have no clustering.
        reason: why there is no value, in words.
        compared: whether it has values on enough queries to be ranked.
        rank: 1 for the best; None unless it is compared, and the column ranks.
        rank_low: the best place it may have, given the confidence set.
        with_leader: whether it cannot be told from the best.
        against: compared with the baseline, if one is chosen.
        runs: how many runs count together, query by query.
        runs_low: the lowest mean of a single run; None for one run.
        runs_deviation: standard deviation of the runs' means.
        flattened: on how many queries a policy took overlap away.
    """

    value: float | None
    low: float | None
    high: float | None
    interval: str
    counted: int
    scored: int
    total: int
    missing: int
    reason: str = ""
    compared: bool = False
    rank: int | None = None
    rank_low: int | None = None
    rank_high: int | None = None
    with_leader: bool | None = None
    against: Against | None = None
    runs: int = 1
    runs_low: float | None = None
    runs_high: float | None = None
    runs_deviation: float | None = None
    flattened: int = 0


@dataclass(frozen=True, slots=True)
class Means(Mapping[int, Mean]):
    """Algorithm id -> its mean, held fact by fact: a page of many measures shows few facts of each.

    Attributes:
        places: algorithm id -> its place in each list.
        facts: name of a field of `Mean` -> its values.
        same: name of a field -> its value, for those that say the same of all.
    """

    places: Mapping[int, int]
    facts: Mapping[str, Sequence[Any]]
    same: Mapping[str, Any]

    @classmethod
    def of(cls, found: Mapping[int, Mean]) -> Means:
        facts = {name: [getattr(mean, name) for mean in found.values()] for name in Mean.__slots__}
        same = {name: values[0] for name, values in facts.items() if values and values.count(values[0]) == len(values)}
        several = {name: values for name, values in facts.items() if name not in same}
        return cls({pk: place for place, pk in enumerate(found)}, several, same)

    def each(self, name: str) -> Sequence[Any]:
        """One fact of all algorithms, in the order of `places`."""
        return self.facts[name] if name in self.facts else [self.same.get(name)] * len(self.places)

    def __getitem__(self, algorithm: int) -> Mean:
        place = self.places[algorithm]
        return Mean(**{name: values[place] for name, values in self.facts.items()}, **self.same)

    def __iter__(self) -> Iterator[int]:
        return iter(self.places)

    def __len__(self) -> int:
        return len(self.places)


@dataclass(frozen=True, slots=True)
class ColumnStanding:
    """A column: algorithm id -> its mean.

    Attributes:
        queries: how many the algorithms that are compared are compared on; 0 where none are.
        ranks: whether the algorithms were tested against each other.
        note: why there are no ranks, or what else to know.
        sentence: who leads and who cannot be told from it, of a column that ranks.
        methods: how that was found, for a paper.
    """

    means: Means
    queries: int
    ranks: bool
    note: str = ""
    sentence: str = ""
    methods: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What a standing follows from: everything that could change it."""

    version: GoldVersion
    entries: tuple[Entry, ...]
    queries: tuple[int, ...]
    missing: MissingRule
    method: Method
    baseline: int | None = None

    def keys(self, columns: Iterable[Column], ranking: Column | None) -> dict[Column, str]:
        """SHA-256 of the question for each column."""
        common, found = self._common(), {}
        for column in columns:
            of_column = common.copy()
            ranks = [True, self.baseline] if column == ranking else [False, None]
            of_column.update(json.dumps([column.key, column.level, *ranks]).encode())
            found[column] = of_column.hexdigest()
        return found

    def digest(self, *facts: object) -> str:
        """SHA-256 of the question and what else an answer follows from; the first fact says of what kind it is."""
        found = self._common()
        found.update(json.dumps(facts, sort_keys=True).encode())
        return found.hexdigest()

    def _common(self) -> Hash:
        runs = sorted(
            (entry.algorithm.pk, entry.algorithm.name, sorted(run.pk for run in entry.runs))
            for entry in self.entries
            if entry.runs
        )
        facts = [self.version.pk, runs, sorted(self.queries), self.missing, vars_of(self.method)]
        return _hashed(*facts)


def digest(*facts: object) -> str:
    """The key of what follows from these facts and the engine."""
    return _hashed(*facts).hexdigest()


def _hashed(*facts: object) -> Hash:
    return hashlib.sha256(json.dumps([LAYOUT, ENGINE_VERSION, *facts], sort_keys=True).encode())


def contents(keys: Collection[str]) -> dict[str, Any]:
    """Key -> what is kept under it, for those that are. One query to the database."""
    return dict(Standing.objects.filter(key__in=keys).values_list("key", "content"))


def vars_of(method: Method) -> dict[str, Any]:
    """The options of a method by name."""
    return {name: getattr(method, name) for name in method.__slots__}


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


def stored(question: Question, columns: Sequence[Column], ranking: Column | None) -> dict[Column, ColumnStanding]:
    """The standings that are there already. One query to the database."""
    keys = {key: column for column, key in question.keys(columns, ranking).items()}
    return {keys[key]: _unpacked(content) for key, content in contents(keys).items()}


def is_quick(question: Question, columns: Collection[Column], ranking: Column | None) -> bool:
    """Whether somebody can wait for these columns to be worked out."""
    n, queries = sum(entry.run is not None for entry in question.entries), len(question.queries)
    return n * queries * len(columns) <= QUICK_CELLS and (ranking not in columns or n * n * queries <= QUICK_PAIRS)


def without_intervals(question: Question, tables: Mapping[Column, Table]) -> dict[Column, ColumnStanding]:
    """The means alone, which are there at once, for as long as nobody worked out the rest."""
    return {column: ColumnScores(question, table).plain() for column, table in tables.items()}


def work_out(
    question: Question, tables: Mapping[Column, Table], ranking: Column | None, keep: Keep
) -> dict[Column, ColumnStanding]:
    """The standings of these tables, whose rows are the question's entries that have a run.

    Args:
        ranking: the column whose algorithms are tested against each other; None tests none.
        keep: what is done with the rows to store, key -> content.
    """
    found = {column: ColumnScores(question, table) for column, table in tables.items()}
    plain = [column for column, one in found.items() if column != ranking and one.scores is not None]
    averaged = means([found[column].known for column in plain], question.method)
    standings = {column: found[column].averaged(systems) for column, systems in zip(plain, averaged, strict=True)}
    for column, one in found.items():
        if column not in standings:
            standings[column] = one.ranked() if one.scores is not None else one.uncompared()
    keys = question.keys(standings, ranking)
    keep({keys[column]: _packed(one) for column, one in standings.items()})
    return standings


class ColumnScores:
    """One column's table with the rule for missing cells applied, and who of it is compared on which queries.

    Attributes:
        entries: the rows of the table, those with a run.
        missing: (rows, queries) where there is no clustering.
        values: (rows, queries) as they count; NaN where there is nothing that could.
        rows: (rows,) who is compared.
        queries: (queries,) on which.
        scores: of those that are compared; None where nobody is.
    """

    def __init__(self, question: Question, table: Table) -> None:
        self.question, self.table = question, table
        self.entries = [entry for entry in question.entries if entry.run]
        self.missing: BoolArray = table.in_state(State.MISSING)
        self.values, self.runs = filled(table, question.missing)
        self.has = ~np.isnan(self.values)
        rows, queries = compared(self.has, [entry.is_gold for entry in self.entries])
        self.rows, self.queries = rows, queries
        self.scores = self._scores() if rows.any() and queries.any() else None

    def _scores(self) -> Scores:
        table = self.table
        return read_scores(
            self.values[np.ix_(self.rows, self.queries)],
            [entry.algorithm.name for entry, is_in in zip(self.entries, self.rows, strict=True) if is_in],
            [query.key for query, is_in in zip(table.queries, self.queries, strict=True) if is_in],
            better=table.column.measure.better,
        )

    @property
    def known(self) -> Scores:
        if self.scores is None:
            raise ValueError("nothing is compared in this column")
        return self.scores

    def comparison(self) -> Comparison:
        """Everything about those that are compared, and what the rule for missing cells did to them."""
        baseline = next((one for one in self.entries if one.algorithm.pk == self.question.baseline), None)
        found = compare_scores(self.known, self.question.method, baseline.algorithm.name if baseline else None)
        left_out = tuple(query.key for query, is_in in zip(self.table.queries, self.queries, strict=True) if not is_in)
        counted = self.missing[np.ix_(self.rows, self.queries)]
        return replace(found, missing=self.question.missing, filled=int(counted.sum()), left_out=left_out)

    def reason(self, row: int) -> str:
        """Why an entry is not compared; empty where it is."""
        if self.rows[row]:
            return ""
        if self.entries[row].is_gold:
            return "the gold standard itself, which no algorithm is compared with"
        mean, n = self._alone(row), int(self.has[row].sum())
        if mean.value is None:
            return mean.reason
        undefined = [gap.reason for gap in self.table.gaps[row].values() if gap.state is State.UNDEFINED]
        why = f": {undefined[0]}" if undefined else ""
        return f"values on {n} of {int(self.has.any(axis=0).sum())} queries, fewer than {ENOUGH:.0%}{why}"

    def ranked(self) -> ColumnStanding:
        found = self.comparison()
        systems = {system.system: system for system in found.systems}
        against = {}
        if found.baseline is not None:
            turned = {pair.b if pair.a == found.baseline else pair.a: pair for pair in found.pairs}
            against = {name: against_baseline(pair, found.baseline) for name, pair in turned.items()}
        standing = self._standing(systems, against, ranks=not found.note, note=found.note)
        return replace(standing, sentence=leader_sentence(found), methods=methods_sentence(found))

    def averaged(self, systems: Sequence[SystemResult]) -> ColumnStanding:
        return self._standing({system.system: system for system in systems}, {}, ranks=False)

    def plain(self) -> ColumnStanding:
        """Means alone: no intervals, and ranks as they come."""
        if self.scores is None:
            return self.uncompared()
        averages = exact_means(self.scores.values)
        order = best_first(averages, 0.0)
        return self.averaged(system_results(self.scores, averages, order, no_intervals(len(order)), None, 0.0))

    def uncompared(self) -> ColumnStanding:
        return self._standing({}, {}, ranks=False, note="no queries on which all these algorithms have values")

    def _standing(
        self, systems: Mapping[str, SystemResult], against: Mapping[str, Against], *, ranks: bool, note: str = ""
    ) -> ColumnStanding:
        found = {}
        for row, entry in enumerate(self.entries):
            system = systems.get(entry.algorithm.name)
            mean = self._alone(row)
            if system is not None:
                mean = replace(
                    mean, value=system.mean, low=system.low, high=system.high, interval=system.interval,
                    counted=self.known.n_queries, compared=True, rank=system.rank, rank_low=system.rank_low,
                    rank_high=system.rank_high, with_leader=system.with_leader,
                    against=against.get(entry.algorithm.name),
                )  # fmt: skip
            found[entry.algorithm.pk] = mean
        return ColumnStanding(Means.of(found), self.scores.n_queries if self.scores else 0, ranks, note)

    def _alone(self, row: int) -> Mean:
        """An algorithm by itself: over the queries of the others where it has all of these, else over its own."""
        has, states = self.has[row], [gap.state for gap in self.table.gaps[row].values()]
        total = len(self.table.queries) - states.count(State.NO_LEVEL)
        counted = self.queries if self.queries.any() and has[self.queries].all() else has
        values = self.values[row][counted]
        return Mean(
            value=fsum(values) / values.size if values.size else None,
            low=None,
            high=None,
            interval="none",
            counted=int(values.size),
            scored=len(self.table.queries) - len(states),
            total=total,
            missing=states.count(State.MISSING),
            reason="" if values.size else self._reason(row, total),
            **self._spread(row, counted),
            flattened=len(self.table.flattened[row]),
        )

    def _spread(self, row: int, counted: BoolArray) -> dict[str, Any]:
        """How far the runs of an algorithm lie apart, over the same queries as their mean."""
        if row not in self.runs:
            return {}
        found: dict[str, Any] = {"runs": len(self.runs[row])}
        if counted.any():
            each = [fsum(values) / values.size for values in self.runs[row][:, counted]]
            found |= {"runs_low": min(each), "runs_high": max(each), "runs_deviation": float(np.std(each, ddof=1))}
        return found

    def _reason(self, row: int, total: int) -> str:
        """Why there is no mean."""
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
    worst = table.column.worst if missing == "zero" else None
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
        aside: which algorithms are never compared.
    """
    asked = has.any(axis=0)
    rows = (has.sum(axis=1) >= ENOUGH * asked.sum()) & has.any(axis=1) & ~np.array(aside, dtype=bool)
    return rows, has[rows].all(axis=0) & asked if rows.any() else np.zeros_like(asked)


def against_baseline(pair: PairResult, baseline: str) -> Against:
    """A pair as the algorithm that is not the baseline sees it."""
    if pair.b == baseline:
        low, high, wins, losses, difference = pair.low, pair.high, pair.wins, pair.losses, pair.difference
    else:
        low, high = (None if end is None else 0.0 - end for end in (pair.high, pair.low))
        wins, losses, difference = pair.losses, pair.wins, 0.0 - pair.difference
    return Against(difference, low, high, wins, pair.ties, losses, pair.p, pair.p_adjusted, pair.verdict)


def _packed(standing: ColumnStanding) -> dict[str, Any]:
    means = standing.means
    against = [one and [getattr(one, name) for name in Against.__slots__] for one in means.each("against")]
    return {
        "queries": standing.queries,
        "ranks": standing.ranks,
        "note": standing.note,
        "sentence": standing.sentence,
        "methods": standing.methods,
        "algorithms": list(means),
        "facts": {**means.facts, "against": against} if any(against) else means.facts,
        "same": {name: value for name, value in means.same.items() if name != "against" or value is None},
    }


def _unpacked(content: dict[str, Any]) -> ColumnStanding:
    facts = content["facts"]
    if "against" in facts:
        facts["against"] = [Against(*row) if row else None for row in facts["against"]]
    places = {pk: place for place, pk in enumerate(content["algorithms"])}
    parts = (content[name] for name in ("queries", "ranks", "note", "sentence", "methods"))
    return ColumnStanding(Means(places, facts, content["same"]), *parts)

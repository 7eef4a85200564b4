"""The score of every algorithm on every query, hardest queries first, best algorithms first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, isnan, sqrt

import numpy as np

from accounts.person import Person
from annotations.models import Collection
from common.parameters import Parameters, one_option
from evaluation.ranking.board import BoardRow
from evaluation.ranking.entries import Entry, OfEntry
from evaluation.ranking.leaderboard import OfSelection, Selection, ordered, select
from evaluation.ranking.means import Mean
from evaluation.ranking.standings import CountedScores, count_scores
from evaluation.ranking.wording import source_sentence
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.scores import ScoredQuery
from evaluation.scoring.tables import Table
from qc4.arrays import FloatArray
from qc4.records import Record
from qc4.stats import number

# --- Shades of a heat map: nine steps, stronger for better values ---

STEPS = ("#f4f7fb", "#dfe9f5", "#c6d8ee", "#a6c3e4", "#7fa8d6", "#4776b4", "#3568a6", "#1d4a82", "#0c2d57")
"""Colours on paper and light pages; each is darker than the one before, so that they also differ in grey."""
DARK_FROM = 5
"""First step on which text is white."""


@dataclass(frozen=True, slots=True)
class HeatScale:
    """A scale that maps values to the steps 0 (worst) to 8 (best)."""

    low: float
    high: float
    lower_is_better: bool

    def step(self, value: float) -> int | None:
        """Return the step of a value; None for NaN. Values outside the range get the first or the last step."""
        if isnan(value):
            return None
        share = (value - self.low) / (self.high - self.low) if self.high > self.low else 1.0
        if self.lower_is_better:
            share = 1.0 - share
        return min(len(STEPS) - 1, max(0, int(share * len(STEPS))))

    @property
    def ends(self) -> tuple[float, float]:
        """The values of the weakest and of the strongest shade."""
        return (self.high, self.low) if self.lower_is_better else (self.low, self.high)


ROWS: dict[str, str] = {
    "hardest": "hardest first",
    "spread": "most different first",
    "collection": "in the collection's order",
}
"""The orders of queries, the first by default."""


@dataclass(frozen=True, slots=True)
class HeatQuery(Record):
    """A row of the heat map.

    Attributes:
        mean: mean over the compared algorithms with a value on this query; None if there are none.
        spread: standard deviation of these values.
        counted: number of these values.
    """

    KEYS = "query=query.key text=query.text mean spread counted"

    query: ScoredQuery
    mean: float | None
    spread: float | None
    counted: int


@dataclass(frozen=True, slots=True)
class HeatAlgorithm(OfEntry, Record):
    """A column of the heat map; ``mean`` is that of the leaderboard."""

    KEYS = (
        "algorithm=algorithm.name algorithm_id=algorithm.pk baseline=algorithm.baseline|null submission=submission.pk "
        "mean=mean.value counted=mean.counted queries=mean.total compared=mean.compared undefined=mean.reason|null"
    )

    entry: Entry
    mean: Mean


@dataclass(frozen=True, slots=True)
class HeatGap(Record):
    """Cells of an algorithm that have no value for the same reason; ``queries`` are keys."""

    KEYS = "algorithm_id=algorithm state reason queries"

    algorithm: int
    state: str
    reason: str
    queries: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class HeatMap(OfSelection, Record):
    """A heat map.

    Attributes:
        order: order of the queries, one of `ROWS`.
        cells: (queries, algorithms) scores in the order of `queries` and `algorithms`; NaN if there is no value.
        places: indices of these queries and of these algorithms in the table: (queries, algorithms).
    """

    KEYS = (
        "collection=collection.slug gold_version=version?.number gold_sha256=version?.sha256 engine "
        "measure=column missing=choice.missing policies=choice.policies rows=order compared_algorithms "
        "compared_queries waiting methods queries algorithms values gaps"
    )

    selection: Selection
    order: str
    queries: tuple[HeatQuery, ...]
    algorithms: tuple[HeatAlgorithm, ...]
    cells: FloatArray
    table: Table | None
    places: tuple[tuple[int, ...], tuple[int, ...]]
    compared_algorithms: int
    compared_queries: int

    @property
    def column(self) -> BoardColumn:
        return self.selection.sort

    @property
    def values(self) -> list[list[float | None]]:
        """A list per query, with a value or None per algorithm."""
        return [[None if isnan(value) else value for value in row] for row in self.cells.tolist()]

    @property
    def gaps(self) -> list[HeatGap]:
        """The reasons why cells have no value, by algorithm."""
        found = []
        for algorithm, reasons in zip(self.algorithms, self.reasons, strict=True):
            for (state, reason), at in reasons.items():
                keys = tuple(self.queries[place].query.key for place in at)
                found.append(HeatGap(algorithm.algorithm.pk, state, reason, keys))
        return found

    @property
    def reasons(self) -> list[dict[tuple[str, str], list[int]]]:
        """A dict per algorithm: (state, reason) -> indices of its queries in `queries`."""
        if self.table is None:
            return []
        at = {query: place for place, query in enumerate(self.places[0])}
        found: list[dict[tuple[str, str], list[int]]] = []
        for run in self.places[1]:
            reasons: dict[tuple[str, str], list[int]] = {}
            for query, gap in self.table.gaps[run].items():
                reasons.setdefault((gap.state.value, gap.reason), []).append(at[query])
            found.append({key: sorted(places) for key, places in reasons.items()})
        return found

    @property
    def value_range(self) -> tuple[float, float]:
        """The range of the colours: the measure's range, or the range of the values if the measure is unbounded.

        A negative lower end is replaced by the lowest value, or by 0 if no value is negative.
        """
        known = self.cells[~np.isnan(self.cells)]
        least, most = (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)
        low, high = self.column.measure.low, self.column.measure.high
        if low is None or high is None:
            return least, most
        return (low if low >= 0 else min(0.0, least)), high

    @property
    def missing_words(self) -> str:
        """How a query without a clustering enters the means."""
        if self.choice.missing == "skip" or self.column.worst is None:
            return "its query is excluded from the means of all algorithms"
        return f"counts as {number(self.column.worst)} in the means"

    @property
    def scale(self) -> HeatScale:
        return HeatScale(*self.value_range, self.column.measure.better == "lower")

    @property
    def methods(self) -> str:
        """Description of the method, for a paper."""
        return (
            f"{self.column.named(self.selection.deepest)}. {source_sentence(self.selection, self.compared_queries)} "
            f"Queries {ROWS[self.order]}, by the {self.compared_algorithms:,} algorithms that are compared."
        )


def heat_map(collection: Collection, person: Person, choice: BoardOptions, order: str) -> HeatMap:
    """Return the heat map of a collection (already checked) as this person sees it, by the measure that ranks.

    Raises:
        InputError: as `evaluation.ranking.leaderboard.select`.
    """
    found = select(collection, person, choice)
    question = found.tested.question
    if question is None or not found.scored:
        return _empty(found, order)
    table = found.tested.tables([found.sort])[found.sort]
    use = count_scores(question, table)
    means = use.standing.means
    rows = ordered(
        [BoardRow(entry, mean=means[entry.algorithm.pk]) for entry in found.scored], found.sort, reverse=choice.reverse
    )
    runs = {entry.algorithm.pk: number for number, entry in enumerate(found.tested.scored)}
    across = tuple(runs[row.algorithm.pk] for row in rows)
    queries = _queries(table, use)
    down = _query_order(queries, order, lower=found.sort.measure.better == "lower")
    return HeatMap(
        selection=found,
        order=order,
        queries=tuple(queries[place] for place in down),
        algorithms=tuple(HeatAlgorithm(row.entry, means[row.algorithm.pk]) for row in rows),
        cells=table.values.T[np.ix_(down, across)],
        table=table,
        places=(down, across),
        compared_algorithms=int(use.rows.sum()),
        compared_queries=int(use.queries.sum()) if use.rows.any() else 0,
    )


def heat_map_for_parameters(collection: Collection, person: Person, parameters: Parameters) -> HeatMap:
    """Return the heat map for URL parameters.

    Raises:
        InputError: as `heat_map` and `Choice.of_one_measure`; if the order is unknown.
    """
    order = one_option(parameters, "rows", ROWS, "unknown-order")
    return heat_map(collection, person, BoardOptions.of_one_measure(parameters), order)


def _empty(found: Selection, order: str) -> HeatMap:
    return HeatMap(found, order, (), (), np.zeros((0, 0)), None, ((), ()), 0, 0)


def _queries(table: Table, use: CountedScores) -> list[HeatQuery]:
    compared = use.values[use.rows]
    return [_query(query, compared[:, place]) for place, query in enumerate(table.queries)]


def _query(query: ScoredQuery, column: FloatArray) -> HeatQuery:
    values = column[~np.isnan(column)]
    if not values.size:
        return HeatQuery(query, None, None, 0)
    mean = fsum(values) / values.size
    return HeatQuery(query, mean, sqrt(fsum((values - mean) ** 2) / values.size), int(values.size))


def _query_order(queries: Sequence[HeatQuery], order: str, *, lower: bool) -> tuple[int, ...]:
    """Return the indices of the queries in this order: queries without a value last, ties as in the collection."""
    if order == "collection":
        return tuple(range(len(queries)))

    def place(number: int) -> tuple[bool, float]:
        query = queries[number]
        if query.mean is None or query.spread is None:
            return True, 0.0
        return False, -query.spread if order == "spread" else -query.mean if lower else query.mean

    return tuple(sorted(range(len(queries)), key=place))

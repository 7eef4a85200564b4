"""The scores of many runs as arrays: (algorithms, queries) for each column. See `evaluation.models.RunColumn`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import isnan, nan
from typing import Any

import numpy as np

from evaluation.models import Run, RunColumn
from evaluation.scoring.columns import BoardColumn
from evaluation.scoring.scores import MISSING, NOT_COMPUTED, Cell, ScoredQuery, State
from qc4.arrays import BoolArray, FloatArray

Gaps = Mapping[int, Cell]
"""Position of a query -> why it has no value."""
Stored = dict[tuple[int, str, str, int], list[Any]]
"""(run id, measure, level, depth) -> values, gaps, engines, flattened positions and cuts, as in `RunColumn`."""
Cuts = Mapping[int, tuple[int, int]]
"""Position of a query -> the depth of its cut, and that of the finest cut."""


_VALUES = ("packed", "gaps", "engines", "flattened", "cuts")


@dataclass(frozen=True, eq=False, slots=True)
class Repeats:
    """The runs of one algorithm that count together.

    Attributes:
        values: (runs, queries), NaN for no value.
        missing: (runs, queries), true if the submission has no clustering.
    """

    values: FloatArray
    missing: BoolArray


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """One column: the score of each algorithm on each query, or the mean over several runs.

    Attributes:
        queries: in the order of the collection.
        values: (algorithms, queries), NaN if a run has no value.
        gaps: for each algorithm, position of a query -> why it has no value.
        engines: for each algorithm, the versions of the engine that computed the values.
        flattened: for each algorithm, the positions of queries for which a scoring option removed overlap.
        cuts: for each algorithm, the depths at which its nested clusterings are cut.
        repeats: row -> its runs, for algorithms that have several.
    """

    column: BoardColumn
    queries: tuple[ScoredQuery, ...]
    values: FloatArray
    gaps: tuple[Gaps, ...]
    engines: tuple[tuple[str, ...], ...]
    flattened: tuple[frozenset[int], ...]
    cuts: tuple[Cuts, ...]
    repeats: Mapping[int, Repeats] = field(default_factory=dict)

    def cell(self, row: int, query: int) -> Cell:
        gap = self.gaps[row].get(query)
        return self._value(row, query) if gap is None else gap

    def _value(self, row: int, query: int) -> Cell:
        cut = self.cuts[row].get(query)
        return Cell(State.VALUE, float(self.values[row, query]), flattened=query in self.flattened[row], cut=cut)

    def cells(self, row: int) -> tuple[Cell, ...]:
        """Return an algorithm's cells, one per query."""
        return tuple(self.cell(row, query) for query in range(len(self.queries)))

    def listed(self, row: int) -> list[float | None]:
        """Return an algorithm's values, None for no value."""
        return [None if isnan(value) else value for value in self.values[row].tolist()]

    def part(self, rows: Sequence[int]) -> Table:
        """Return the table with only these algorithms."""
        return replace(
            self,
            values=self.values[list(rows)],
            gaps=tuple(self.gaps[row] for row in rows),
            engines=tuple(self.engines[row] for row in rows),
            flattened=tuple(self.flattened[row] for row in rows),
            cuts=tuple(self.cuts[row] for row in rows),
            repeats={place: self.repeats[row] for place, row in enumerate(rows) if row in self.repeats},
        )

    def in_state(self, state: State) -> BoolArray:
        """Return (algorithms, queries), true for cells in this state."""
        found = np.zeros(self.values.shape, dtype=bool)
        for row, gaps in enumerate(self.gaps):
            found[row, [place for place, gap in gaps.items() if gap.state is state]] = True
        return found


def read(runs: Iterable[Run], columns: Iterable[BoardColumn]) -> Stored:
    """Return the stored columns of some runs. One database query."""
    wanted = {column.place for column in columns}
    places = {(measure, level) for measure, level, _ in wanted}
    rows = RunColumn.objects.filter(
        run__in=[run.pk for run in runs],
        measure__in={measure for measure, _, _ in wanted},
        level__in={level for _, level, _ in wanted},
        depth__in={0, *(depth for _, _, depth in wanted)},
    ).values_list("run_id", "measure", "level", "depth", *_VALUES)
    return {
        (run, measure, level, depth): rest for run, measure, level, depth, *rest in rows if (measure, level) in places
    }


def read_all(run: Run) -> Stored:
    """Return every stored column of a run. One database query."""
    rows = run.columns.values_list("run_id", "measure", "level", "depth", *_VALUES)
    return {(of, measure, level, depth): rest for of, measure, level, depth, *rest in rows}


def table(
    column: BoardColumn,
    algorithms: Sequence[Sequence[Run]],
    stored: Stored,
    every: Sequence[ScoredQuery],
    queries: Sequence[ScoredQuery] | None = None,
) -> Table:
    """Return one column of some algorithms against the same gold version.

    Args:
        algorithms: for each the finished evaluations that count together; the rows of the table.
        stored: columns from `read`.
        every: all queries of the version.
        queries: the wanted queries, by default all; the columns of the table.
    """
    queries = every if queries is None else queries
    order = {pk: place for place, pk in enumerate(sorted(query.pk for query in every))}
    at = [order[query.pk] for query in queries]
    of_runs = _of_runs(column, [run for runs in algorithms for run in runs], stored, at)
    if all(len(runs) == 1 for runs in algorithms):
        return Table(column, tuple(queries), *of_runs)
    return _mean_over_repeats(column, tuple(queries), [len(runs) for runs in algorithms], *of_runs)


Engines = tuple[tuple[str, ...], ...]
Flattened = tuple[frozenset[int], ...]
NO_CUTS: Cuts = {}


def _of_runs(
    column: BoardColumn, runs: Sequence[Run], stored: Stored, at: list[int]
) -> tuple[FloatArray, tuple[Gaps, ...], Engines, Flattened, tuple[Cuts, ...]]:
    """Return the values, gaps, engines, flattened positions and cuts of each run for the queries at these positions."""
    values, places = np.full((len(runs), len(at)), nan), np.array(at, dtype=np.int64)
    gaps: list[Gaps] = []
    engines: list[tuple[str, ...]] = []
    flattened: list[frozenset[int]] = []
    cuts: list[Cuts] = []
    back = {place: number for number, place in enumerate(at)}
    for number, run in enumerate(runs):
        # Runs whose clusters are less deep have only their finest cut.
        row = stored.get((run.pk, *column.place)) or stored.get((run.pk, column.key, column.level, 0))
        if row is None:
            gaps.append(dict.fromkeys(range(len(at)), Cell(State.UNDEFINED, reason=NOT_COMPUTED)))
            engines.append(())
            flattened.append(frozenset())
            cuts.append(NO_CUTS)
            continue
        packed, gaps_of, by, flat, cut = row
        values[number] = np.frombuffer(packed, dtype="<f8")[places]
        gaps.append(_gaps(gaps_of, at) if gaps_of else {})
        engines.append(tuple(by))
        flattened.append(frozenset(back[place] for place in flat if place in back))
        cuts.append(_cuts(cut, back) if cut else NO_CUTS)
    return values, tuple(gaps), tuple(engines), tuple(flattened), tuple(cuts)


def _cuts(stored: list[tuple[int, int, list[int]]], back: Mapping[int, int]) -> Cuts:
    return {back[place]: (depth, deepest) for depth, deepest, places in stored for place in places if place in back}


def _mean_over_repeats(
    column: BoardColumn,
    queries: tuple[ScoredQuery, ...],
    sizes: Sequence[int],
    values: FloatArray,
    gaps: Sequence[Gaps],
    engines: Engines,
    flattened: Flattened,
    cuts: Sequence[Cuts],
) -> Table:
    """Combine the given numbers of runs into one row each: the mean for each query."""
    means, of_rows, by, flat, cut, repeats = [], [], [], [], [], {}
    start = 0
    for row, size in enumerate(sizes):
        end = start + size
        runs, gaps_of = values[start:end], gaps[start:end]
        means.append(runs.mean(axis=0))
        of_rows.append(_joined(gaps_of) if size > 1 else gaps_of[0])
        by.append(tuple(sorted({engine for one in engines[start:end] for engine in one})))
        flat.append(frozenset[int]().union(*flattened[start:end]))
        cut.append({place: at for one in cuts[start:end] for place, at in one.items()})
        if size > 1:
            repeats[row] = Repeats(runs, np.array([_missing(one, len(queries)) for one in gaps_of]))
        start = end
    return Table(column, queries, np.array(means), tuple(of_rows), tuple(by), tuple(flat), tuple(cut), repeats)


def _joined(gaps: Sequence[Gaps]) -> Gaps:
    """Return why a mean over runs has no value; an undefined score takes precedence over a missing clustering."""
    found: dict[int, Cell] = {}
    for place in sorted({place for one in gaps for place in one}):
        cells = [one[place] for one in gaps if place in one]
        worst = next((cell for cell in cells if cell.state is not State.MISSING), cells[0])
        if len(cells) < len(gaps):
            worst = Cell(worst.state, reason=f"in {len(cells)} of {len(gaps)} runs: {worst.reason}")
        found[place] = worst
    return found


def _missing(gaps: Gaps, n_queries: int) -> BoolArray:
    found = np.zeros(n_queries, dtype=bool)
    found[[place for place, gap in gaps.items() if gap.state is State.MISSING]] = True
    return found


def _gaps(stored: list[tuple[str, str, list[int]]], at: list[int]) -> Gaps:
    """Return the gaps of the queries at these positions."""
    cells: dict[int, Cell] = {}
    for state, reason, places in stored:
        gap = MISSING if state == State.MISSING else Cell(State(state), reason=reason)
        cells.update(dict.fromkeys(places, gap))
    return {number: cells[place] for number, place in enumerate(at) if place in cells}

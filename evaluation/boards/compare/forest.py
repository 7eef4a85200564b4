"""The matrix of all pairs and the forest plot of differences from one algorithm, as the page draws them."""

from __future__ import annotations

from dataclasses import dataclass

from evaluation.boards.compare.comparison import AlgorithmComparison, ComparedAlgorithm
from evaluation.ranking.means import BaselineComparison, against_baseline
from qc4.charts import Scale, ticks
from qc4.stats import Comparison, PairResult, SystemResult, place_words

SHADES = 8


@dataclass(frozen=True, slots=True)
class ForestRow:
    """An algorithm and its difference from the reference; ``against`` is None for the reference itself."""

    algorithm: ComparedAlgorithm
    system: SystemResult
    against: BaselineComparison | None
    interval_note: str = ""

    @property
    def places(self) -> str:
        """The places that the algorithm may have: "1", "2–4"."""
        return place_words(self.system)


@dataclass(frozen=True, slots=True)
class Forest:
    """Differences of all algorithms from one, best first; ``low`` and ``high`` are the ends of the axis."""

    reference: ComparedAlgorithm
    rows: tuple[ForestRow, ...]
    low: float
    high: float
    margin: float

    @property
    def ticks(self) -> list[float]:
        return ticks(self.low, self.high, 7)

    def scale(self, width: float) -> Scale:
        return Scale(self.low, self.high, 0, width)


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """A pair of algorithms; ``shade`` is 0 for no difference and `SHADES` for the largest."""

    pair: PairResult
    shade: int
    a: ComparedAlgorithm
    b: ComparedAlgorithm


@dataclass(frozen=True, slots=True)
class MatrixRow:
    """An algorithm with a cell for each one below it; ``before`` counts the empty cells in front of them."""

    algorithm: ComparedAlgorithm
    before: range
    cells: tuple[MatrixCell, ...]


def forest(of: AlgorithmComparison) -> Forest | None:
    """Return the forest plot; None if there are fewer than two algorithms."""
    found, reference = of.comparison, of.reference
    if found is None or reference is None or len(found.systems) < 2:
        return None
    rows = tuple(_row(of, found, system, reference.name) for system in found.systems)
    ends = [
        end
        for row in rows
        if row.against is not None
        for end in (row.against.low, row.against.high, row.against.difference)
        if end is not None
    ]
    margin = found.method.equivalence_margin
    low, high = min([*ends, -margin]), max([*ends, margin])
    room = 0.05 * (high - low) or 0.5
    return Forest(reference, rows, low - room, high + room, margin)


def matrix(of: AlgorithmComparison) -> tuple[MatrixRow, ...]:
    """Return the upper half of the matrix: the better algorithm's row, the other's column.

    It is empty for two algorithms, and if one of them is the baseline.
    """
    found = of.comparison
    if found is None or len(of.algorithms) < 3 or found.baseline is not None:
        return ()
    if not found.pairs:
        return ()
    most = max(pair.difference for pair in found.pairs)
    return tuple(
        MatrixRow(one, range(place), tuple(_cell(found, one, other, most) for other in of.algorithms[place + 1 :]))
        for place, one in enumerate(of.algorithms[:-1])
    )


def _row(of: AlgorithmComparison, found: Comparison, system: SystemResult, reference: str) -> ForestRow:
    one = of.contenders[system.system]
    if system.system == reference:
        return ForestRow(one, system, None)
    pair = found.pair_or_none(system.system, reference)
    if pair is None:
        return ForestRow(one, system, None, "not tested against it")
    return ForestRow(one, system, against_baseline(pair, reference), pair.interval_note)


def _cell(found: Comparison, one: ComparedAlgorithm, other: ComparedAlgorithm, most: float) -> MatrixCell:
    pair = found.pair(one.name, other.name)
    return MatrixCell(pair, round(SHADES * pair.difference / most) if most > 0 else 0, one, other)

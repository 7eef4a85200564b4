"""Tables of an agreement: statistics with their intervals, the overlap matrix, and placements as paths."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from annotations.agreement.statistics.alignment import ComparedHierarchy
from annotations.agreement.statistics.pair import PER_LEVEL, QC4, Agreement, Figure
from annotations.agreement.statistics.placements import Kind, Placement, Symbols
from annotations.limits import MATRIX_TOPICS
from qc4.measures.registry import REGISTRY

SHADES = 5


@dataclass(frozen=True, slots=True)
class FigureRow:
    """A named row of statistics."""

    name: str
    figures: tuple[Figure, ...]


@dataclass(frozen=True, slots=True)
class FigureTable:
    """Rows of statistics for the same measures.

    Attributes:
        columns: key and title of each measure.
        remarks: notes about values, and reasons why values are undefined.
    """

    columns: tuple[tuple[str, str], ...]
    rows: tuple[FigureRow, ...]

    @property
    def remarks(self) -> list[str]:
        said = {f"{row.name}: {words}": None for row in self.rows for words in _words(row.figures)}
        return list(said)


def _words(figures: Sequence[Figure]) -> list[str]:
    return [words for figure in figures for words in (figure.undefined, figure.note) if words]


def qc4_table(agreement: Agreement) -> FigureTable:
    """Return QC4 in both directions."""
    one, other = agreement.first.name, agreement.second.name
    rows = [
        FigureRow(f"{own}’s topics against {gold}’s hierarchy", _of(agreement, QC4, clusters))
        for clusters, own, gold in (("first", one, other), ("second", other, one))
    ]
    return FigureTable(_titles(QC4), tuple(rows))


def level_table(agreement: Agreement) -> FigureTable:
    """Return Omega and extended BCubed, with a row per level."""
    n_levels = max(agreement.first.hierarchy.n_levels, agreement.second.hierarchy.n_levels)
    rows = [FigureRow(f"Level {level}", _of(agreement, PER_LEVEL, level)) for level in range(1, n_levels + 1)]
    return FigureTable(_titles(PER_LEVEL), tuple(rows))


def outlier_table(agreement: Agreement) -> FigureTable:
    """Return kappa and AC1 of the outliers."""
    figures = tuple(agreement.figure(key) for key in ("outlier_kappa", "outlier_ac1"))
    return FigureTable(tuple((figure.measure, figure.title) for figure in figures), (FigureRow("Outliers", figures),))


def _of(agreement: Agreement, measures: Sequence[str], where: int | str) -> tuple[Figure, ...]:
    return tuple(agreement.figure(measure, where) for measure in measures)


def _titles(measures: Sequence[str]) -> tuple[tuple[str, str], ...]:
    return tuple((key, REGISTRY.get(key).title) for key in measures)


# --- The matrix -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Cell:
    """Number of pages that two topics share; ``shade`` from 0 to `SHADES` grows with their Jaccard coefficient."""

    shared: int
    jaccard: float
    shade: int
    aligned: bool


@dataclass(frozen=True, slots=True)
class Heading:
    """A topic of one hierarchy, or its outlier topic (with an empty path)."""

    path: tuple[str, ...]
    pages: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """Topics of the first hierarchy by topics of the second, both with the outliers last."""

    columns: tuple[Heading, ...]
    rows: tuple[tuple[Heading, tuple[Cell, ...]], ...]
    left_out: int


def matrix(agreement: Agreement, level: int | None = None) -> Matrix:
    """Return the overlap matrix of the topics on a level, or of all topics if the level is None.

    Columns are in the order of their aligned rows. Topics beyond `MATRIX_TOPICS` are omitted.
    """
    rows = _shown(agreement.first, level)
    columns = sorted(_shown(agreement.second, level), key=lambda topic: _partner_first(agreement, topic))
    left_out = max(0, len(rows) - MATRIX_TOPICS) + max(0, len(columns) - MATRIX_TOPICS)
    across: list[int | None] = [*columns[:MATRIX_TOPICS], None]
    down: list[int | None] = [*rows[:MATRIX_TOPICS], None]
    lines = [
        (_heading(agreement.first, row), tuple(_cell(agreement, row, column) for column in across)) for row in down
    ]
    return Matrix(tuple(_heading(agreement.second, column) for column in across), tuple(lines), left_out)


def _shown(side: ComparedHierarchy, level: int | None) -> list[int]:
    if level is None:
        return list(range(side.n_topics))
    return [int(topic) for topic in side.hierarchy.topics_on(min(level, side.hierarchy.n_levels))]


def _partner_first(agreement: Agreement, topic: int) -> tuple[int, int]:
    partner = agreement.alignment.first_of.get(topic)
    return (agreement.first.n_topics, topic) if partner is None else (partner, topic)


def _heading(side: ComparedHierarchy, topic: int | None) -> Heading:
    return (
        Heading((), len(_members(side, None)))
        if topic is None
        else Heading(side.paths[topic], len(_members(side, topic)))
    )


def _cell(agreement: Agreement, row: int | None, column: int | None) -> Cell:
    """Return the cell of two topics; None represents the outliers."""
    one, other = _members(agreement.first, row), _members(agreement.second, column)
    shared, either = len(one & other), len(one | other)
    jaccard = shared / either if either else 0.0
    aligned = row == column is None and bool(shared)
    if row is not None:
        aligned = agreement.alignment.second_of.get(row, -1) == column
    return Cell(shared, jaccard, math.ceil(jaccard * SHADES), aligned)


def _members(side: ComparedHierarchy, topic: int | None) -> set[int]:
    return set((side.hierarchy.outliers if topic is None else side.members(topic)).tolist())


# --- Pages ------------------------------------------------------------------------------------------------------------


def difference_counts(agreement: Agreement) -> list[tuple[str, int]]:
    """Return how the differing pages differ, in words, most frequent first."""
    found = Counter(page.kind for page in agreement.differing)
    return [(difference_words(kind, agreement.first, agreement.second), number) for kind, number in found.most_common()]


def difference_words(kind: Kind, first: ComparedHierarchy, second: ComparedHierarchy) -> str:
    """Return a kind of difference with the names of the two hierarchies."""
    before, _, after = str(kind).partition("the first")
    if before != str(kind):
        return f"{before}{first.name}{after}"
    before, mark, after = str(kind).partition("the second")
    return f"{before}{second.name}{after}" if mark else before


def paths(placement: Placement, symbols: Symbols) -> list[str]:
    """Return a placement as paths of names, taken from the hierarchy that each symbol belongs to."""
    if placement.outlier:
        return ["outlier"]
    found = [symbols.side(symbol.side).paths[symbol.topic] for symbol in sorted(placement.topics)]
    return [" › ".join(path) for path in found]


def own_paths(side: ComparedHierarchy, page: int) -> list[str]:
    """Return the placement of a page in one hierarchy as paths of its own topics."""
    if side.is_outlier[page]:
        return ["outlier"]
    return [" › ".join(side.paths[topic]) for topic in side.direct[page]]

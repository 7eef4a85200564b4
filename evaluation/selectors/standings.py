"""What columns of a board say: means, and the tests of all pairs where a column ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evaluation.selectors.column_means import ColumnStanding, pack_standing, unpack_standing
from evaluation.selectors.column_scores import ColumnScores
from evaluation.selectors.columns import Column
from evaluation.selectors.tables import Table
from evaluation.selectors.tested import OfTested, Place, Question, Tested, column_at, resolved
from work.answers import Answer, Pending
from work.records import RECORDS

PAIRS = 40_000
"""Algorithms squared x queries whose tests are worked out in a tenth of a second."""
CELL = 0.09
"""What reading a score and taking it into a mean costs beside that: 300,000 scores take 65 ms."""


@dataclass(frozen=True, slots=True)
class BoardAsked(OfTested):
    """Columns of a board.

    Attributes:
        ranking: the column whose algorithms are tested against each other; None tests none.
    """

    tested: Tested
    columns: tuple[Place, ...]
    ranking: Place | None


def _work_out(asked: BoardAsked) -> tuple[ColumnStanding, ...]:
    (found,) = resolved([asked.tested])
    tables = found.tables([column_at(place) for place in asked.columns])
    said = []
    for column, table in tables.items():
        scores = ColumnScores(found.question, table)
        ranks = column.place == asked.ranking and scores.scores is not None
        said.append(scores.ranked() if ranks else scores.plain())
    return tuple(said)


def _cost(asked: BoardAsked) -> float:
    means = CELL * asked.tested.cells * len(asked.columns)
    return means + (asked.tested.pairs if asked.ranking in asked.columns else 0)


RECORDS.register_unstructure_hook(ColumnStanding, pack_standing)
RECORDS.register_structure_hook(ColumnStanding, lambda content, _: unpack_standing(content))
BOARD = Answer("board", BoardAsked, tuple[ColumnStanding, ...], _work_out, cost=_cost, cheap=PAIRS)


def asked_of(question: Question, columns: Sequence[Column], ranking: Column | None) -> BoardAsked:
    """What is asked for these columns."""
    tested = question.tested
    return BoardAsked(tested, tuple(column.place for column in columns), ranking.place if ranking else None)


def standings(
    question: Question | None, columns: Sequence[Column], ranking: Column | None
) -> tuple[dict[Column, ColumnStanding], bool]:
    """Column -> what it says, and whether that is the means alone yet; nothing where nothing is scored.

    Raises:
        Pending: not even the means are there.
    """
    if question is None or not question.entries:
        return {}, False
    asked, pending = asked_of(question, columns, ranking), False
    try:
        found = BOARD.get(asked)
    except Pending:
        if ranking is None:
            raise
        found, pending = BOARD.get(asked_of(question, columns, None)), True
    return dict(zip(columns, found, strict=True)), pending


def means_alone(question: Question, tables: Mapping[Column, Table]) -> dict[Column, ColumnStanding]:
    """The means of tables that were read, whose rows are the question's entries that have a run."""
    return {column: ColumnScores(question, table).plain() for column, table in tables.items()}

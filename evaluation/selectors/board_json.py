"""The board as JSON, with the value of every query. Of a large board a worker writes that part, once."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass

from accounts.person import Person
from annotations.models import Collection
from evaluation.selectors.board import Board, Detail
from evaluation.selectors.choice import Choice
from evaluation.selectors.leaderboard import leaderboard, select
from evaluation.selectors.standings import BOARD, BoardAsked, asked_of
from evaluation.selectors.tested import column_at, resolved
from work.answers import Answer

VALUES = 50_000
"""So many values are written in a tenth of a second."""


@dataclass(frozen=True, slots=True)
class Details:
    """For each algorithm that is tested: what each column says of it with every query's value, as JSON."""

    rows: tuple[str, ...]


def _work_out(asked: BoardAsked) -> Details:
    (found,) = resolved([asked.tested])
    tables, standings = found.tables([column_at(place) for place in asked.columns]), BOARD.get(asked)
    of_columns = list(zip(tables.items(), standings, strict=True))
    rows = []
    for number, entry in enumerate(found.question.entries):
        details = {
            column.key: Detail.of(standing.means[entry.algorithm.pk], table, number)
            for (column, table), standing in of_columns
        }
        rows.append(json.dumps({key: detail.to_dict() for key, detail in details.items()}))
    return Details(tuple(rows))


DETAILS = Answer(
    "board-details",
    BoardAsked,
    Details,
    _work_out,
    cost=lambda asked: asked.tested.cells * len(asked.columns),
    cheap=VALUES,
    parts={"rows": 1},
)


def board_json(collection: Collection, person: Person, choice: Choice) -> Board | Iterator[str]:
    """The board of a collection (already checked) with every value; a large one as text, piece by piece.

    Raises:
        InputError: as `leaderboard`.
        Pending: it is being worked out.
    """
    found = select(collection, person, choice)
    question = found.tested.question
    asked = asked_of(question, found.columns, found.sort) if question and question.entries else None
    if asked is None or DETAILS.cost(asked) <= VALUES:
        return leaderboard(collection, person, choice, details=True)
    board = leaderboard(collection, person, choice)
    DETAILS.get(asked)
    return _written(board, asked)


def _written(board: Board, asked: BoardAsked) -> Iterator[str]:
    head = board.to_dict()
    rows = {row["algorithm_id"]: row for row in head.pop("rows")}
    shown = {pk: {name: value for name, value in row.items() if name != "scores"} for pk, row in rows.items()}
    details = DETAILS.iter_rows(asked, "rows")
    texts = {one.id: text for one, text in zip(asked.tested.algorithms, details, strict=True) if one.id in shown}
    yield json.dumps(head)[:-1] + ', "rows": ['
    for number, (pk, row) in enumerate(shown.items()):
        yield f'{", " if number else ""}{json.dumps(row)[:-1]}, "scores": {texts.get(pk, "{}")}}}'
    yield "]}"

"""A leaderboard as files: a table in full precision, a table for papers, and JSON with the value of every query."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import chain

from accounts.person import Person
from annotations.models import Collection
from evaluation.ranking.board import Board, BoardMean, BoardRow, RowGroup
from evaluation.ranking.leaderboard import leaderboard, select
from evaluation.ranking.means import PLACES, BaselineComparison, Mean
from evaluation.ranking.standings import BOARD, BoardInputs, board_inputs
from evaluation.ranking.tested import column_at, resolve_inputs
from evaluation.ranking.wording import source_words
from evaluation.scoring.options import BoardOptions
from evaluation.scoring.policies import options_in_words
from qc4.stats import behind_words, interval_words, p_number, signed_number
from qc4.tables import Table, interval_cell, mean_cell
from work.answers import Answer

MEAN = ("value", "counted", "scored", "total", "runs", "runs_deviation", "flattened", "cut", "reason")
MEAN_HEADS = (
    "", " queries counted", " queries scored", " queries", " runs", " runs deviation", " queries flattened",
    " queries cut", " undefined",
)  # fmt: skip
SOME_QUERIES = "A mean over fewer than all {} queries is followed by the number it is over."
F_OF_MEANS = ("f_of_means", "f_of_means queries counted")
RANK = ("rank", *PLACES)
AGAINST = tuple(BaselineComparison.__slots__)


def board_table(board: Board) -> Table:
    """Return a row per algorithm, in the order of the leaderboard."""
    return Table(_rows(board))


def board_paper(board: Board) -> Table:
    """Return the table for papers: places, names and a mean for each measure, with the method below.

    Beside the measure that ranks is the distance behind the best, or the difference from the baseline. The best
    values of each measure are bold.
    """
    head = ["Place", "Algorithm", *(f"{column.measure.title} {column.arrow}" for column in board.columns)]
    right = set(range(2, len(head)))
    notes = [f"{board.standing.sentence} {board.methods}".strip() if board.methods else _nothing_compared(board)]
    if board.shows_places:
        place = board.columns.index(board.sort) + 3
        head.insert(place, "Behind the best")
        right = set(range(2, len(head))) - {place}
    if board.compares:
        right |= {len(head), len(head) + 2, len(head) + 3}
        head += ["Difference", f"{100 * board.choice.method.confidence:g} % interval", "𝑝", "W/T/L"]
        notes.append(f"Differences and p are against {board.baseline}.")
    if any(mean.value is not None and mean.counted != mean.total for row in board.rows for mean in row.means.values()):
        notes.append(SOME_QUERIES.format(f"{len(board.queries):,}"))
    best = board.best
    rows = [_paper_row(board, row, best) for row in board.rows if row.run is not None]
    return Table([head, *rows], right, f"Leaderboard of {board.collection.name}.", notes, keys=2)


def _nothing_compared(board: Board) -> str:
    """Return the sentence that replaces the method if nothing is compared."""
    why = board.standing.note or "nothing is scored"
    where = source_words(board) if board.version else board.collection.name
    return f"{board.sort.named(board.deepest)} on {where}. No algorithm is ranked: {why}."


def _paper_row(board: Board, row: BoardRow, best: Mapping[str, frozenset[int]]) -> list[object]:
    cells: list[object] = [row.ranks if row.group is RowGroup.RANKED else "–", row.algorithm.name]
    for key, mean in row.means.items():
        cells.append(mean_cell(mean.value, mean.counted, mean.total, bold=row.algorithm.pk in best[key]))
        if key == board.sort.key and board.shows_places:
            system = row.system
            cells.append("–" if system is None else interval_cell(behind_words(system)))
    return cells + (_paper_against(board, row) if board.compares else [])


def _paper_against(board: Board, row: BoardRow) -> list[object]:
    against = row.mean.against if row.mean else None
    if against is None:
        return ["–"] * 4
    p = p_number(against.p_adjusted, board.choice.method.alpha)
    interval = interval_cell(interval_words(against.low, against.high))
    return [signed_number(against.difference), interval, p, f"{against.wins}/{against.ties}/{against.losses}"]


def _rows(board: Board) -> Iterator[list[object]]:
    yield [
        *RANK, "algorithm", "baseline", "submission", "submitted_by", "submitted_at", "counts",
        "gold_version", "engine", "missing_rule", "policies", "family", "family_size", "critical_value",
        "compared_with", *AGAINST,
        *chain.from_iterable(_heads(column.name) for column in board.columns),
        *(F_OF_MEANS if board.shows_f_of_means else ()),
    ]  # fmt: skip
    of_means, queries = board.f_of_rows(), board.f_of_means.queries if board.f_of_means else 0
    for row in board.rows:
        line = [*_row_facts(board, row), *_against(board, row)]
        means = row.means
        for column in board.columns:
            mean = means.get(column.key)
            line += _mean(mean) if mean else [None, 0, 0, len(board.queries), 0, None, 0, 0, row.waiting]
        if board.shows_f_of_means:
            f = of_means.get(row.algorithm.pk)
            line += [f.value, queries] if f else [None] * 2
        yield line


def _heads(name: str) -> list[str]:
    return [name + head for head in MEAN_HEADS]


def _row_facts(board: Board, row: BoardRow) -> list[object]:
    mean = row.mean
    return [
        *(getattr(mean, name, None) for name in RANK),
        row.algorithm.name,
        row.algorithm.baseline,
        row.submission.pk,
        row.submitted_by,
        row.submitted_at.isoformat(),
        row.counts,
        board.version.number if board.version else "",
        " ".join(row.engines),
        board.choice.missing,
        options_in_words(board.choice.policies),
        board.standing.family,
        board.standing.family_size,
        board.standing.critical_value,
    ]


def _against(board: Board, row: BoardRow) -> list[object]:
    against = row.mean.against if row.mean else None
    values = [getattr(against, name, None) for name in AGAINST]
    return [board.baseline if board.compares else None, *values]


def _mean(mean: Mean) -> list[object]:
    return [getattr(mean, name) for name in MEAN]


# --- JSON with the value of every query; a worker writes it once for a large leaderboard ---

CHEAP_VALUES = 50_000
"""Values that can be written in a tenth of a second."""


@dataclass(frozen=True, slots=True)
class BoardDetails:
    """The details of each tested algorithm as JSON: per column, its mean and the value of every query."""

    rows: tuple[str, ...]


def _compute(asked: BoardInputs) -> BoardDetails:
    (found,) = resolve_inputs([asked.tested])
    tables, standings = found.tables([column_at(place) for place in asked.columns]), BOARD.get(asked)
    of_columns = list(zip(tables.items(), standings, strict=True))
    rows = []
    for number, entry in enumerate(found.question.entries):
        details = {
            column.key: BoardMean.of(standing.means[entry.algorithm.pk], table, number)
            for (column, table), standing in of_columns
        }
        rows.append(json.dumps({key: detail.to_dict() for key, detail in details.items()}))
    return BoardDetails(tuple(rows))


DETAILS = Answer(
    "board-details",
    BoardInputs,
    BoardDetails,
    _compute,
    cost=lambda asked: asked.tested.cells * len(asked.columns),
    cheap=CHEAP_VALUES,
    parts={"rows": 1},
)


def board_json(collection: Collection, person: Person, choice: BoardOptions) -> Board | Iterator[str]:
    """Return the leaderboard of a collection (already checked) with every value; a large one as chunks of text.

    Raises:
        InputError: as `leaderboard`.
        Pending: the leaderboard is still being computed.
    """
    found = select(collection, person, choice)
    question = found.tested.question
    asked = board_inputs(question, found.columns, found.sort) if question and question.entries else None
    if asked is None or DETAILS.cost(asked) <= CHEAP_VALUES:
        return leaderboard(collection, person, choice, details=True)
    board = leaderboard(collection, person, choice)
    DETAILS.get(asked)
    return _stream(board, asked)


def _stream(board: Board, asked: BoardInputs) -> Iterator[str]:
    head = board.to_dict()
    rows = {row["algorithm_id"]: row for row in head.pop("rows")}
    shown = {pk: {name: value for name, value in row.items() if name != "scores"} for pk, row in rows.items()}
    details = DETAILS.iter_rows(asked, "rows")
    texts = {one.id: text for one, text in zip(asked.tested.algorithms, details, strict=True) if one.id in shown}
    yield json.dumps(head)[:-1] + ', "rows": ['
    for number, (pk, row) in enumerate(shown.items()):
        yield f'{", " if number else ""}{json.dumps(row)[:-1]}, "scores": {texts.get(pk, "{}")}}}'
    yield "]}"

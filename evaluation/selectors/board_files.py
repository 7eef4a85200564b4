"""A leaderboard as files: CSV with everything in full precision, and a table for LaTeX with the digits of the page."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from itertools import chain

from evaluation.selectors.board import Board, Group, Row
from evaluation.selectors.column_means import PLACES, Against, Mean
from evaluation.selectors.methods import source_words
from evaluation.selectors.policy_words import in_words
from qc4.comparison import behind_words, interval_words, p_number, signed_number
from qc4.formats.latex import escaped, latex_interval, latex_mean, latex_number, latex_table
from qc4.formats.spreadsheets import cell, guarded

MEAN = ("value", "counted", "scored", "total", "runs", "runs_deviation", "flattened", "cut", "reason")
MEAN_HEADS = (
    "", " queries counted", " queries scored", " queries", " runs", " runs deviation", " queries flattened",
    " queries cut", " undefined",
)  # fmt: skip
SOME_QUERIES = "A mean over fewer than all {} queries is followed by the number it is over."
F_OF_MEANS = ("f_of_means", "f_of_means queries counted")
RANK = ("rank", *PLACES)
AGAINST = tuple(Against.__slots__)


def board_csv(board: Board) -> str:
    """A line per algorithm, in the order of the board."""
    text = io.StringIO()
    csv.writer(text).writerows(_lines(board))
    return text.getvalue()


def board_latex(board: Board) -> str:
    """Write a table for booktabs, its caption the methods sentence: places, names, and a mean for each measure.

    The column that ranks has the distance behind the best, or the difference from the baseline. The best of each
    measure are set in bold.
    """
    heads = [f"{escaped(column.measure.title)} ${_ARROWS[column.arrow]}$" for column in board.columns]
    columns = f"rl{'r' * len(heads)}"
    caption = f"{board.standing.sentence} {board.methods}".strip() if board.methods else _nothing_compared(board)
    if board.shows_places:
        place = board.columns.index(board.sort) + 1
        heads.insert(place, "Behind the best")
        columns = f"{columns[: place + 2]}c{columns[place + 2 :]}"
    if board.compares:
        heads += ["Difference", f"{100 * board.choice.method.confidence:g}\\,\\% interval", "$p$", "W/T/L"]
        columns += "rcrr"
        caption += f" Differences and p are against {board.baseline}."
    if any(mean.value is not None and mean.counted != mean.total for row in board.rows for mean in row.means.values()):
        caption += f" {SOME_QUERIES.format(f'{len(board.queries):,}')}"
    best = board.best
    lines = [_latex_row(board, row, best) for row in board.rows if row.run is not None]
    return latex_table(["Place", "Algorithm", *heads], lines, columns, caption)


def _nothing_compared(board: Board) -> str:
    """What the table is of, where no methods can be told."""
    why = board.standing.note or "nothing is scored"
    where = source_words(board) if board.version else board.collection.name
    return f"{board.sort.named(board.deepest)} on {where}. Nobody is ranked: {why}."


_ARROWS = {"↑": r"\uparrow", "↓": r"\downarrow"}


def _latex_row(board: Board, row: Row, best: Mapping[str, frozenset[int]]) -> list[str]:
    cells = [row.ranks.replace("–", "--") if row.group is Group.RANKED else "--", escaped(row.algorithm.name)]
    for key, mean in row.means.items():
        text = latex_mean(mean.value, mean.counted, mean.total)
        cells.append(rf"\textbf{{{text}}}" if row.algorithm.pk in best[key] else text)
        if key == board.sort.key and board.shows_places:
            system = row.system
            cells.append("--" if system is None else latex_interval(behind_words(system)))
    return cells + (_latex_against(board, row) if board.compares else [])


def _latex_against(board: Board, row: Row) -> list[str]:
    against = row.mean.against if row.mean else None
    if against is None:
        return ["--"] * 4
    counts = f"{against.wins}/{against.ties}/{against.losses}"
    p = latex_number(p_number(against.p_adjusted, board.choice.method.alpha))
    difference, interval = signed_number(against.difference), interval_words(against.low, against.high)
    return [latex_number(difference), latex_interval(interval), p, counts]


def _lines(board: Board) -> Iterator[list[object]]:
    yield [
        *RANK, "algorithm", "baseline", "submission", "submitted_by", "submitted_at", "counts",
        "gold_version", "engine", "missing_rule", "policies", "family", "family_size", "critical_value",
        "compared_with", *AGAINST,
        *chain.from_iterable(_heads(column.name) for column in board.columns),
        *(F_OF_MEANS if board.shows_f_of_means else ()),
    ]  # fmt: skip
    of_means, queries = board.f_of_rows(), board.f_of_means.queries if board.f_of_means else 0
    for row in board.rows:
        line = [*_facts(board, row), *_against(board, row)]
        means = row.means
        for column in board.columns:
            mean = means.get(column.key)
            line += _mean(mean) if mean else ["", 0, 0, len(board.queries), 0, "", 0, 0, guarded(row.waiting)]
        if board.shows_f_of_means:
            f = of_means.get(row.algorithm.pk)
            line += ["" if one is None else one for one in (f.value, queries)] if f else [""] * 2
        yield line


def _heads(name: str) -> list[str]:
    return [name + head for head in MEAN_HEADS]


def _facts(board: Board, row: Row) -> list[object]:
    mean = row.mean
    return [
        *(cell(getattr(mean, name, None)) for name in RANK),
        guarded(row.algorithm.name),
        row.algorithm.baseline,
        row.submission.pk,
        cell(row.submitted_by),
        row.submitted_at.isoformat(),
        row.counts,
        board.version.number if board.version else "",
        " ".join(row.engines),
        board.choice.missing,
        in_words(board.choice.policies),
        board.standing.family,
        board.standing.family_size,
        cell(board.standing.critical_value),
    ]


def _against(board: Board, row: Row) -> list[object]:
    against = row.mean.against if row.mean else None
    values = [getattr(against, name) for name in AGAINST] if against else [""] * len(AGAINST)
    with_whom = guarded(board.baseline or "") if board.compares else ""
    return [with_whom, *("" if value is None else value for value in values)]


def _mean(mean: Mean) -> list[object]:
    values = [getattr(mean, name) for name in MEAN]
    return [cell(value) for value in values]

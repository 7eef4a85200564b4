"""Columns of a board, worked out once and kept: means with intervals, and ranks where a column ranks.

What follows from finished runs never changes, so a standing is found by what it follows from (`Question`).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from math import ceil

from accounts.capacity import slow_work
from evaluation.selectors.choice import effort
from evaluation.selectors.column_means import ColumnStanding, pack_standing, unpack_standing
from evaluation.selectors.column_scores import ColumnScores
from evaluation.selectors.columns import Column
from evaluation.selectors.keys import Keep, Question, contents
from evaluation.selectors.tables import Table
from qc4.comparison import means

QUICK_CELLS, QUICK_PAIRS = 100_000, 400_000
"""Up to so many scores in all, and (algorithms squared x queries) where they are ranked, a page is worked out at once:
within about a second."""
MANY_COLUMNS = 20
"""More than a board has that nobody chose columns for."""


def standings(
    question: Question | None,
    columns: Sequence[Column],
    ranking: Column | None,
    tables: Callable[[Sequence[Column]], Mapping[Column, Table]],
    keep: Keep,
    *,
    wait: bool,
) -> tuple[dict[Column, ColumnStanding], bool]:
    """Column -> what it says, and whether that is not all of it yet; nothing where nothing is scored.

    Args:
        ranking: the column whose algorithms are tested against each other; None tests none.
        tables: the scores of columns, read for those that are not kept.
        keep: stores what had to be worked out.
        wait: False leaves means alone where the rest would take long.
    """
    if question is None or not question.entries:
        return {}, False
    known = stored(question, columns, ranking)
    left = [column for column in columns if column not in known]
    if not left:
        return known, False
    of_left = tables(left)
    quick = is_quick(question, left, ranking)
    if not (wait or quick):
        return known | without_intervals(question, of_left), True
    with slow_work("a leaderboard", when=not quick):
        return known | work_out(question, of_left, ranking, keep), False


def stored(question: Question, columns: Sequence[Column], ranking: Column | None) -> dict[Column, ColumnStanding]:
    """The standings that are there already. One query to the database."""
    keys = {key: column for column, key in question.keys(columns, ranking).items()}
    return {keys[key]: unpack_standing(content) for key, content in contents(keys).items()}


def is_quick(question: Question, columns: Collection[Column], ranking: Column | None) -> bool:
    """Whether somebody can wait for these columns to be worked out."""
    n, queries = sum(entry.run is not None for entry in question.entries), len(question.queries)
    queries = ceil(queries * effort(question.method))
    return n * queries * len(columns) <= QUICK_CELLS and (ranking not in columns or n * n * queries <= QUICK_PAIRS)


def are_few(algorithms: int, queries: int) -> bool:
    """Whether any board of so many has nothing that takes long, by the default method: told without making it."""
    return algorithms * queries * MANY_COLUMNS <= QUICK_CELLS and algorithms**2 * queries <= QUICK_PAIRS


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
    said = {column: found[column].averaged(systems) for column, systems in zip(plain, averaged, strict=True)}
    for column, one in found.items():
        if column not in said:
            said[column] = one.ranked() if one.scores is not None else one.uncompared()
    keys = question.keys(said, ranking)
    keep({keys[column]: pack_standing(one) for column, one in said.items()})
    return said

"""Columns of a board, computed once and stored: means, and the tests of all pairs where a column ranks.

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

QUICK_PAIRS = 400_000
"""Largest number of (algorithms squared x queries) that a page computes within the request, in about a second."""


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
        return known | means_alone(question, of_left), True
    with slow_work("a leaderboard", when=not quick):
        return known | work_out(question, of_left, ranking, keep), False


def stored(question: Question, columns: Sequence[Column], ranking: Column | None) -> dict[Column, ColumnStanding]:
    """The standings that are there already. One query to the database."""
    keys = {key: column for column, key in question.keys(columns, ranking).items()}
    return {keys[key]: unpack_standing(content) for key, content in contents(keys).items()}


def is_quick(question: Question, columns: Collection[Column], ranking: Column | None) -> bool:
    """Whether somebody can wait for these columns to be worked out: means are there at once, tests are not."""
    n, queries = sum(entry.run is not None for entry in question.entries), len(question.queries)
    return ranking not in columns or n * n * ceil(queries * effort(question.method)) <= QUICK_PAIRS


def are_few(algorithms: int, queries: int) -> bool:
    """Whether any board of so many has nothing that takes long, by the default method: told without making it."""
    return algorithms**2 * queries <= QUICK_PAIRS


def means_alone(question: Question, tables: Mapping[Column, Table]) -> dict[Column, ColumnStanding]:
    """The means without tests, for as long as nobody worked these out."""
    return {column: ColumnScores(question, table).plain() for column, table in tables.items()}


def work_out(
    question: Question, tables: Mapping[Column, Table], ranking: Column | None, keep: Keep
) -> dict[Column, ColumnStanding]:
    """The standings of these tables, whose rows are the question's entries that have a run.

    Args:
        ranking: the column whose algorithms are tested against each other; None tests none.
        keep: what is done with the rows to store, key -> content.
    """
    said = {}
    for column, table in tables.items():
        found = ColumnScores(question, table)
        said[column] = found.ranked() if column == ranking and found.scores is not None else found.plain()
    keys = question.keys(said, ranking)
    keep({keys[column]: pack_standing(one) for column, one in said.items()})
    return said

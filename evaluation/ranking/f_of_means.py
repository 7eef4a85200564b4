"""The F of the means, which can order algorithms differently from mean QC4-F."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from evaluation.ranking.standings import ColumnScores
from evaluation.ranking.tested import (
    ColumnKey,
    ComparisonRequest,
    OfTestedSelection,
    TestedSelection,
    column_at,
    relative_effort,
    resolve_inputs,
)
from evaluation.scoring.columns import BoardColumn
from qc4.stats import FOfMeans, f_of_means
from work.answers import Answer

PARTS = ("quality", "coverage")
OF = "qc4_f"
MAX_TESTED_CELLS = 60_000
"""Algorithms squared x queries up to which all pairs are tested; above, there are only intervals and reversals."""
CHEAP = 20_000
"""Algorithms squared x queries that take a tenth of a second; intervals cost twice the number of scores."""


@dataclass(frozen=True, slots=True)
class FOfMeansInputs(OfTestedSelection):
    """Inputs: the tested algorithms, and the columns of quality, coverage and QC4-F."""

    tested: TestedSelection
    parts: tuple[ColumnKey, ...]


def _compute(asked: FOfMeansInputs) -> FOfMeans | None:
    (found,) = resolve_inputs([asked.tested])
    of, question = found.tables([column_at(place) for place in asked.parts]), found.question
    one, other, f = (ColumnScores(question, table) for table in of.values())
    same = all((one.rows == each.rows).all() and (one.queries == each.queries).all() for each in (other, f))
    if not same or one.scores is None or one.scores.n_systems < 2:
        return None
    quality, coverage, each = (column.values[np.ix_(column.rows, column.queries)] for column in (one, other, f))
    names = [entry.algorithm.name for entry, is_in in zip(one.entries, one.rows, strict=True) if is_in]
    method = {name: getattr(question.method, name) for name in ("alpha", "draws", "seed")}
    tests = one.scores.n_systems**2 * one.scores.n_queries * relative_effort(question.method) <= MAX_TESTED_CELLS
    said = f_of_means(quality, coverage, names, one.query_names, f=each, tests=tests, **method)
    return replace(said, method=question.method)


def _cost(asked: FOfMeansInputs) -> float:
    pairs = asked.tested.pairs
    return 2 * pairs / max(1, len(asked.tested.algorithms)) + (pairs if pairs <= MAX_TESTED_CELLS else 0)


F_OF_MEANS = Answer("f-of-means", FOfMeansInputs, FOfMeans | None, _compute, cost=_cost, cheap=CHEAP)


def shown_columns(columns: Mapping[str, BoardColumn]) -> tuple[BoardColumn, ...]:
    """Return quality, coverage and QC4-F if all three are shown, else nothing."""
    if not {OF, *PARTS} <= set(columns):
        return ()
    return tuple(columns[key] for key in (*PARTS, OF))


def find_f_of_means(question: ComparisonRequest, parts: Sequence[BoardColumn]) -> FOfMeans | None:
    """Return the F of the means of the algorithms that are compared by all three measures on the same queries.

    None if there are fewer than two algorithms, or if the three measures are compared on different queries.

    Args:
        parts: the columns of quality, coverage and QC4-F.

    Raises:
        Pending: it is being computed.
    """
    return F_OF_MEANS.get(FOfMeansInputs(question.tested, tuple(column.place for column in parts)))

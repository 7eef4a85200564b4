"""The F of the means beside QC4-F, whose mean over queries can order algorithms otherwise than both means do."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from evaluation.selectors.choice import effort
from evaluation.selectors.column_scores import ColumnScores
from evaluation.selectors.columns import Column
from evaluation.selectors.keys import Keep, Question, contents
from evaluation.selectors.tables import Table
from qc4.comparison import FOfMeans, FOfMeansPair, FOfMeansSystem, f_of_means

PARTS = ("quality", "coverage")
OF = "qc4_f"
QUICK_CELLS = 60_000
"""Up to so many algorithms squared x queries all pairs are tested, too; beyond, there are intervals and reversals."""


def shown_columns(columns: Mapping[str, Column]) -> tuple[Column, ...]:
    """Quality, coverage and QC4-F where they stand beside each other; nothing where one of the three is not shown."""
    if not {OF, *PARTS} <= set(columns):
        return ()
    return tuple(columns[key] for key in (*PARTS, OF))


def find_f_of_means(
    question: Question,
    parts: Sequence[Column],
    tables: Callable[[Sequence[Column]], Mapping[Column, Table]],
    keep: Keep,
) -> FOfMeans | None:
    """Of the algorithms that are compared by all three, on the same queries; None where there are fewer than two, or
    the three are over other queries.

    Args:
        parts: the columns of quality, coverage and QC4-F.
        tables: reads them, where it has to be worked out.
        keep: stores what had to be worked out.
    """
    key = question.digest("f-of-means", [list(column.place) for column in parts])
    if stored := contents([key]):
        return _unpacked(stored[key], question)
    of = tables(parts)
    one, other, f = (ColumnScores(question, of[column]) for column in parts)
    same = all((one.rows == each.rows).all() and (one.queries == each.queries).all() for each in (other, f))
    if not same or one.scores is None or one.scores.n_systems < 2:
        return None
    cells = one.scores.n_systems**2 * one.scores.n_queries * effort(question.method)
    quality, coverage, each = (column.values[np.ix_(column.rows, column.queries)] for column in (one, other, f))
    names = [entry.algorithm.name for entry, is_in in zip(one.entries, one.rows, strict=True) if is_in]
    method = {name: getattr(question.method, name) for name in ("alpha", "draws", "seed")}
    found = f_of_means(quality, coverage, names, one.query_names, f=each, tests=cells <= QUICK_CELLS, **method)
    keep({key: _packed(found)})
    return found


def _packed(found: FOfMeans) -> dict[str, Any]:
    return {
        "queries": found.queries,
        "systems": [one.to_dict() for one in found.systems],
        "pairs": [one.to_dict() for one in found.pairs],
        "turned": found.turned,
    }


def _unpacked(content: dict[str, Any], question: Question) -> FOfMeans:
    return FOfMeans(
        content["queries"],
        tuple(FOfMeansSystem(**one) for one in content["systems"]),
        tuple(FOfMeansPair(**one) for one in content["pairs"]),
        tuple((ahead, behind) for ahead, behind in content["turned"]),
        question.method,
    )

"""Means of single submissions, each over its own queries, for their pages and files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import NamedTuple

import numpy as np

from evaluation.models import Run
from evaluation.ranking.standings import filled
from evaluation.scoring.tables import Table
from qc4.arrays import FloatArray
from qc4.stats import mean_interval
from work.answers import Answer, Pending


class SubmissionMean(NamedTuple):
    """A mean over the queries with a value; queries without a clustering count as the worst, as on leaderboards.

    Attributes:
        value: None if no query has a value.
        counted: number of queries behind the mean.
        total: number of all queries.
    """

    value: float | None
    counted: int
    total: int


class MeanInterval(NamedTuple):
    """The confidence interval of a single mean. It does not say whether two algorithms differ.

    Attributes:
        low, high: ends of the BCa bootstrap interval over queries; None for one query.
    """

    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True)
class IntervalInputs:
    """Inputs: a submission's run with its values, column by column, None for no value."""

    collection: int
    submission: int
    run: int
    values: tuple[tuple[float | None, ...], ...]

    @property
    def scope(self) -> str:
        return f"collection {self.collection}"

    @property
    def sources(self) -> tuple[str, ...]:
        return (f"submission {self.submission}",)


def _compute(asked: IntervalInputs) -> tuple[MeanInterval | None, ...]:
    return tuple(_interval(np.array(values, dtype=float)) for values in asked.values)


def _interval(values: FloatArray) -> MeanInterval | None:
    if np.isnan(values).all():
        return None
    found = mean_interval(values)
    return MeanInterval(found.low, found.high)


INTERVALS = Answer(
    "own-intervals",
    IntervalInputs,
    tuple[MeanInterval | None, ...],
    _compute,
    cost=lambda asked: sum(map(len, asked.values)),
    cheap=400,
)


def submission_intervals(run: Run, tables: Sequence[Table]) -> list[MeanInterval | None]:
    """Return the interval of each mean of a single run; None without a mean, or while intervals are being computed.

    Args:
        tables: tables of this run only.
    """
    values = tuple(
        tuple(None if np.isnan(one) else one for one in filled(table, "worst")[0][0].tolist()) for table in tables
    )
    try:
        return list(INTERVALS.get(IntervalInputs(run.collection_id or 0, run.submission_id or 0, run.pk, values)))
    except Pending:
        return [None] * len(tables)


def submission_means(table: Table) -> list[SubmissionMean]:
    """Return one mean for each row of a table."""
    values, _ = filled(table, "worst")
    found = []
    for row in values:
        known = row[~np.isnan(row)].tolist()
        found.append(SubmissionMean(fsum(known) / len(known) if known else None, len(known), row.size))
    return found
